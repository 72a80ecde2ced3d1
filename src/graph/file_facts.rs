//! What linking takes from one file, as flat tables that are used where they lie: in memory after parsing, mapped after that.
//!
//! ```text
//! by table: its number of rows, u32 each | the tables one after another, those of wider rows first | padded to 8 bytes
//! ```
//! A name is a number of the table of symbols. Rows that have a list (parameters, bases, arguments, alternatives) say where it
//! begins in the table of all lists of that kind; it ends where that of the next row begins. Numbers are in the machine's own
//! byte order: a cache does not travel.
//!
//! Price:    about 20 bytes a value; opening takes no time, however long the file is
//! Why not:  [`Facts`] themselves, packed: reading them back took a seventh of a link, and an allocation for each call

use crate::ids::{CallId, LocalId, ValueId, VariableId};
use crate::lang::DefinitionKind;
use crate::parse::{AssignmentTarget, Binding, Facts, Import, Symbol, SymbolicValue, symbol};
use bytemuck::{Pod, Zeroable};
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::Xxh3;

/// Stands between the parts of a module path.
const BETWEEN: char = '\u{1f}';
/// The number that stands for none.
const NONE: u32 = u32::MAX;

/// A definition. A last row, of no definition, says where the lists of the one before it end.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct DefinitionFacts {
    name: u32,
    qualified_name: u32,
    parent: LocalId,
    receiver: u32,
    owner: u32,
    first_parameter: u32,
    first_base: u32,
    kind: u8,
    receiver_is_parameter: u8,
    receives_type: u8,
    spare: u8,
}

/// A parameter.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct ParameterFacts {
    variable: VariableId,
    name: u32,
}

/// A name in a scope.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct VariableFacts {
    scope: LocalId,
    name: u32,
}

/// A value: what it is, and two numbers that mean what that says. The upper 28 bits of `what` are the first of them.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct ValueFacts {
    what: u32,
    other: u32,
}

/// An assignment: to `object.name`, or to the variable `object` if the name is none.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct BindingFacts {
    object: u32,
    name: u32,
    value: ValueId,
}

/// A call. A last row, of no call, says where the arguments of the one before it end.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct CallFacts {
    scope: LocalId,
    callee: ValueId,
    first_argument: u32,
}

/// The place of a call: kept apart, because linking does not look at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct CallPlace {
    /// Its syntax node, by the number in the file's tree.
    pub node: u32,
    /// How many named nodes are around that node.
    pub depth: u32,
    /// The line it starts on, from 1.
    pub line: u32,
}

/// An argument.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct ArgumentFacts {
    name: u32,
    value: ValueId,
}

/// A value that a definition returns.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct ReturnFacts {
    definition: LocalId,
    value: ValueId,
}

/// An import. Its path, then its name are text; `path` and `whole` are the symbols of the path and of the path with the name.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct ImportFacts {
    first_byte: u32,
    path_bytes: u32,
    name_bytes: u32,
    parts: u32,
    path: u32,
    whole: u32,
    name: u32,
    variable: u32,
    level: u32,
}

/// How many rows each table has, in the order in which they lie; symbols are eight bytes and come first, text comes last.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct TableLengths {
    symbols: u32,
    definitions: u32,
    parameters: u32,
    bases: u32,
    variables: u32,
    values: u32,
    alternatives: u32,
    bindings: u32,
    calls: u32,
    arguments: u32,
    returns: u32,
    imports: u32,
    places: u32,
    text: u32,
}

/// A definition, as linking sees it.
#[derive(Debug, Clone, Copy)]
pub(super) struct FileDefinition<'a> {
    pub kind: DefinitionKind,
    /// Its own name; see [`crate::parse::Definition`] for this and what follows.
    pub name: Symbol,
    pub qualified_name: Symbol,
    pub parent: LocalId,
    pub receiver: Option<VariableId>,
    pub receiver_is_parameter: bool,
    pub receives_type: bool,
    pub bases: &'a [ValueId],
    pub owner: Option<ValueId>,
}

