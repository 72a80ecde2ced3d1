//! Converts the node kinds and fields of a language file to the parser's numbers.

use super::node_meaning::{ChildSlot, ExpressionForm, GuardFields, ImportPrefix, NodeMeaning, PatternFields, WordSort};
use super::spec::{KeyEntry, Spec, Transparent, Uses};
use std::num::NonZeroU16;
use tree_sitter::Language as Parser;
use whichfn_system::error::{Error, Kind, Result};

/// Builds the table of meanings. Each kind and field is checked against the parser.
pub(super) struct MeaningTable<'a> {
    pub(super) name: &'a str,
    pub(super) parser: &'a Parser,
    pub(super) table: Vec<NodeMeaning>,
}

impl MeaningTable<'_> {
    /// Fills the table. Later lists change what earlier ones set.
    pub(super) fn fill(mut self, spec: &Spec) -> Result<Vec<NodeMeaning>> {
        self.add_words_and_literals(spec)?;
        self.add_marks(spec)?;
        self.add_members_and_targets(spec)?;
        self.add_conditions_and_arguments(spec)?;
        self.add_uses(&spec.uses)?;
        self.add_import_prefixes(spec)?;
        Ok(self.table)
    }

    /// Adds the words of nodes, and the forms of values that need no field.
    fn add_words_and_literals(&mut self, spec: &Spec) -> Result<()> {
        let (words, values) = (&spec.words, &spec.expressions);
        for (kinds, sort) in [
            (&words.identifiers, WordSort::Identifier),
            (&words.strings, WordSort::String),
            (&words.comments, WordSort::Comment),
            (&words.escapes, WordSort::Escape),
        ] {
            self.change_each(kinds, |m| m.words = Some(sort))?;
        }
        self.change_each(&values.names, |m| m.form = ExpressionForm::Name)?;
        self.change_each(&values.members, |m| m.form = ExpressionForm::Member)?;
        self.change_each(&values.choices, |m| m.form = ExpressionForm::Choice)?;
        self.change_each(&values.casts, |m| m.form = ExpressionForm::Cast)?;
        self.change_each(&values.literals, |m| m.form = ExpressionForm::Literal)?;
        self.change_each(&values.type_paths, |m| m.form = ExpressionForm::Path)?;
        self.change_each(&values.operations, |m| m.form = ExpressionForm::Operation)?;
        for (index, literal) in (0..).zip(&values.literal_types) {
            self.change_each(&literal.kinds, |m| {
                m.literal = Some(index);
                if m.form != ExpressionForm::Choice {
                    m.form = ExpressionForm::Literal;
                }
            })?;
        }
        for (index, written) in (0..).zip(&values.written_types) {
            self.change_each(std::slice::from_ref(&written.kind), |m| m.written_type = Some(index))?;
        }
        Ok(())
    }

    /// Adds what is true or false.
    fn add_marks(&mut self, spec: &Spec) -> Result<()> {
        let values = &spec.expressions;
        self.change_each(&spec.words.attributes, |m| m.attribute = true)?;
        self.change_each(&values.lists, |m| m.list = true)?;
        self.change_each(&values.paths, |m| m.path = true)?;
        self.change_each(&values.arrays, |m| m.array = true)?;
        self.change_each(&values.nullables, |m| m.nullable = true)?;
        self.change_each(&values.creations, |m| m.creation = true)?;
        self.change_each(&values.initializers, |m| m.initializer = true)?;
        self.change_each(&values.partial_arguments, |m| m.partial = true)?;
        self.change_each(&values.built_names, |m| m.builds_name = true)?;
        self.change_each(&values.lexical_functions, |m| m.lexical_function = true)?;
        self.change_each(&values.elements, |m| m.element = true)?;
        self.change_each(&values.slices, |m| m.slice = true)?;
        self.change_each(&values.separators, |m| m.separator = true)?;
        if let Some(addresses) = &values.addresses {
            self.change_each(std::slice::from_ref(&addresses.kind), |m| m.address = true)?;
        }
        self.change_each(&values.function_types, |m| m.function_type = true)?;
        self.change_each(&values.path_names, |m| m.path_name = true)?;
        self.change_each(&spec.modules.nested, |m| m.module_file = true)?;
        if let Some(macros) = &spec.item_macros {
            self.change_each(std::slice::from_ref(&macros.kind), |m| m.item_macro = true)?;
            self.change_each(&macros.around, |m| m.holds_items = true)?;
        }
        self.change_each(&values.rest, |m| m.rest = true)?;
        self.change_each(&spec.scopes.blocks, |m| m.block = true)?;
        self.change_each(&spec.scopes.block_ends, |m| m.block_end = true)?;
        self.change_each(&spec.scopes.hoisted, |m| m.hoisted = true)?;
        self.change_each(&spec.scopes.sequential, |m| m.sequential = true)?;
        self.change_each(&values.equations, |m| m.equation = true)?;
        self.change_each(&spec.tests.case_nodes, |m| m.case = true)?;
        self.change_each(&values.signatures, |m| m.signature = true)?;
        self.change_each(&values.shorthands, |m| m.shorthand = true)?;
        self.change_each(&values.records, |m| m.record = true)?;
        self.change_each(&values.collections, |m| m.collection = true)?;
        Ok(())
    }

    /// Adds the forms of values with fields, and targets that take a value apart.
    fn add_members_and_targets(&mut self, spec: &Spec) -> Result<()> {
        let values = &spec.expressions;
        for selector in &values.selectors {
            let part = selector.part.as_ref().map(|field| self.field(field)).transpose()?;
            self.change_each(std::slice::from_ref(&selector.kind), |m| m.selector = Some(part))?;
        }
        for access in &values.access {
            let object = self.child_slot(access.object.as_ref(), ChildSlot::First)?;
            let form = ExpressionForm::Access(object, self.child_slot(access.member.as_ref(), ChildSlot::Last)?);
            self.change_each(std::slice::from_ref(&access.kind), |m| m.form = form)?;
        }
        for instance in &values.instances {
            let form = ExpressionForm::Instance(self.field(&instance.field)?);
            self.change_each(std::slice::from_ref(&instance.kind), |m| m.form = form)?;
        }
        for transparent in &values.transparent {
            let (kind, form) = match transparent {
                Transparent::First(kind) => (kind, ExpressionForm::First),
                Transparent::Field(one) => (&one.kind, ExpressionForm::Field(self.field(&one.field)?)),
            };
            self.change_each(std::slice::from_ref(kind), |m| m.form = form)?;
        }
        for pattern in &values.patterns {
            let field = |name: &Option<String>| name.as_ref().map(|name| self.field(name)).transpose();
            let kind = |name: &String| match self.parser.id_for_node_kind(name, true) {
                0 => Err(self.unknown("node kind", name)),
                kind => Ok(kind),
            };
            let part = pattern.field.as_ref().map(kind).transpose()?;
            let of_type = self.field(&pattern.of_type)?;
            let fields = PatternFields { of_type, part, name: field(&pattern.name)?, value: field(&pattern.value)? };
            self.change_each(std::slice::from_ref(&pattern.kind), |m| m.pattern = Some(fields))?;
        }
        Ok(())
    }

    /// Adds the parts of conditions, arguments and entries.
    fn add_conditions_and_arguments(&mut self, spec: &Spec) -> Result<()> {
        let values = &spec.expressions;
        for guard in &spec.scopes.guards {
            let field = |name: &Option<String>| name.as_ref().map(|name| self.field(name)).transpose();
            let (condition, then, otherwise) =
                (field(&guard.condition)?, field(&guard.then)?, field(&guard.otherwise)?);
            let fields = GuardFields { condition, then, otherwise, also: guard.also };
            self.change_each(std::slice::from_ref(&guard.kind), |m| m.guard = Some(fields))?;
        }
        if let Some(tokens) = &values.tokens {
            self.change_each(std::slice::from_ref(&tokens.kind), |m| m.form = ExpressionForm::Tokens)?;
        }
        for keyword in &values.keyword_arguments {
            let name = self.child_slot(keyword.name.as_ref(), ChildSlot::First)?;
            let fields = (name, self.child_slot(keyword.value.as_ref(), ChildSlot::Last)?);
            self.change_each(std::slice::from_ref(&keyword.kind), |m| m.keyword = Some(fields))?;
        }
        for (index, operator) in values.operators.iter().enumerate() {
            self.change_each(std::slice::from_ref(&operator.kind), |m| m.operators |= 1 << index)?;
            operator.object.iter().chain(&operator.sign).try_for_each(|name| self.field(name).map(drop))?;
        }
        for entry in &values.entries {
            let name = self.child_slot(entry.name.as_ref(), ChildSlot::First)?;
            let fields = (name, self.child_slot(entry.value.as_ref(), ChildSlot::Last)?);
            self.change_each(std::slice::from_ref(&entry.kind), |m| m.entry = Some(fields))?;
        }
        for target in &values.optional_targets {
            let field = self.field(&target.field)?;
            self.change_each(std::slice::from_ref(&target.kind), |m| m.optional_target = Some(field))?;
        }
        for (does, kinds) in &spec.flow {
            self.change_each(kinds, |m| m.flow |= does.bit())?;
        }
        Ok(())
    }

    /// Adds how names inside the nodes are used.
    fn add_uses(&mut self, uses: &Uses) -> Result<()> {
        self.change_each(&uses.imports, |m| m.uses.import = true)?;
        self.change_each(&uses.types, |m| m.uses.type_name = true)?;
        self.change_each(&uses.bases, |m| m.uses.base = true)?;
        self.change_each(&uses.decorators, |m| m.uses.decorator = true)?;
        for entry in &uses.keys {
            match entry {
                KeyEntry::Kind(kind) => self.change_each(std::slice::from_ref(kind), |m| m.uses.key = true)?,
                KeyEntry::Inside { kind, inside } => {
                    let inside = match self.parser.id_for_node_kind(inside, true) {
                        0 => return Err(self.unknown("node kind", inside)),
                        kind => kind,
                    };
                    self.change_each(std::slice::from_ref(kind), |m| m.uses.key_inside = Some(inside))?;
                }
            }
        }
        self.change_each(&uses.attributes, |m| (m.uses.key, m.uses.attribute) = (true, true))?;
        self.change_each(&uses.key_owners, |m| m.uses.key_owner = true)?;
        self.change_each(&uses.declarations, |m| m.uses.declares = true)?;
        Ok(())
    }

    /// Adds the places of the paths of imports.
    fn add_import_prefixes(&mut self, spec: &Spec) -> Result<()> {
        for prefix in &spec.modules.prefixes {
            let front = match (&prefix.field, &prefix.child) {
                (Some(field), _) => ImportPrefix::Field(self.field(field)?),
                (None, Some(child)) => match self.parser.id_for_node_kind(child, true) {
                    0 => return Err(self.unknown("node kind", child)),
                    kind => ImportPrefix::Child(kind),
                },
                (None, None) => return Err(self.unknown("field", "")),
            };
            self.change_each(std::slice::from_ref(&prefix.kind), |m| m.import_prefix = Some(front))?;
        }
        Ok(())
    }

    /// Applies `change` to every node kind with one of the given names. A grammar may have several
    /// numbers for one name.
    fn change_each(&mut self, kinds: &[String], change: impl Fn(&mut NodeMeaning)) -> Result<()> {
        for kind in kinds {
            let mut known = false;
            for number in 0..self.parser.node_kind_count() {
                if self.parser.node_kind_for_id(number as u16) == Some(kind) {
                    change(&mut self.table[number]);
                    known = true;
                }
            }
            if !known {
                return Err(self.unknown("node kind", kind));
            }
        }
        Ok(())
    }

    fn field(&self, name: &str) -> Result<NonZeroU16> {
        self.parser.field_id_for_name(name).ok_or_else(|| self.unknown("field", name))
    }

    /// Returns the child in a field, or `otherwise` without the name of a field.
    fn child_slot(&self, field: Option<&String>, otherwise: ChildSlot) -> Result<ChildSlot> {
        field.map_or(Ok(otherwise), |name| Ok(ChildSlot::Field(self.field(name)?)))
    }

    fn unknown(&self, what: &str, name: &str) -> Error {
        let next = format!("see node-types.json of the tree-sitter grammar for {}", self.name);
        Error::new(Kind::Language, format!("grammars/{}.toml: the grammar has no {what} `{name}`", self.name), next)
    }
}
