//! The facts of one file that linking uses, as flat tables that are read in place. The index stores
//! them compressed ([`super::fact_tables`]).
//!
//! ```text
//! number of rows of each table, u32 each
//! the tables one after another, tables with wider rows first
//! padding to a multiple of 8 bytes
//! ```
//!
//! A name is an index into the table of symbols. A row with a list (parameters, bases, arguments,
//! alternatives) contains the index of the list's first entry in the table of all lists of that
//! kind; the list ends where the list of the next row begins. Numbers are in native byte order: a
//! cache is not shared between machines, and a shard only between machines of the same byte order.
//!
//! - **Cost:** about 20 bytes per value; opening takes constant time, however long the file is.
//! - **Alternatives:** storing [`whichfn_syntax::parse::Facts`] in packed form, but decoding them
//!   took a seventh of the time of a link, and one allocation for each call.

use super::fact_rows::*;
use bytemuck::Pod;
use rustc_hash::FxHashSet;
use whichfn_syntax::ids::{CallId, LocalId, ValueId, VariableId};
use whichfn_syntax::lang::DefinitionKind;
use whichfn_syntax::parse::{AssignmentTarget, Symbol};

/// The facts of a definition that linking uses.
#[derive(Debug, Clone, Copy)]
pub(super) struct FileDefinition<'a> {
    pub kind: DefinitionKind,
    /// Unqualified name. See [`whichfn_syntax::parse::Definition`] for this and the following
    /// fields.
    pub name: Symbol,
    pub qualified_name: Symbol,
    pub parent: LocalId,
    pub receiver: Option<VariableId>,
    pub receiver_is_parameter: bool,
    pub receives_type: bool,
    pub is_test: bool,
    pub is_private: bool,
    pub is_property: bool,
    pub bases: &'a [ValueId],
    pub owner: Option<ValueId>,
    pub returns: Option<ValueId>,
}

/// A parameter of a definition: see [`whichfn_syntax::parse::Parameter`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileParameter {
    pub name: Symbol,
    pub declared: Option<ValueId>,
    pub is_optional: bool,
    pub is_variadic: bool,
    pub is_extended: bool,
}

/// The form of a value: see [`whichfn_syntax::parse::SymbolicValue`].
#[derive(Debug, Clone, Copy)]
pub(super) enum FileValue<'a> {
    Variable(VariableId),
    Free { symbol: Symbol, scope: LocalId },
    Access(ValueId, Symbol),
    Call(CallId),
    Definition(LocalId),
    Any(&'a [ValueId]),
    Instance(ValueId),
    Super(LocalId),
    SelfType(LocalId),
    Foreign,
    Literal(Symbol),
    Operation(ValueId, ValueId),
    Element(ValueId),
    Unknown,
}

/// A call site.
#[derive(Debug, Clone, Copy)]
pub(super) struct FileCall {
    /// The innermost definition around the call.
    pub scope: LocalId,
    /// The value that is called.
    pub callee: ValueId,
    /// True if the call creates an object of the type that is called.
    pub creates: bool,
    /// True if only a name or member is written, which is a call if it names a function without
    /// parameters.
    pub is_access: bool,
    /// True if the callee is a symbol or text that names a function.
    pub is_quoted: bool,
}

/// A method that is called without the form of a call: see [`whichfn_syntax::parse::OperatorCall`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileOperator {
    pub scope: LocalId,
    pub object: ValueId,
    pub name: Symbol,
    pub is_read: bool,
}

/// An import.
#[derive(Debug, Clone, Copy)]
pub(super) struct FileImport<'a> {
    pub path: ModulePath<'a>,
    /// The path with the imported name appended.
    pub full_path: ModulePath<'a>,
    /// See [`whichfn_syntax::parse::Import`].
    pub level: u8,
    pub name: Option<Symbol>,
    pub variable: Option<VariableId>,
    /// See [`whichfn_syntax::parse::Import`].
    pub is_shared: bool,
}

/// The parts of a module path.
#[derive(Debug, Clone, Copy)]
pub(super) struct ModulePath<'a> {
    /// Symbol of the whole path: equal paths have equal symbols.
    pub symbol: Symbol,
    count: u32,
    text: &'a str,
}