/// How a value comes about: see [`SymbolicValue`].
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
    Unknown,
}

/// A call site.
#[derive(Debug, Clone, Copy)]
pub(super) struct FileCall {
    /// The definition around it.
    pub scope: LocalId,
    /// The value that is called.
    pub callee: ValueId,
}

/// An import.
#[derive(Debug, Clone, Copy)]
pub(super) struct FileImport<'a> {
    pub path: ModulePath<'a>,
    /// The same with the imported name at its end.
    pub whole: ModulePath<'a>,
    /// See [`crate::parse::Import`].
    pub level: u8,
    pub name: Option<Symbol>,
    pub variable: Option<VariableId>,
}

/// The parts of a module path.
#[derive(Debug, Clone, Copy)]
pub(super) struct ModulePath<'a> {
    /// Stands for all of it: equal paths have equal symbols.
    pub symbol: Symbol,
    count: u32,
    text: &'a str,
}

impl<'a> ModulePath<'a> {
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The parts, in order.
    pub fn parts(&self) -> Vec<&'a str> {
        if self.is_empty() { Vec::new() } else { self.text.split(BETWEEN).collect() }
    }

    /// The first part.
    pub fn first(&self) -> Option<&'a str> {
        if self.is_empty() { None } else { self.text.split(BETWEEN).next() }
    }
}

/// What linking takes from a file.
#[derive(Debug, Clone, Copy)]
pub struct FileFacts<'a> {
    symbols: &'a [Symbol],
    definitions: &'a [DefinitionFacts],
    parameters: &'a [ParameterFacts],
    bases: &'a [ValueId],
    variables: &'a [VariableFacts],
    values: &'a [ValueFacts],
    alternatives: &'a [ValueId],
    bindings: &'a [BindingFacts],
    calls: &'a [CallFacts],
    arguments: &'a [ArgumentFacts],
    returns: &'a [ReturnFacts],
    imports: &'a [ImportFacts],
    places: &'a [CallPlace],
    text: &'a str,
}

/// Takes the rows of a table off the front of what is left.
fn table<'a, T: Pod>(rest: &mut &'a [u8], count: u32) -> Option<&'a [T]> {
    let (rows, after) = rest.split_at_checked(size_of::<T>().checked_mul(count as usize)?)?;
    *rest = after;
    bytemuck::try_cast_slice(rows).ok()
}

