//! Packs the facts of a parsed file that linking uses into the tables of [`super::file_facts`].

use super::fact_rows::*;
use super::fact_tables::FactTables;
use super::file_facts::FileFacts;
use bytemuck::Zeroable;
use rustc_hash::FxHashMap;
use whichfn_syntax::ids::ValueId;
use whichfn_syntax::parse::{AssignmentTarget, Binding, Facts, Import, OperatorCall, Symbol, SymbolicValue, symbol};
use xxhash_rust::xxh3::Xxh3;

/// The facts of a file that linking uses, with their digest.
#[derive(Debug, Clone, Default)]
pub struct PackedFacts {
    tables: FactTables,
    digest: u64,
}

impl PackedFacts {
    /// Packs parsed facts.
    pub fn new(facts: &Facts) -> Self {
        let packed = Packer::default().pack(facts);
        debug_assert!(FileFacts::read_checked(packed.tables.bytes()).is_some(), "the index would be rejected");
        packed
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
        Self { tables: FactTables { words }, digest: hasher.digest() }
    }

    /// Returns the bytes to store, which [`FactTables::read`] reads.
    pub fn stored(&self) -> Vec<u8> {
        self.tables.stored()
    }

    /// Returns a view of the tables.
    pub fn facts(&self) -> FileFacts<'_> {
        self.tables.facts().unwrap_or(FileFacts::NOTHING)
    }

    /// Returns a digest of everything that linking uses, which excludes lines, nodes, words and
    /// documentation. A change that preserves the digest (of a comment, a string, a number, or the
    /// layout) preserves every call of the repository.
    pub fn digest(&self) -> u64 {
        self.digest
    }
}

