//! Names with the type that a test has found: in `if isinstance(x, Session): x.renew()`, `x` is a
//! session in the guarded code.
//!
//! A variable of its own contains the objects of that type. Only members of the name refer to it:
//! `x.renew()`, but not `x` as a value, so that no flow through the name is lost.
//!
//! **Cost:** one walk from a test to the code that it guards; a look-up reads all places with a test
//! of one name in one function, of which there are at most [`MAX_PLACES`].

use super::blocks::Extent;
use super::facts::{AssignmentTarget, Binding, Symbol, SymbolicValue, Variable, symbol};
use super::value::{MAX_DEPTH, Pending, Values};
use crate::ids::{LocalId, VariableId};
use crate::lang::{DefinitionKind, ExpressionForm, FlowKind, GuardFields, GuardedPlace};
use crate::tree::Node;

/// Maximum number of places with a successful test of one name in one function. Further tests have
/// no effect.
const MAX_PLACES: usize = 128;

/// Signs between and before conditions, in all languages.
const CONJUNCTIONS: &[&str] = &["&&", "and"];
const DISJUNCTIONS: &[&str] = &["||", "or"];
const NEGATIONS: &[&str] = &["!", "not"];
/// First words of statements that leave a loop.
const JUMPS: &[&str] = &["break", "continue"];

/// A place where a test of a name has succeeded.
pub(super) struct Narrowed {
    extent: Extent,
    /// Number of a node at which the name refers to the tested variable.
    tested: usize,
    /// The variable with the objects of the tested type.
    variable: VariableId,
}