impl<'a> FileFacts<'a> {
    /// What is seen of a file that is not linked: the file, as a module that holds nothing.
    pub const NOTHING: FileFacts<'static> = {
        const fn row(kind: DefinitionKind) -> DefinitionFacts {
            DefinitionFacts {
                name: 0,
                qualified_name: 0,
                parent: LocalId::FILE,
                receiver: NONE,
                owner: NONE,
                first_parameter: 0,
                first_base: 0,
                kind: kind as u8,
                receiver_is_parameter: 0,
                receives_type: 0,
                spare: 0,
            }
        }
        FileFacts {
            // XXH3 of nothing, with seed 0.
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
            returns: &[],
            imports: &[],
            places: &[],
            text: "",
        }
    };

    /// Of a file as [`PackedFacts::bytes`] are; none if these are no such bytes, or do not begin at a multiple of eight.
    pub fn read(bytes: &'a [u8]) -> Option<Self> {
        let mut rest = bytes;
        let counts: TableLengths = *table(&mut rest, 1)?.first()?;
        let rest = &mut rest;
        let facts = Self {
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
            returns: table(rest, counts.returns)?,
            imports: table(rest, counts.imports)?,
            places: table(rest, counts.places)?,
            text: std::str::from_utf8(table(rest, counts.text)?).ok()?,
        };
        (facts.definitions.len() > 1 && !facts.calls.is_empty()).then_some(facts)
    }

    /// How many definitions, variables, values and calls there are.
    pub(super) fn counts(&self) -> [usize; 4] {
        [self.definition_count(), self.variables.len(), self.values.len(), self.places.len()]
    }

    /// How many definitions there are, the file among them.
    pub fn definition_count(&self) -> usize {
        self.definitions.len() - 1
    }

    fn name(&self, number: u32) -> Symbol {
        self.symbols[number as usize]
    }

    /// The numbers of all definitions.
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
            bases: &self.bases[row.first_base as usize..next.first_base as usize],
            owner: some(row.owner).map(ValueId),
        }
    }

    /// What a definition is.
    pub(super) fn kind(&self, id: LocalId) -> DefinitionKind {
        kind(&self.definitions[id.index()])
    }

    /// The parameters of a definition, in order: variable and name.
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

    /// All variables: scope and name.
    pub(super) fn variables(&self) -> impl ExactSizeIterator<Item = (VariableId, LocalId, Symbol)> + use<'a> {
        let symbols = self.symbols;
        let rows = self.variables.iter().enumerate();
        rows.map(move |(number, row)| (VariableId::new(number), row.scope, symbols[row.name as usize]))
    }

    /// The numbers of all values.
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
            _ => FileValue::Unknown,
        }
    }

    /// All assignments: target and value.
    pub(super) fn bindings(&self) -> impl Iterator<Item = (AssignmentTarget, ValueId)> + use<'a> {
        let symbols = self.symbols;
        self.bindings.iter().map(move |row| match some(row.name) {
            Some(name) => (AssignmentTarget::Member(ValueId(row.object), symbols[name as usize]), row.value),
            None => (AssignmentTarget::Variable(VariableId(row.object)), row.value),
        })
    }

    /// The numbers of all calls.
    pub(super) fn call_ids(&self) -> impl Iterator<Item = CallId> + use<> {
        (0..self.places.len()).map(CallId::new)
    }

    #[inline]
    pub(super) fn call(&self, id: CallId) -> FileCall {
        let row = &self.calls[id.index()];
        FileCall { scope: row.scope, callee: row.callee }
    }

    /// The arguments of a call in order; with a name, those that are passed by name.
    pub(super) fn arguments(&self, id: CallId) -> impl ExactSizeIterator<Item = (Option<Symbol>, ValueId)> + use<'a> {
        let (first, end) = (self.calls[id.index()].first_argument, self.calls[id.index() + 1].first_argument);
        let symbols = self.symbols;
        let rows = self.arguments[first as usize..end as usize].iter();
        rows.map(move |row| (some(row.name).map(|name| symbols[name as usize]), row.value))
    }

    /// Where the calls stand, by their number.
    pub fn places(&self) -> &'a [CallPlace] {
        self.places
    }

    /// What definitions return.
    pub(super) fn returns(&self) -> impl Iterator<Item = (LocalId, ValueId)> + use<'a> {
        self.returns.iter().map(|row| (row.definition, row.value))
    }

    /// How many imports there are.
    pub(super) fn import_count(&self) -> usize {
        self.imports.len()
    }

    pub(super) fn import(&self, number: usize) -> FileImport<'a> {
        let row = &self.imports[number];
        let (first, path_end) = (row.first_byte as usize, (row.first_byte + row.path_bytes) as usize);
        let whole = self.text.get(first..path_end + row.name_bytes as usize).unwrap_or_default();
        let path = self.text.get(first..path_end).unwrap_or_default();
        FileImport {
            path: ModulePath { symbol: self.name(row.path), count: row.parts, text: path },
            whole: ModulePath { symbol: self.name(row.whole), count: row.parts + 1, text: whole },
            level: row.level as u8,
            name: some(row.name).map(|name| self.name(name)),
            variable: some(row.variable).map(VariableId),
        }
    }
}

fn some(number: u32) -> Option<u32> {
    (number != NONE).then_some(number)
}

fn kind(row: &DefinitionFacts) -> DefinitionKind {
    DefinitionKind::from_number(row.kind).unwrap_or(DefinitionKind::Text)
}

