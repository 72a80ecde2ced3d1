//! The parameters of the innermost open definition.

use super::extract::Extractor;
use super::facts::{Parameter, symbol};
use super::matches::ParameterMark;
use crate::ids::LocalId;
use crate::lang::{DefinitionKind, ExpressionForm};
use crate::tree::Node;

impl<'a, 't> Extractor<'a, 't> {
    pub(super) fn parameter_mark(&mut self, node: Node<'t>, id: u32, parameter: ParameterMark<'t>) {
        let Some(open) = self.open.last_mut() else { return };
        let scope = open.id;
        let ParameterMark { name, default, is_variadic, .. } = parameter;
        // Parameters of function types, inside a parameter, the result or the body, belong
        // to no definition.
        let at = name.start();
        let body = open.found.and_then(|found| found.body).map_or(usize::MAX, |body| body.start());
        if scope == LocalId::FILE
            || at >= body
            || node.end() < open.parameter_end
            || (open.returns.0 <= at && at < open.returns.1)
        {
            return;
        }
        if open.continues {
            self.values.declare(scope, self.text(name));
            return;
        }
        if std::mem::replace(&mut open.parameter, node.number()) == node.number() {
            // Another match of the same parameter.
            if let Some(last) = self.definitions[scope].parameters.last_mut() {
                last.is_variadic |= is_variadic;
                last.is_optional |= default.is_some();
            }
            return;
        }
        open.parameter_end = node.end();
        let first = !std::mem::replace(&mut open.saw_parameter, true);
        let (is_static, takes_fixture) = (open.static_method, open.takes_fixtures && default.is_none());
        if first && self.definitions[scope].kind == DefinitionKind::Anonymous {
            self.drop_implicit_parameters(scope);
        }
        self.parameter(scope, first && !is_static, parameter);
        if takes_fixture {
            self.values.fixture(scope, name, (id, self.syntax.depth()));
        }
    }

    /// Adds the parameters of a function without a name that does not declare its own.
    pub(super) fn add_implicit_parameters(&mut self, id: LocalId) {
        for name in &self.language.spec.scopes.implicit_parameters {
            let variable = self.values.declare(id, name);
            self.values.parameters.insert(variable);
            self.definitions[id].parameters.push(Parameter {
                variable,
                symbol: symbol(name),
                declared: None,
                is_optional: true,
                is_variadic: false,
                is_extended: false,
            });
        }
    }

    fn drop_implicit_parameters(&mut self, id: LocalId) {
        for parameter in std::mem::take(&mut self.definitions[id].parameters) {
            self.values.undeclare(id, parameter.variable);
        }
    }

    /// Checks whether a field may hold a function or an object: not if its declared type is a number.
    pub(super) fn may_hold(&self, is_plain: bool, declared: Option<Node<'t>>) -> bool {
        let meaning = declared.map(|declared| self.language.meaning(declared.kind()));
        !is_plain || meaning.is_none_or(|meaning| meaning.function_type || meaning.form != ExpressionForm::Other)
    }

    pub(super) fn parameter(&mut self, scope: LocalId, may_receive: bool, parameter: ParameterMark<'t>) {
        let ParameterMark { name, label, declared, default, is_variadic } = parameter;
        let text = self.text(name);
        let scopes = &self.language.spec.scopes;
        let variable = self.values.declare(scope, text);
        self.values.parameters.insert(variable);
        let is_method = self.definitions[scope].kind == DefinitionKind::Method;
        let receives = scopes.receivers.iter().any(|r| r == text) || (scopes.receiver_parameter && may_receive);
        let definition = &mut self.definitions[scope];
        if is_method && receives && definition.parameters.is_empty() {
            definition.receiver = Some(variable);
            definition.receiver_is_parameter = true;
            return;
        }
        if definition.receiver == Some(variable) {
            return;
        }
        let (index, is_optional) = (definition.parameters.len(), default.is_some());
        let symbol = symbol(label.map_or(text, |label| &self.source[label.bytes()]));
        definition.parameters.push(Parameter {
            variable,
            symbol,
            declared: None,
            is_optional,
            is_variadic,
            is_extended: false,
        });
        self.values.note_unpacked(scope, name, variable);
        self.values.parameter(scope, (index, is_variadic), name, default, declared);
    }
}