/// Builds the tables.
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
        self.text.push_str(&flow.package);
        let definitions = self.definitions(facts);
        let calls = self.calls(facts);
        let variables: Vec<_> =
            flow.variables.iter().map(|v| VariableFacts { scope: v.scope, name: self.number(v.symbol) }).collect();
        let values: Vec<_> = flow.values.iter().map(|value| self.value(value)).collect();
        let bindings: Vec<_> = flow.bindings.iter().map(|binding| self.binding(binding)).collect();
        let returns: Vec<_> =
            flow.returns.iter().map(|r| ReturnFacts { definition: r.definition, value: r.value }).collect();
        let imports: Vec<_> = flow.imports.iter().map(|import| self.import(import)).collect();
        let operators: Vec<_> = flow.operators.iter().map(|operator| self.operator(operator)).collect();
        let of_calls = flow.calls.iter().map(|c| CallPlace { node: c.node, depth: c.depth, line: c.line });
        let of_operators = flow.operators.iter().map(|o| CallPlace { node: o.node, depth: o.depth, line: o.line });
        let places: Vec<_> = of_calls.chain(of_operators).collect();
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
            package: count(flow.package.len()),
            operators: count(operators.len()),
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
                bytemuck::cast_slice(&operators),
                bytemuck::cast_slice(&returns),
                bytemuck::cast_slice(&imports),
            ],
            bytemuck::cast_slice(&places),
            self.text.as_bytes(),
        )
    }

    /// Returns the index of a symbol in the table of symbols, and adds the symbol if it is new.
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
        let mark = |is_set, mark| if is_set { mark } else { 0 };
        for definition in &facts.definitions {
            rows.push(DefinitionFacts {
                name: self.number(symbol(&definition.name)),
                qualified_name: self.number(symbol(&definition.qualified_name)),
                parent: definition.parent,
                receiver: definition.receiver.map_or(NONE, |variable| variable.0),
                owner: definition.owner.map_or(NONE, |value| value.0),
                returns: definition.returns.map_or(NONE, |value| value.0),
                first_parameter: self.parameters.len() as u32,
                first_base: self.bases.len() as u32,
                kind: definition.kind as u8,
                receiver_is_parameter: u8::from(definition.receiver_is_parameter),
                receives_type: u8::from(definition.receives_type),
                marks: mark(definition.is_test, TEST)
                    | mark(definition.is_private, PRIVATE)
                    | mark(definition.is_property, PROPERTY),
            });
            for parameter in &definition.parameters {
                let name = self.number(parameter.symbol);
                let declared = parameter.declared.map_or(NONE, |value| value.0);
                let flag = |is_set, flag| if is_set { flag } else { 0 };
                let flags = flag(parameter.is_optional, OPTIONAL)
                    | flag(parameter.is_variadic, VARIADIC)
                    | flag(parameter.is_extended, EXTENDED);
                self.parameters.push(ParameterFacts { variable: parameter.variable, name, declared, flags });
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
                flags: u32::from(call.creates) | u32::from(call.is_access) << 1 | u32::from(call.is_quoted) << 2,
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
            SymbolicValue::Instance(type_value) => (INSTANCE, type_value.0, 0),
            SymbolicValue::Super(scope) => (SUPER, scope.0, 0),
            SymbolicValue::SelfType(scope) => (SELF_TYPE, scope.0, 0),
            SymbolicValue::Literal(name) => (LITERAL, 0, self.number(*name)),
            SymbolicValue::Operation(left, right) => (OPERATION, left.0, right.0),
            SymbolicValue::Element(array) => (ELEMENT, array.0, 0),
        };
        // The number has only 28 bits; a file that exceeds them has more than 268 million bytes.
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

    fn operator(&mut self, operator: &OperatorCall) -> OperatorFacts {
        OperatorFacts {
            scope: operator.scope,
            object: operator.object,
            name: self.number(operator.name),
            is_read: u32::from(operator.is_read),
        }
    }

    fn import(&mut self, import: &Import) -> ImportFacts {
        let first = self.text.len();
        for (number, part) in import.path.iter().enumerate() {
            if number > 0 {
                self.text.push(BETWEEN);
            }
            self.text.push_str(part);
            self.number(symbol(part));
        }
        let path_end = self.text.len();
        if let Some(name) = &import.name {
            if !import.path.is_empty() {
                self.text.push(BETWEEN);
            }
            self.text.push_str(name);
        }
        let (path, full_path) = (symbol(&self.text[first..path_end]), symbol(&self.text[first..]));
        ImportFacts {
            first_byte: first as u32,
            path_bytes: (path_end - first) as u32,
            name_bytes: (self.text.len() - path_end) as u32,
            parts: import.path.len() as u32,
            path: self.number(path),
            full_path: self.number(full_path),
            name: import.name.as_ref().map_or(NONE, |name| self.number(symbol(name))),
            variable: import.variable.map_or(NONE, |variable| variable.0),
            level: u32::from(import.level) | if import.is_shared { SHARED } else { 0 },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file_facts::FileOperator;
    use whichfn_syntax::ids::{CallId, IdVec, LocalId, VariableId};
    use whichfn_syntax::lang::DefinitionKind;
    use whichfn_syntax::parse::{Call, Definition, Parameter, Return, Span, ValueFlow, Variable};

    /// Returns the facts of a file that fills every table.
    fn facts() -> Facts {
        let mut module = Definition::new(DefinitionKind::Module, Span::default());
        module.owner = Some(ValueId(3));
        let mut method = Definition::new(DefinitionKind::Method, Span::default());
        (method.name, method.qualified_name) = ("renew".into(), "Session.renew".into());
        (method.receiver, method.receives_type) = (Some(VariableId(1)), true);
        method.parameters = vec![Parameter {
            variable: VariableId(0),
            symbol: symbol("token"),
            declared: Some(ValueId(3)),
            is_optional: false,
            is_variadic: true,
            is_extended: true,
        }];
        method.bases = vec![ValueId(2), ValueId(4)];
        method.returns = Some(ValueId(9));
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
            SymbolicValue::Literal(symbol("int")),
            SymbolicValue::Operation(ValueId(1), ValueId(2)),
            SymbolicValue::Element(ValueId(2)),
        ];
        let import = |path: &[&str], name: Option<&str>, variable| Import {
            path: path.iter().map(|part| (*part).to_owned()).collect(),
            level: 2,
            name: name.map(str::to_owned),
            variable,
            is_shared: false,
            line: 7,
        };
        let call = |line, arguments| Call {
            scope: LocalId(1),
            callee: ValueId(4),
            creates: line == 4,
            is_access: line == 5,
            is_quoted: line == 6,
            arguments,
            node: 7,
            depth: 2,
            line,
        };
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
            operators: vec![OperatorCall {
                scope: LocalId(1),
                object: ValueId(2),
                name: symbol("__add__"),
                is_read: false,
                node: 8,
                depth: 2,
                line: 5,
            }],
            returns: vec![Return { definition: LocalId(1), value: ValueId(5) }],
            imports: vec![
                import(&[], None, None),
                import(&["a", "größe"], Some("b"), Some(VariableId(0))),
                import(&[], Some("thing"), None),
            ],
            package: "größe".into(),
        };
        let definitions: IdVec<LocalId, Definition> = vec![module, method].into();
        Facts { lines: 9, nodes: 9, definitions, flow, ..Facts::default() }
    }

    #[test]
    fn tables_round_trip() {
        let (facts, packed) = (facts(), PackedFacts::new(&facts()));
        let file = packed.facts();
        assert_eq!(file.counts(), [2, 2, 15, 2]);
        assert_eq!(file.package(), "größe");
        for (id, was) in facts.definitions.enumerate() {
            let is = file.definition(id);
            assert_eq!((is.kind, is.parent, is.receiver, is.owner), (was.kind, was.parent, was.receiver, was.owner));
            assert_eq!((is.name, is.qualified_name), (symbol(&was.name), symbol(&was.qualified_name)));
            assert_eq!((is.receives_type, is.receiver_is_parameter), (was.receives_type, was.receiver_is_parameter));
            assert_eq!(is.bases, was.bases);
            let parameters: Vec<_> = was.parameters.iter().map(|p| (p.variable, p.symbol)).collect();
            assert_eq!(file.parameters(id).collect::<Vec<_>>(), parameters);
            assert_eq!(is.returns, was.returns);
            for (is, was) in file.signature(id).zip(&was.parameters) {
                let is = (is.name, is.declared, is.is_optional, is.is_variadic, is.is_extended);
                assert_eq!(is, (was.symbol, was.declared, was.is_optional, was.is_variadic, was.is_extended));
            }
        }
        let variables: Vec<_> = facts.flow.variables.enumerate().map(|(id, v)| (id, v.scope, v.symbol)).collect();
        assert_eq!(file.variables().collect::<Vec<_>>(), variables);
        for (id, was) in facts.flow.values.enumerate() {
            assert_eq!(format!("{:?}", file.value(id)), format!("{was:?}"));
        }
        let bindings: Vec<_> = facts.flow.bindings.iter().map(|b| (b.target, b.value)).collect();
        assert_eq!(file.bindings().collect::<Vec<_>>(), bindings);
        for (id, was) in facts.flow.calls.enumerate() {
            let call = file.call(id);
            assert_eq!((call.scope, call.callee, call.creates), (was.scope, was.callee, was.creates));
            assert_eq!(file.arguments(id).collect::<Vec<_>>(), was.arguments);
            assert_eq!(file.places()[id.index()], CallPlace { node: was.node, depth: was.depth, line: was.line });
        }
        let add = FileOperator { scope: LocalId(1), object: ValueId(2), name: symbol("__add__"), is_read: false };
        assert_eq!(file.operators().collect::<Vec<_>>(), [(add, &CallPlace { node: 8, depth: 2, line: 5 })]);
        assert_eq!(file.returns().collect::<Vec<_>>(), [(LocalId(1), ValueId(5))]);
        for (number, was) in facts.flow.imports.iter().enumerate() {
            let is = file.import(number);
            let full_path: Vec<&str> = was.path.iter().chain(&was.name).map(String::as_str).collect();
            assert_eq!((is.level, is.variable, is.name), (2, was.variable, was.name.as_deref().map(symbol)));
            assert_eq!(
                (is.path.parts(), is.path.first()),
                (was.path.iter().map(String::as_str).collect(), was.path.first().map(String::as_str))
            );
            assert!(is.name.is_none() || is.full_path.parts() == full_path);
        }
    }

    #[test]
    fn digest_depends_on_everything_except_call_positions() {
        let digest = |change: fn(&mut Facts)| {
            let mut facts = facts();
            change(&mut facts);
            PackedFacts::new(&facts).digest()
        };
        let as_it_is = digest(|_| ());
        assert_eq!(as_it_is, digest(|facts| facts.flow.calls = moved(&facts.flow.calls)));
        assert_ne!(as_it_is, digest(|facts| facts.flow.imports[1].path[0] = "z".into()));
        assert_ne!(as_it_is, digest(|facts| facts.flow.imports[1].level = 1));
        assert_ne!(as_it_is, digest(|facts| facts.flow.package = "b".into()));
        assert_ne!(as_it_is, digest(|facts| facts.definitions[LocalId(1)].receives_type = false));
        assert_ne!(as_it_is, digest(|facts| facts.flow.bindings.truncate(1)));
        assert_ne!(as_it_is, digest(|facts| facts.flow.operators.clear()));
    }

    fn moved(calls: &IdVec<CallId, Call>) -> IdVec<CallId, Call> {
        calls.iter().map(|call| Call { node: call.node + 1, line: call.line + 1, ..call.clone() }).collect()
    }

    #[test]
    fn stored_tables_are_read_as_they_were_written() {
        let packed = PackedFacts::new(&facts());
        let stored = packed.stored();
        assert_eq!(FactTables::read(&stored).map(|read| read.words), Some(packed.tables.words));
        assert!((0..stored.len()).all(|end| FactTables::read(&stored[..end]).is_none()));
    }

    #[test]
    fn truncated_bytes_are_rejected() {
        let packed = PackedFacts::new(&facts());
        assert!(FileFacts::read(packed.tables.bytes()).is_some());
        let bytes = packed.tables.bytes();
        assert!((0..bytes.len() / 2).all(|end| FileFacts::read(&bytes[..end]).is_none()));
        assert_eq!(FileFacts::NOTHING.definition(LocalId::FILE).name, symbol(""));
    }
}