const TAG_BITS: u32 = 4;
const UNKNOWN: u32 = 0;
const FOREIGN: u32 = 1;
const VARIABLE: u32 = 2;
const FREE: u32 = 3;
const ACCESS: u32 = 4;
const CALL: u32 = 5;
const DEFINITION: u32 = 6;
const ANY: u32 = 7;
const INSTANCE: u32 = 8;
const SUPER: u32 = 9;
const SELF_TYPE: u32 = 10;

/// What linking takes from a file, as bytes to be stored.
#[derive(Debug, Clone, Default)]
pub struct PackedFacts {
    /// In words, so that the bytes begin at a multiple of eight.
    words: Vec<u64>,
    digest: u64,
}

impl PackedFacts {
    /// Of parsed facts.
    pub fn new(facts: &Facts) -> Self {
        Packer::default().pack(facts)
    }

    fn join(tables: &[&[u8]], places: &[u8], text: &[u8]) -> Self {
        let mut hasher = Xxh3::new();
        let all = || tables.iter().copied().chain([places, text]);
        let mut words = vec![0u64; all().map(<[u8]>::len).sum::<usize>().div_ceil(size_of::<u64>())];
        let (bytes, mut at): (&mut [u8], usize) = (bytemuck::cast_slice_mut(&mut words), 0);
        for table in all() {
            bytes[at..at + table.len()].copy_from_slice(table);
            at += table.len();
        }
        tables.iter().chain([&text]).for_each(|table| hasher.update(table));
        Self { words, digest: hasher.digest() }
    }

    /// What is stored.
    pub fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(&self.words)
    }

    /// The tables.
    pub fn facts(&self) -> FileFacts<'_> {
        FileFacts::read(self.bytes()).unwrap_or(FileFacts::NOTHING)
    }

    /// A digest of all that linking takes from a file: not lines, nodes, words or docs. A change that keeps it (a
    /// comment, a string, a number, the layout) keeps every call of the repository.
    pub fn digest(&self) -> u64 {
        self.digest
    }
}

/// Tables in the making.
#[derive(Default)]
struct Packer {
    symbols: Vec<Symbol>,
    numbers: FxHashMap<Symbol, u32>,
    parameters: Vec<ParameterFacts>,
    bases: Vec<ValueId>,
    alternatives: Vec<ValueId>,
    arguments: Vec<ArgumentFacts>,
    text: String,
}

impl Packer {
    fn pack(mut self, facts: &Facts) -> PackedFacts {
        let flow = &facts.flow;
        let definitions = self.definitions(facts);
        let calls = self.calls(facts);
        let variables: Vec<_> =
            flow.variables.iter().map(|v| VariableFacts { scope: v.scope, name: self.number(v.symbol) }).collect();
        let values: Vec<_> = flow.values.iter().map(|value| self.value(value)).collect();
        let bindings: Vec<_> = flow.bindings.iter().map(|binding| self.binding(binding)).collect();
        let returns: Vec<_> =
            flow.returns.iter().map(|r| ReturnFacts { definition: r.definition, value: r.value }).collect();
        let imports: Vec<_> = flow.imports.iter().map(|import| self.import(import)).collect();
        let places: Vec<_> =
            flow.calls.iter().map(|c| CallPlace { node: c.node, depth: c.depth, line: c.line }).collect();
        let count = |length: usize| length as u32;
        let counts = TableLengths {
            symbols: count(self.symbols.len()),
            definitions: count(definitions.len()),
            parameters: count(self.parameters.len()),
            bases: count(self.bases.len()),
            variables: count(variables.len()),
            values: count(values.len()),
            alternatives: count(self.alternatives.len()),
            bindings: count(bindings.len()),
            calls: count(calls.len()),
            arguments: count(self.arguments.len()),
            returns: count(returns.len()),
            imports: count(imports.len()),
            text: count(self.text.len()),
            places: count(places.len()),
        };
        PackedFacts::join(
            &[
                bytemuck::bytes_of(&counts),
                bytemuck::cast_slice(&self.symbols),
                bytemuck::cast_slice(&definitions),
                bytemuck::cast_slice(&self.parameters),
                bytemuck::cast_slice(&self.bases),
                bytemuck::cast_slice(&variables),
                bytemuck::cast_slice(&values),
                bytemuck::cast_slice(&self.alternatives),
                bytemuck::cast_slice(&bindings),
                bytemuck::cast_slice(&calls),
                bytemuck::cast_slice(&self.arguments),
                bytemuck::cast_slice(&returns),
                bytemuck::cast_slice(&imports),
            ],
            bytemuck::cast_slice(&places),
            self.text.as_bytes(),
        )
    }