/// Returns the path and the level of the import that binds a name in a file.
pub fn imported_path<'a>(facts: &FileFacts<'a>, name: Symbol) -> Option<(Vec<&'a str>, u8)> {
    let binds = |import: &FileImport<'a>| import.variable.is_some_and(|id| facts.variable_name(id) == name);
    facts.imports().find(binds).map(|import| (import.full_path.parts(), import.level))
}

/// Returns the paths of a file's imports.
pub fn import_paths<'a>(facts: &FileFacts<'a>) -> Vec<Vec<&'a str>> {
    facts.imports().map(|import| import.path.parts()).collect()
}

impl<'a> ModulePath<'a> {
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the parts, in order.
    pub fn parts(&self) -> Vec<&'a str> {
        if self.is_empty() { Vec::new() } else { self.text.split(BETWEEN).collect() }
    }

    /// Returns the first part; `None` if the path is empty.
    pub fn first(&self) -> Option<&'a str> {
        if self.is_empty() { None } else { self.text.split(BETWEEN).next() }
    }
}

/// The facts of a file that linking uses.
#[derive(Debug, Clone, Copy)]
pub struct FileFacts<'a> {
    pub(super) symbols: &'a [Symbol],
    pub(super) definitions: &'a [DefinitionFacts],
    pub(super) parameters: &'a [ParameterFacts],
    pub(super) bases: &'a [ValueId],
    pub(super) variables: &'a [VariableFacts],
    pub(super) values: &'a [ValueFacts],
    pub(super) alternatives: &'a [ValueId],
    pub(super) bindings: &'a [BindingFacts],
    pub(super) calls: &'a [CallFacts],
    pub(super) arguments: &'a [ArgumentFacts],
    pub(super) operators: &'a [OperatorFacts],
    pub(super) returns: &'a [ReturnFacts],
    pub(super) imports: &'a [ImportFacts],
    pub(super) places: &'a [CallPlace],
    pub(super) text: &'a str,
    package: &'a str,
}

/// Splits `count` rows of a table off the front of `rest`.
fn table<'a, T: Pod>(rest: &mut &'a [u8], count: u32) -> Option<&'a [T]> {
    let (rows, after) = rest.split_at_checked(size_of::<T>().checked_mul(count as usize)?)?;
    *rest = after;
    bytemuck::try_cast_slice(rows).ok()
}

impl FileFacts<'_> {
    /// Iterates over the values that extensions with bases assign to a name.
    pub(super) fn targets(&self, name: Symbol) -> impl Iterator<Item = (LocalId, ValueId)> {
        self.bindings().filter_map(move |(target, value)| {
            let AssignmentTarget::Variable(variable) = target else { return None };
            let scope = self.variable_scope(variable);
            let around = self.definition(scope);
            let is_target = around.kind == DefinitionKind::Extension && !around.bases.is_empty();
            (is_target && self.variable_name(variable) == name).then_some((scope, value))
        })
    }

    /// Iterates over the fields of types that have the result of a call as value, each with what the call
    /// calls.
    pub(super) fn created_fields(&self) -> impl Iterator<Item = (VariableId, ValueId)> {
        self.bindings().filter_map(|(target, value)| {
            let AssignmentTarget::Variable(field) = target else { return None };
            let FileValue::Call(call) = self.value(value) else { return None };
            self.kind(self.variable_scope(field)).is_type().then(|| (field, self.call(call).callee))
        })
    }
}