/// A part of a condition.
enum Part<'t> {
    /// The other operand is evaluated only if the condition in the first one is true.
    And(Option<Node<'t>>),
    /// The other operand is evaluated only if the condition in the first one is false.
    Or(Option<Node<'t>>),
    Not,
    Brackets,
}

impl<'t> Values<'_, 't> {
    /// Records a test of the type of a name.
    pub fn note_test(&mut self, scope: LocalId, test: Node<'t>, name: Node<'t>, of_type: Node<'t>) {
        let is_name = self.language.meaning(name.kind()).form == ExpressionForm::Name;
        let kind = self.scopes.get(scope).map(|scope| scope.kind);
        let is_local = kind.is_some_and(|kind| kind.is_function() || kind == DefinitionKind::Anonymous);
        let places = if is_name && is_local { self.places_after(test) } else { Vec::new() };
        let key = (scope, symbol(self.text(name)));
        let known = self.narrowed.entry(key).or_default();
        if places.is_empty() || known.len() + places.len() > MAX_PLACES {
            return;
        }
        let variable = self.flow.variables.push(Variable { scope, symbol: key.1 });
        let tested = name.number();
        known.extend(places.into_iter().map(|extent| Narrowed { extent, tested, variable }));
        self.pending.push(Pending::Tested { scope, name, of_type, variable });
    }

    /// Returns the places that are reached only if a test has succeeded.
    fn places_after(&self, test: Node<'t>) -> Vec<Extent> {
        // True if the test has succeeded where `at` is true; otherwise, where it is false.
        let (mut at, mut is_positive, mut places) = (test, true, Vec::new());
        for _ in 0..MAX_DEPTH {
            let Some(around) = at.parent() else { break };
            if let Some(guard) = self.language.meaning(around.kind()).guard {
                if condition(around, guard) == Some(at) {
                    self.add_guarded(around, guard, is_positive, &mut places);
                }
                break;
            }
            match self.part(around, at) {
                Some(Part::And(other)) if is_positive => places.extend(other.map(whole)),
                Some(Part::Or(other)) if !is_positive => places.extend(other.map(whole)),
                Some(Part::Not) => is_positive = !is_positive,
                Some(Part::Brackets) => {}
                Some(Part::And(_) | Part::Or(_)) | None => break,
            }
            at = around;
        }
        places
    }

    /// Adds the places that a node runs only if its condition is true, or only if it is false.
    fn add_guarded(&self, node: Node<'t>, guard: GuardFields, is_true: bool, places: &mut Vec<Extent>) {
        let in_field = |field| node.children().filter(move |child| child.field().is_some() && child.field() == field);
        let rest = node.parent().map(|block| Extent::new(node.after(), block.after(), None));
        if is_true {
            places.extend(in_field(guard.then).map(whole));
            match guard.also {
                GuardedPlace::None => {}
                GuardedPlace::Before => places.extend(node.named_children().next().map(whole)),
                GuardedPlace::After => places.extend(rest),
                GuardedPlace::Around => places.extend(node.parent().map(whole)),
            }
            return;
        }
        let before = places.len();
        places.extend(in_field(guard.otherwise).map(whole));
        let leaves = || in_field(guard.then).last().is_some_and(|then| self.leaves(then));
        if guard.otherwise.is_some() && places.len() == before && leaves() {
            places.extend(rest);
        }
    }

    /// Checks whether code ends with a statement that leaves the code around it.
    fn leaves(&self, mut node: Node<'t>) -> bool {
        let ends = FlowKind::Returns.bit() | FlowKind::Raises.bit();
        for _ in 0..MAX_DEPTH {
            let first = node.children().next();
            if self.language.meaning(node.kind()).flow & ends != 0
                || first.is_some_and(|first| JUMPS.contains(&self.text(first)))
            {
                return true;
            }
            match node.named_children().last() {
                Some(last) => node = last,
                None => return false,
            }
        }
        false
    }

    /// Returns the part of a condition that a node is, with an operand `at`.
    fn part(&self, node: Node<'t>, at: Node<'t>) -> Option<Part<'t>> {
        let (first, mut inner) = (node.children().next()?, node.named_children());
        let (left, right) = (inner.next()?, inner.next());
        let Some(right) = right else {
            let sign = self.text(first);
            let is_bracket = (sign == "(").then_some(Part::Brackets);
            return if NEGATIONS.contains(&sign) { Some(Part::Not) } else { is_bracket };
        };
        let sign = self.source.get(left.end()..right.start()).map_or("", str::trim);
        let other = (left == at).then_some(right);
        if CONJUNCTIONS.contains(&sign) {
            Some(Part::And(other))
        } else {
            DISJUNCTIONS.contains(&sign).then_some(Part::Or(other))
        }
    }

    /// Assigns an object of the tested type. If that type is unknown, the name keeps its objects.
    pub(super) fn read_test(&mut self, scope: LocalId, name: Node<'t>, of_type: Node<'t>, variable: VariableId) {
        let of_type = self.type_value(scope, of_type);
        let object = self.add(SymbolicValue::Instance(of_type));
        let tested = self.name(scope, name);
        let tested = self.add(tested);
        let target = AssignmentTarget::Variable(variable);
        self.flow.bindings.extend([object, tested].map(|value| Binding { target, value }));
    }

    /// Returns the variable with the objects of a tested type, if a member of the name `object` is
    /// one of these objects.
    pub(super) fn narrowed_object(&self, scope: LocalId, object: Node<'t>) -> Option<VariableId> {
        if self.narrowed.is_empty() || self.language.meaning(object.kind()).form != ExpressionForm::Name {
            return None;
        }
        match self.name(scope, object) {
            SymbolicValue::Variable(variable) => {
                self.narrowed_at(scope, symbol(self.text(object)), object.number(), variable).next()
            }
            _ => None,
        }
    }

    /// Iterates over the variables with the objects of tested types that a variable has at a node,
    /// innermost test first.
    pub(super) fn narrowed_at(
        &self,
        scope: LocalId,
        name: Symbol,
        node: usize,
        variable: VariableId,
    ) -> impl Iterator<Item = VariableId> + use<> {
        let declared_in = self.flow.variables[variable].scope;
        let parent = |&at: &LocalId| self.scopes.get(at).map(|scope| scope.parent).filter(|_| at != declared_in);
        let mut found = Vec::new();
        for at in std::iter::successors(Some(scope), parent).filter(|_| !self.narrowed.is_empty()) {
            let places = self.narrowed.get(&(at, name)).into_iter().flatten();
            let mut places: Vec<&Narrowed> = places
                .filter(|place| place.extent.contains(node))
                .filter(|place| self.look_up(at, name, place.tested) == Some(variable))
                .collect();
            places.sort_by_key(|place| std::cmp::Reverse(place.extent));
            found.extend(places.into_iter().map(|place| place.variable));
            if at == LocalId::FILE {
                break;
            }
        }
        found.into_iter()
    }
}

/// Returns the condition of a node.
fn condition<'t>(node: Node<'t>, guard: GuardFields) -> Option<Node<'t>> {
    match guard.condition {
        Some(field) => node.child_in(field),
        None => node.named_children().nth(usize::from(guard.also == GuardedPlace::Before)),
    }
}

/// Returns the place that a node covers.
fn whole(node: Node<'_>) -> Extent {
    Extent::new(node.number(), node.after(), None)
}