    /// The number of a name.
    fn number(&mut self, symbol: Symbol) -> u32 {
        let next = self.symbols.len() as u32;
        let number = *self.numbers.entry(symbol).or_insert(next);
        if number == next {
            self.symbols.push(symbol);
        }
        number
    }

    fn definitions(&mut self, facts: &Facts) -> Vec<DefinitionFacts> {
        let mut rows = Vec::with_capacity(facts.definitions.len() + 1);
        for definition in &facts.definitions {
            rows.push(DefinitionFacts {
                name: self.number(symbol(&definition.name)),
                qualified_name: self.number(symbol(&definition.qualified_name)),
                parent: definition.parent,
                receiver: definition.receiver.map_or(NONE, |variable| variable.0),
                owner: definition.owner.map_or(NONE, |value| value.0),
                first_parameter: self.parameters.len() as u32,
                first_base: self.bases.len() as u32,
                kind: definition.kind as u8,
                receiver_is_parameter: u8::from(definition.receiver_is_parameter),
                receives_type: u8::from(definition.receives_type),
                spare: 0,
            });
            for parameter in &definition.parameters {
                let name = self.number(parameter.symbol);
                self.parameters.push(ParameterFacts { variable: parameter.variable, name });
            }
            self.bases.extend(&definition.bases);
        }
        let end = (self.parameters.len() as u32, self.bases.len() as u32);
        rows.push(DefinitionFacts { first_parameter: end.0, first_base: end.1, ..DefinitionFacts::zeroed() });
        rows
    }

    fn calls(&mut self, facts: &Facts) -> Vec<CallFacts> {
        let mut rows = Vec::with_capacity(facts.flow.calls.len() + 1);
        for call in &facts.flow.calls {
            rows.push(CallFacts {
                scope: call.scope,
                callee: call.callee,
                first_argument: self.arguments.len() as u32,
            });
            for &(name, value) in &call.arguments {
                let name = name.map_or(NONE, |name| self.number(name));
                self.arguments.push(ArgumentFacts { name, value });
            }
        }
        rows.push(CallFacts { first_argument: self.arguments.len() as u32, ..CallFacts::zeroed() });
        rows
    }

    fn value(&mut self, value: &SymbolicValue) -> ValueFacts {
        let (tag, first, other) = match value {
            SymbolicValue::Unknown => (UNKNOWN, 0, 0),
            SymbolicValue::Foreign => (FOREIGN, 0, 0),
            SymbolicValue::Variable(variable) => (VARIABLE, variable.0, 0),
            SymbolicValue::Free { symbol, scope } => (FREE, scope.0, self.number(*symbol)),
            SymbolicValue::Access(object, name) => (ACCESS, object.0, self.number(*name)),
            SymbolicValue::Call(call) => (CALL, call.0, 0),
            SymbolicValue::Definition(id) => (DEFINITION, id.0, 0),
            SymbolicValue::Any(values) => {
                let first = self.alternatives.len() as u32;
                self.alternatives.extend(values);
                (ANY, first, values.len() as u32)
            }
            SymbolicValue::Instance(of) => (INSTANCE, of.0, 0),
            SymbolicValue::Super(scope) => (SUPER, scope.0, 0),
            SymbolicValue::SelfType(scope) => (SELF_TYPE, scope.0, 0),
        };
        // A file of so many values has more than 268 million bytes.
        let what = if first < 1 << (u32::BITS - TAG_BITS) { tag | first << TAG_BITS } else { UNKNOWN };
        ValueFacts { what, other }
    }