impl<'a> FileFacts<'a> {
    /// The facts of a file that is not linked: only the file itself, as an empty module.
    pub const NOTHING: FileFacts<'static> = {
        const fn row(kind: DefinitionKind) -> DefinitionFacts {
            DefinitionFacts {
                name: 0,
                qualified_name: 0,
                parent: LocalId::FILE,
                receiver: NONE,
                owner: NONE,
                returns: NONE,
                first_parameter: 0,
                first_base: 0,
                kind: kind as u8,
                receiver_is_parameter: 0,
                receives_type: 0,
                marks: 0,
            }
        }
        FileFacts {
            // XXH3 of the empty string, with seed 0.
            symbols: &[0x2d06_8005_38d3_94c2],
            definitions: &[row(DefinitionKind::Module), row(DefinitionKind::Module)],
            parameters: &[],
            bases: &[],
            variables: &[],
            values: &[],
            alternatives: &[],
            bindings: &[],
            calls: &[],
            arguments: &[],
            operators: &[],
            returns: &[],
            imports: &[],
            places: &[],
            text: "",
            package: "",
        }
    };

    /// Reads tables from an index that another program may have written. Returns `None` if they are
    /// invalid, see `soundness.rs`.
    pub(super) fn read_checked(bytes: &'a [u8]) -> Option<Self> {
        Self::read(bytes).filter(Self::is_sound)
    }

    /// Reads tables that this process has written or checked. Returns `None` if they do not fit into
    /// the bytes, or the bytes do not begin at a multiple of eight. Does not check the numbers in
    /// the tables; the other methods panic on invalid ones.
    pub(super) fn read(bytes: &'a [u8]) -> Option<Self> {
        let mut rest = bytes;
        let counts: TableLengths = *table(&mut rest, 1)?.first()?;
        let rest = &mut rest;
        let mut facts = Self {
            symbols: table(rest, counts.symbols)?,
            definitions: table(rest, counts.definitions)?,
            parameters: table(rest, counts.parameters)?,
            bases: table(rest, counts.bases)?,
            variables: table(rest, counts.variables)?,
            values: table(rest, counts.values)?,
            alternatives: table(rest, counts.alternatives)?,
            bindings: table(rest, counts.bindings)?,
            calls: table(rest, counts.calls)?,
            arguments: table(rest, counts.arguments)?,
            operators: table(rest, counts.operators)?,
            returns: table(rest, counts.returns)?,
            imports: table(rest, counts.imports)?,
            places: table(rest, counts.places)?,
            text: std::str::from_utf8(table(rest, counts.text)?).ok()?,
            package: "",
        };
        facts.package = facts.text.get(..counts.package as usize)?;
        (facts.definitions.len() > 1 && !facts.calls.is_empty()).then_some(facts)
    }

    /// Returns the number of definitions, variables, values and calls.
    pub(super) fn counts(&self) -> [usize; 4] {
        [self.definition_count(), self.variables.len(), self.values.len(), self.call_count()]
    }

    /// Estimates the number of constraints that the file's values, assignments, returns and calls
    /// yield.
    pub(super) fn constraint_count(&self) -> usize {
        let accesses = self.values.iter().filter(|row| row.what & ((1 << TAG_BITS) - 1) == ACCESS).count();
        accesses + self.alternatives.len() + self.bindings.len() + self.returns.len() + self.call_count()
    }

    /// Returns the number of definitions, including the file itself.
    pub fn definition_count(&self) -> usize {
        self.definitions.len() - 1
    }

    fn name(&self, number: u32) -> Symbol {
        self.symbols[number as usize]
    }

    /// Iterates over the numbers of all definitions.
    pub(super) fn definition_ids(&self) -> impl DoubleEndedIterator<Item = LocalId> + use<> {
        (0..self.definition_count()).map(LocalId::new)
    }

    pub(super) fn definition(&self, id: LocalId) -> FileDefinition<'a> {
        let (row, next) = (&self.definitions[id.index()], &self.definitions[id.index() + 1]);
        FileDefinition {
            kind: kind(row),
            name: self.name(row.name),
            qualified_name: self.name(row.qualified_name),
            parent: row.parent,
            receiver: some(row.receiver).map(VariableId),
            receiver_is_parameter: row.receiver_is_parameter != 0,
            receives_type: row.receives_type != 0,
            is_test: row.marks & TEST != 0,
            is_private: row.marks & PRIVATE != 0,
            is_property: row.marks & PROPERTY != 0,
            bases: &self.bases[row.first_base as usize..next.first_base as usize],
            owner: some(row.owner).map(ValueId),
            returns: some(row.returns).map(ValueId),
        }
    }

    /// Iterates over the names of all methods outside tests.
    pub(super) fn program_methods(&self) -> impl Iterator<Item = Symbol> + use<'a> {
        let is_method = |row: &&DefinitionFacts| kind(row) == DefinitionKind::Method && row.marks & TEST == 0;
        let facts = *self;
        self.definitions[..self.definition_count()].iter().filter(is_method).map(move |row| facts.name(row.name))
    }

    /// Returns the kind of a definition.
    pub(super) fn kind(&self, id: LocalId) -> DefinitionKind {
        kind(&self.definitions[id.index()])
    }

    /// Iterates over the parameters of a definition, in order: variable and name.
    pub(super) fn parameters(
        &self,
        id: LocalId,
    ) -> impl ExactSizeIterator<Item = (VariableId, Symbol)> + Clone + use<'a> {
        let (first, end) =
            (self.definitions[id.index()].first_parameter, self.definitions[id.index() + 1].first_parameter);
        let symbols = self.symbols;
        let rows = self.parameters[first as usize..end as usize].iter();
        rows.map(move |row| (row.variable, symbols[row.name as usize]))
    }

    /// Iterates over the signature of a definition: name, declared type and form of each parameter.
    pub(super) fn signature(&self, id: LocalId) -> impl ExactSizeIterator<Item = FileParameter> + Clone + use<'a> {
        let (first, end) =
            (self.definitions[id.index()].first_parameter, self.definitions[id.index() + 1].first_parameter);
        let symbols = self.symbols;
        self.parameters[first as usize..end as usize].iter().map(move |row| FileParameter {
            name: symbols[row.name as usize],
            declared: some(row.declared).map(ValueId),
            is_optional: row.flags & OPTIONAL != 0,
            is_variadic: row.flags & VARIADIC != 0,
            is_extended: row.flags & EXTENDED != 0,
        })
    }

    /// Checks whether a call may write the object of a function's first parameter before its name.
    pub(super) fn is_extension(&self, id: LocalId) -> bool {
        self.signature(id).next().is_some_and(|first| first.is_extended)
    }

    /// Checks whether the file has a function that [`Self::is_extension`].
    pub(super) fn has_extensions(&self) -> bool {
        self.parameters.iter().any(|row| row.flags & EXTENDED != 0)
    }

    /// Checks whether one of `names` occurs in the file.
    pub(super) fn mentions(&self, names: &FxHashSet<Symbol>) -> bool {
        self.symbols.iter().any(|symbol| names.contains(symbol))
    }

    /// Returns the name of a variable.
    pub(super) fn variable_name(&self, id: VariableId) -> Symbol {
        self.name(self.variables[id.index()].name)
    }

    /// Returns the scope of a variable.
    pub(super) fn variable_scope(&self, id: VariableId) -> LocalId {
        self.variables[id.index()].scope
    }

    /// Iterates over all variables: number, scope and name.
    pub(super) fn variables(&self) -> impl ExactSizeIterator<Item = (VariableId, LocalId, Symbol)> + use<'a> {
        let symbols = self.symbols;
        let rows = self.variables.iter().enumerate();
        rows.map(move |(number, row)| (VariableId::new(number), row.scope, symbols[row.name as usize]))
    }

    /// Iterates over the numbers of all values.
    pub(super) fn value_ids(&self) -> impl Iterator<Item = ValueId> + use<> {
        (0..self.values.len()).map(ValueId::new)
    }

    #[inline]
    pub(super) fn value(&self, id: ValueId) -> FileValue<'a> {
        let ValueFacts { what, other } = self.values[id.index()];
        let first = what >> TAG_BITS;
        match what & ((1 << TAG_BITS) - 1) {
            FOREIGN => FileValue::Foreign,
            VARIABLE => FileValue::Variable(VariableId(first)),
            FREE => FileValue::Free { symbol: self.name(other), scope: LocalId(first) },
            ACCESS => FileValue::Access(ValueId(first), self.name(other)),
            CALL => FileValue::Call(CallId(first)),
            DEFINITION => FileValue::Definition(LocalId(first)),
            ANY => FileValue::Any(&self.alternatives[first as usize..(first + other) as usize]),
            INSTANCE => FileValue::Instance(ValueId(first)),
            SUPER => FileValue::Super(LocalId(first)),
            SELF_TYPE => FileValue::SelfType(LocalId(first)),
            LITERAL => FileValue::Literal(self.name(other)),
            OPERATION => FileValue::Operation(ValueId(first), ValueId(other)),
            ELEMENT => FileValue::Element(ValueId(first)),
            _ => FileValue::Unknown,
        }
    }

    /// Iterates over all assignments: target and value.
    pub(super) fn bindings(&self) -> impl Iterator<Item = (AssignmentTarget, ValueId)> + use<'a> {
        let symbols = self.symbols;
        self.bindings.iter().map(move |row| match some(row.name) {
            Some(name) => (AssignmentTarget::Member(ValueId(row.object), symbols[name as usize]), row.value),
            None => (AssignmentTarget::Variable(VariableId(row.object)), row.value),
        })
    }

    /// Iterates over the numbers of all calls.
    pub(super) fn call_ids(&self) -> impl Iterator<Item = CallId> + use<> {
        (0..self.call_count()).map(CallId::new)
    }

    /// Returns the number of calls, without those of operators.
    pub(super) fn call_count(&self) -> usize {
        self.places.len() - self.operators.len()
    }

    #[inline]
    pub(super) fn call(&self, id: CallId) -> FileCall {
        let row = &self.calls[id.index()];
        let has = |bit: u32| row.flags & 1 << bit != 0;
        FileCall { scope: row.scope, callee: row.callee, creates: has(0), is_access: has(1), is_quoted: has(2) }
    }

    /// Iterates over the arguments of a call, in order. The name is `Some` for keyword arguments.
    pub(super) fn arguments(&self, id: CallId) -> impl ExactSizeIterator<Item = (Option<Symbol>, ValueId)> + use<'a> {
        let (first, end) = (self.calls[id.index()].first_argument, self.calls[id.index() + 1].first_argument);
        let symbols = self.symbols;
        let rows = self.arguments[first as usize..end as usize].iter();
        rows.map(move |row| (some(row.name).map(|name| symbols[name as usize]), row.value))
    }

    /// Iterates over the methods that operators, statements and reads of members call, with the
    /// positions.
    pub(super) fn operators(&self) -> impl Iterator<Item = (FileOperator, &'a CallPlace)> + use<'a> {
        let symbols = self.symbols;
        self.operators.iter().zip(&self.places[self.call_count()..]).map(move |(row, place)| {
            let (name, is_read) = (symbols[row.name as usize], row.is_read != 0);
            (FileOperator { scope: row.scope, object: row.object, name, is_read }, place)
        })
    }

    /// Returns the positions of all calls, indexed by call number, and after these the positions of
    /// all operators.
    pub fn places(&self) -> &'a [CallPlace] {
        self.places
    }

    /// Iterates over the returned values, each with the definition that returns it.
    pub(super) fn returns(&self) -> impl Iterator<Item = (LocalId, ValueId)> + use<'a> {
        self.returns.iter().map(|row| (row.definition, row.value))
    }

    /// Returns the value that the file exports as a whole, if it is written as a name or as a
    /// definition, and is no function of the file. Only types have members that matter elsewhere.
    pub(super) fn exported_value(&self) -> Option<ValueId> {
        let of_file = |&(definition, _): &(LocalId, ValueId)| definition == LocalId::FILE;
        let (_, value) = self.returns().find(of_file)?;
        let is_function = match self.value(value) {
            FileValue::Definition(id) => self.kind(id).is_function(),
            FileValue::Variable(variable) => {
                let name = self.variable_name(variable);
                self.definition_ids().any(|id| self.definition(id).name == name && self.kind(id).is_function())
            }
            _ => true,
        };
        (!is_function).then_some(value)
    }

    /// Returns the package that the file declares for its directory; see
    /// [`whichfn_syntax::parse::ValueFlow::package`].
    pub(super) fn package(&self) -> &'a str {
        self.package
    }

    /// Iterates over all imports.
    pub(super) fn imports(&self) -> impl Iterator<Item = FileImport<'a>> + use<'a> {
        let facts = *self;
        (0..facts.imports.len()).map(move |number| facts.import(number))
    }

    pub(super) fn import(&self, number: usize) -> FileImport<'a> {
        let row = &self.imports[number];
        let (first, path_end) = (row.first_byte as usize, (row.first_byte + row.path_bytes) as usize);
        let full_path = self.text.get(first..path_end + row.name_bytes as usize).unwrap_or_default();
        let path = self.text.get(first..path_end).unwrap_or_default();
        FileImport {
            path: ModulePath { symbol: self.name(row.path), count: row.parts, text: path },
            full_path: ModulePath { symbol: self.name(row.full_path), count: row.parts + 1, text: full_path },
            level: row.level as u8,
            name: some(row.name).map(|name| self.name(name)),
            variable: some(row.variable).map(VariableId),
            is_shared: row.level & SHARED != 0,
        }
    }
}

fn some(number: u32) -> Option<u32> {
    (number != NONE).then_some(number)
}

pub(super) fn kind(row: &DefinitionFacts) -> DefinitionKind {
    DefinitionKind::from_number(row.kind).unwrap_or(DefinitionKind::Text)
}