    fn binding(&mut self, binding: &Binding) -> BindingFacts {
        let value = binding.value;
        match binding.target {
            AssignmentTarget::Variable(variable) => BindingFacts { object: variable.0, name: NONE, value },
            AssignmentTarget::Member(object, name) => BindingFacts { object: object.0, name: self.number(name), value },
        }
    }

    fn import(&mut self, import: &Import) -> ImportFacts {
        let first = self.text.len();
        for (number, part) in import.path.iter().enumerate() {
            if number > 0 {
                self.text.push(BETWEEN);
            }
            self.text.push_str(part);
        }
        let path_end = self.text.len();
        if let Some(name) = &import.name {
            if !import.path.is_empty() {
                self.text.push(BETWEEN);
            }
            self.text.push_str(name);
        }
        let (path, whole) = (symbol(&self.text[first..path_end]), symbol(&self.text[first..]));
        ImportFacts {
            first_byte: first as u32,
            path_bytes: (path_end - first) as u32,
            name_bytes: (self.text.len() - path_end) as u32,
            parts: import.path.len() as u32,
            path: self.number(path),
            whole: self.number(whole),
            name: import.name.as_ref().map_or(NONE, |name| self.number(symbol(name))),
            variable: import.variable.map_or(NONE, |variable| variable.0),
            level: u32::from(import.level),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::IdVec;
    use crate::parse::{Call, Definition, Parameter, Return, Span, ValueFlow, Variable};

    /// A file with something in every table.
    fn facts() -> Facts {
        let mut module = Definition::new(DefinitionKind::Module, Span::default());
        module.owner = Some(ValueId(3));
        let mut method = Definition::new(DefinitionKind::Method, Span::default());
        (method.name, method.qualified_name) = ("renew".into(), "Session.renew".into());
        (method.receiver, method.receives_type) = (Some(VariableId(1)), true);
        method.parameters = vec![Parameter { variable: VariableId(0), symbol: symbol("token") }];
        method.bases = vec![ValueId(2), ValueId(4)];
        let values = [
            SymbolicValue::Unknown,
            SymbolicValue::Foreign,
            SymbolicValue::Variable(VariableId(1)),
            SymbolicValue::Free { symbol: symbol("open"), scope: LocalId(1) },
            SymbolicValue::Access(ValueId(3), symbol("token")),
            SymbolicValue::Call(CallId(0)),
            SymbolicValue::Definition(LocalId(1)),
            SymbolicValue::Any(vec![]),
            SymbolicValue::Any(vec![ValueId(1), ValueId(4)]),
            SymbolicValue::Instance(ValueId(2)),
            SymbolicValue::Super(LocalId(1)),
            SymbolicValue::SelfType(LocalId(1)),
        ];
        let import = |path: &[&str], name: Option<&str>, variable| Import {
            path: path.iter().map(|part| (*part).to_owned()).collect(),
            level: 2,
            name: name.map(str::to_owned),
            variable,
        };
        let call = |line, arguments| Call { scope: LocalId(1), callee: ValueId(4), arguments, node: 7, depth: 2, line };
        let flow = ValueFlow {
            variables: [LocalId(0), LocalId(1)]
                .map(|scope| Variable { scope, symbol: symbol("token") })
                .to_vec()
                .into(),
            values: values.to_vec().into(),
            bindings: vec![
                Binding { target: AssignmentTarget::Variable(VariableId(1)), value: ValueId(6) },
                Binding { target: AssignmentTarget::Member(ValueId(2), symbol("age")), value: ValueId(1) },
            ],
            calls: vec![call(3, vec![]), call(4, vec![(None, ValueId(1)), (Some(symbol("token")), ValueId(2))])].into(),
            returns: vec![Return { definition: LocalId(1), value: ValueId(5) }],
            imports: vec![
                import(&[], None, None),
                import(&["a", "größe"], Some("b"), Some(VariableId(0))),
                import(&[], Some("thing"), None),
            ],
        };
        let definitions: IdVec<LocalId, Definition> = vec![module, method].into();
        Facts { lines: 9, nodes: 9, definitions, flow, syntax: Vec::new(), has_errors: false }
    }

    #[test]
    fn every_table_is_read_back_as_it_was() {
        let (facts, packed) = (facts(), PackedFacts::new(&facts()));
        let file = packed.facts();
        assert_eq!(file.counts(), [2, 2, 12, 2]);
        for (id, was) in facts.definitions.enumerate() {
            let is = file.definition(id);
            assert_eq!((is.kind, is.parent, is.receiver, is.owner), (was.kind, was.parent, was.receiver, was.owner));
            assert_eq!((is.name, is.qualified_name), (symbol(&was.name), symbol(&was.qualified_name)));
            assert_eq!((is.receives_type, is.receiver_is_parameter), (was.receives_type, was.receiver_is_parameter));
            assert_eq!(is.bases, was.bases);
            let parameters: Vec<_> = was.parameters.iter().map(|p| (p.variable, p.symbol)).collect();
            assert_eq!(file.parameters(id).collect::<Vec<_>>(), parameters);
        }
        let variables: Vec<_> = facts.flow.variables.enumerate().map(|(id, v)| (id, v.scope, v.symbol)).collect();
        assert_eq!(file.variables().collect::<Vec<_>>(), variables);
        for (id, was) in facts.flow.values.enumerate() {
            assert_eq!(format!("{:?}", file.value(id)), format!("{was:?}"));
        }
        let bindings: Vec<_> = facts.flow.bindings.iter().map(|b| (b.target, b.value)).collect();
        assert_eq!(file.bindings().collect::<Vec<_>>(), bindings);
        for (id, was) in facts.flow.calls.enumerate() {
            assert_eq!((file.call(id).scope, file.call(id).callee), (was.scope, was.callee));
            assert_eq!(file.arguments(id).collect::<Vec<_>>(), was.arguments);
            assert_eq!(file.places()[id.index()], CallPlace { node: was.node, depth: was.depth, line: was.line });
        }
        assert_eq!(file.returns().collect::<Vec<_>>(), [(LocalId(1), ValueId(5))]);
        for (number, was) in facts.flow.imports.iter().enumerate() {
            let is = file.import(number);
            let whole: Vec<&str> = was.path.iter().chain(&was.name).map(String::as_str).collect();
            assert_eq!((is.level, is.variable, is.name), (2, was.variable, was.name.as_deref().map(symbol)));
            assert_eq!(
                (is.path.parts(), is.path.first()),
                (was.path.iter().map(String::as_str).collect(), was.path.first().map(String::as_str))
            );
            assert!(is.name.is_none() || is.whole.parts() == whole);
        }
    }

    #[test]
    fn the_digest_sees_all_but_where_calls_stand() {
        let digest = |change: fn(&mut Facts)| {
            let mut facts = facts();
            change(&mut facts);
            PackedFacts::new(&facts).digest()
        };
        let as_it_is = digest(|_| ());
        assert_eq!(as_it_is, digest(|facts| facts.flow.calls = moved(&facts.flow.calls)));
        assert_ne!(as_it_is, digest(|facts| facts.flow.imports[1].path[0] = "z".into()));
        assert_ne!(as_it_is, digest(|facts| facts.flow.imports[1].level = 1));
        assert_ne!(as_it_is, digest(|facts| facts.definitions[LocalId(1)].receives_type = false));
        assert_ne!(as_it_is, digest(|facts| facts.flow.bindings.truncate(1)));
    }

    fn moved(calls: &IdVec<CallId, Call>) -> IdVec<CallId, Call> {
        calls.iter().map(|call| Call { node: call.node + 1, line: call.line + 1, ..call.clone() }).collect()
    }

    #[test]
    fn bytes_that_are_cut_off_are_no_facts() {
        let packed = PackedFacts::new(&facts());
        assert!(FileFacts::read(packed.bytes()).is_some());
        assert!((0..packed.bytes().len() / 2).all(|end| FileFacts::read(&packed.bytes()[..end]).is_none()));
        assert_eq!(FileFacts::NOTHING.definition(LocalId::FILE).name, symbol(""));
    }
}
