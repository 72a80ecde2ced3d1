//! Selects among overloads, functions of one scope that share a name, by what is known of the
//! types of a call's arguments.
//!
//! - **Invariant:** the selection depends on the facts of the caller's file, on the definitions
//!   that the call reaches, and on the bases of types that the caller's file names. A type that
//!   another file declares is compared by its name only. Linking again after an edit therefore
//!   finds the files whose selections may change.
//! - **Cost:** a call compares each argument with the parameters of at most [`MAX_OVERLOADS`]
//!   overloads, and at most [`MAX_COMPARED`] overloads with each other.
//! - **Differs from the languages' rules:** an argument whose type is unknown fits every
//!   parameter. If the arguments do not select one overload, all possible ones are kept.

use crate::names::Names;
use crate::type_rules::{StaticType, TypeRules};
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::parse::Symbol;

/// Maximum number of overloads of one name that take part in the selection, the first ones in the
/// file. Written code stays far below.
pub(crate) const MAX_OVERLOADS: usize = 64;
/// Maximum number of possible overloads that are all compared with each other. Of more, those are
/// kept that the best one is not more specific than.
const MAX_COMPARED: usize = 16;

/// An argument: its name, if it is passed by name, and its type, if it is known.
pub(crate) type Argument = (Option<Symbol>, Option<StaticType>);

/// The relation between the type of an argument and the type of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// The argument cannot be converted.
    Never,
    /// Too little is known.
    Maybe,
    /// The argument can be converted. 0 means the same type; the lower, the closer.
    Rank(usize),
}

/// Rank of the conversion of an object to a type that every object has, or to a type parameter.
const TOP: usize = 1000;

/// An overload that a call may select, with the fit of each argument.
struct Candidate {
    id: DefinitionId,
    owner: Option<DefinitionId>,
    fits: Vec<(Fit, Option<StaticType>)>,
    /// True if several arguments, or none, are passed to a variadic parameter.
    is_spread: bool,
}

/// A parameter of an overload.
#[derive(Clone, Copy)]
struct ParameterType {
    name: Symbol,
    declared: Option<StaticType>,
    is_variadic: bool,
}

/// Returns the overloads that a call may select. Returns those that take as many arguments if the
/// types of the arguments exclude all, and all overloads if none takes as many.
pub(crate) fn select(
    names: &Names<'_>,
    rules: &TypeRules,
    overloads: &[DefinitionId],
    arguments: &[Argument],
) -> Vec<DefinitionId> {
    if overloads.len() < 2 || !names.budget.take(overloads.len()) {
        return overloads.to_vec();
    }
    let parameters = |id| parameter_types(names, rules, id);
    let takes_as_many = |&&id: &&DefinitionId| takes(names, id, arguments.len());
    let takes_labels = |&&id: &&DefinitionId| takes_labels(names, rules, id, arguments);
    let of_count: Vec<DefinitionId> = overloads.iter().filter(takes_as_many).filter(takes_labels).copied().collect();
    if of_count.is_empty() && rules.unlabeled.is_some() {
        // The labels of a call belong to another function.
        return Vec::new();
    }
    let possible: Vec<Candidate> =
        of_count.iter().filter_map(|&id| candidate(names, rules, id, &parameters(id), arguments)).collect();
    match (possible.is_empty(), of_count.is_empty()) {
        (false, _) => most_specific(names, &possible),
        (true, false) => of_count,
        (true, true) => overloads.to_vec(),
    }
}

/// Returns the extension functions that a call may select. The first argument is the object before
/// the function's name. Unlike [`select`], returns none if none fits.
pub(crate) fn select_extensions(
    names: &Names<'_>,
    rules: &TypeRules,
    functions: &[DefinitionId],
    arguments: &[Argument],
) -> Vec<DefinitionId> {
    if !names.budget.take(functions.len()) {
        return Vec::new();
    }
    let own = arguments.first().and_then(|&(_, own)| own);
    let mut possible: Vec<Candidate> = functions
        .iter()
        .take(MAX_OVERLOADS)
        .filter_map(|&id| {
            let (file, local) = names.local(id);
            let receiver = names.extended_type(file, local).filter(|_| !names.is_extension(id));
            if !fits_labels(names, rules, id, arguments.get(usize::from(receiver.is_some())..)?) {
                return None;
            }
            let receiver = receiver.map(|value| ParameterType {
                name: 0,
                declared: names.declared_type(file, value),
                is_variadic: false,
            });
            let parameters: Vec<_> = receiver.into_iter().chain(parameter_types(names, rules, id)).collect();
            let extends = parameters.first()?.declared.is_none_or(|to| extends(names, rules, own, to));
            candidate(names, rules, id, &parameters, arguments).filter(|_| extends)
        })
        .collect();
    // A function that extends exactly the type of the object takes precedence.
    let is_exact = |one: &Candidate| one.fits.first().is_some_and(|&(fit, _)| fit == Fit::Rank(0));
    if possible.iter().any(is_exact) {
        possible.retain(is_exact);
    }
    most_specific(names, &possible)
}

/// Checks whether a function may extend objects of a type, given the declared type of its first
/// parameter. Conversions that a type declares do not count.
fn extends(names: &Names<'_>, rules: &TypeRules, from: Option<StaticType>, to: StaticType) -> bool {
    let Some(from) = from.filter(|from| !is_top(rules, to) && !from.is_same(to)) else { return true };
    let is_own = |name| names.top.get(name).iter().any(|&id| names.kind(id).has_members());
    if from.dimensions != to.dimensions {
        return to.dimensions == 0 && !rules.closed.contains(&to.name) && !is_own(to.name);
    }
    match (from.definition, rules.conversions.get(&from.name)) {
        (Some(id), _) => {
            let order = names.mro(&id);
            let has_other_bases = || order.iter().any(|&base| names.has_foreign_base(base)) && !is_own(to.name);
            order.iter().any(|&base| names.definition(base).name == to.name) || has_other_bases()
        }
        (None, Some(targets)) => targets.contains(&to.name) && !rules.primitives.contains(&to.name),
        (None, None) => from.is_parameter || !rules.closed.contains(&to.name) && !is_own(to.name),
    }
}

fn parameter_types(names: &Names<'_>, rules: &TypeRules, id: DefinitionId) -> Vec<ParameterType> {
    let (file, local) = names.local(id);
    let read = |parameter: crate::file_facts::FileParameter| {
        let declared = parameter
            .declared
            .and_then(|value| Some(names.without_typedef(file, value, names.declared_type(file, value)?)));
        let is_array = parameter.is_variadic && rules.variadic_arrays;
        let element = |of: StaticType| of.element().filter(|_| is_array).unwrap_or(of);
        ParameterType { name: parameter.name, declared: declared.map(element), is_variadic: parameter.is_variadic }
    };
    names.facts(file).signature(local).map(read).collect()
}

impl Names<'_> {
    /// Checks whether a method has the parameters of a method with the same name in a base type. A
    /// type parameter of the base type may stand for any type.
    pub fn overrides(&self, id: DefinitionId, base: DefinitionId) -> bool {
        let types = |id| {
            let (file, local) = self.local(id);
            let declared = move |value| self.declared_type(file, value);
            self.facts(file).signature(local).map(move |parameter| parameter.declared.and_then(declared))
        };
        let same = |(own, its): (Option<StaticType>, Option<StaticType>)| match (own, its) {
            (Some(own), Some(its)) => own.is_same(its) || its.is_parameter,
            _ => true,
        };
        types(id).len() == types(base).len() && types(id).zip(types(base)).all(same)
    }
}

/// Checks whether a call of a function may have the given arguments, in languages in which calls
/// pass them by labels.
pub(crate) fn fits_labels(names: &Names<'_>, rules: &TypeRules, id: DefinitionId, arguments: &[Argument]) -> bool {
    takes(names, id, arguments.len()) && takes_labels(names, rules, id, arguments)
}

/// Checks whether a call of a function may have the given number of arguments.
pub(crate) fn takes(names: &Names<'_>, id: DefinitionId, arguments: usize) -> bool {
    let (file, local) = names.local(id);
    let parameters = names.facts(file).signature(local);
    let required = parameters.clone().filter(|p| !p.is_optional && !p.is_variadic).count();
    let is_variadic = || parameters.clone().last().is_some_and(|p| p.is_variadic);
    required <= arguments && (arguments <= parameters.len() || is_variadic())
}

/// Checks whether a function has the labels of a call's arguments, in languages with labels. A closure
/// after the brackets has no label.
fn takes_labels(names: &Names<'_>, rules: &TypeRules, id: DefinitionId, arguments: &[Argument]) -> bool {
    let Some(none) = rules.unlabeled else { return true };
    let (file, local) = names.local(id);
    let parameters = names.facts(file).signature(local);
    arguments.iter().enumerate().all(|(position, &(label, argument))| match label {
        Some(label) => parameters.clone().any(|parameter| parameter.name == label),
        None => {
            let is_closure = argument.is_some_and(|argument| argument.name == rules.function);
            let parameter = parameters.clone().nth(position).or(parameters.clone().last());
            is_closure || parameter.is_none_or(|parameter| parameter.name == none || parameter.is_variadic)
        }
    })
}

/// Returns an overload with the fit of each argument; `None` if an argument does not fit.
fn candidate(
    names: &Names<'_>,
    rules: &TypeRules,
    id: DefinitionId,
    parameters: &[ParameterType],
    arguments: &[Argument],
) -> Option<Candidate> {
    let variadic = parameters.len().checked_sub(1).filter(|&last| parameters[last].is_variadic);
    let passes_array = || {
        let &(_, argument) =
            variadic.filter(|last| last + 1 == arguments.len()).and_then(|last| arguments.get(last))?;
        let array = parameters.last()?.declared?.array();
        match (argument?, convert(names, rules, argument?, array)) {
            (_, Fit::Never) => None,
            (argument, fit) => (argument.dimensions > 0 || argument.name == rules.null).then_some((fit, Some(array))),
        }
    };
    let array = passes_array();
    let mut fits = Vec::with_capacity(arguments.len());
    for (position, &(name, argument)) in arguments.iter().enumerate() {
        let parameter = match name {
            Some(name) => parameters.iter().find(|p| p.name == name)?,
            None => parameters.get(position).or(parameters.last())?,
        };
        let fit = match (argument, parameter.declared) {
            (Some(argument), Some(declared)) => convert(names, rules, argument, declared),
            _ => Fit::Maybe,
        };
        let fit = (fit, parameter.declared);
        let fit = array.filter(|_| Some(position) == variadic).unwrap_or(fit);
        if fit.0 == Fit::Never {
            return None;
        }
        fits.push(fit);
    }
    Some(Candidate { id, owner: names.type_around(id), fits, is_spread: variadic.is_some() && array.is_none() })
}

/// Returns the candidates that no other one is more specific than.
fn most_specific(names: &Names<'_>, candidates: &[Candidate]) -> Vec<DefinitionId> {
    let is_better =
        |one: &Candidate, other: &Candidate| is_more_specific(one, other) && are_overloads(names, one, other);
    let best = candidates.iter().reduce(|best, other| if is_better(other, best) { other } else { best });
    let compared: Vec<&Candidate> = match candidates.len() {
        0..=MAX_COMPARED => candidates.iter().collect(),
        _ => best.into_iter().collect(),
    };
    let is_worse = |one: &&Candidate| compared.iter().any(|other| is_better(other, one));
    candidates.iter().filter(|one| !is_worse(one)).map(|one| one.id).collect()
}

/// Checks whether a call on one object selects among two functions: they belong to one type or to a
/// type and its base, or both to no type.
fn are_overloads(names: &Names<'_>, one: &Candidate, other: &Candidate) -> bool {
    let qualified_name = |candidate: &Candidate| names.definition(candidate.id).qualified_name;
    match (one.owner, other.owner) {
        (Some(own), Some(its)) => own == its || names.bases(own).contains(&its) || names.bases(its).contains(&own),
        (own, its) => own == its && qualified_name(one) == qualified_name(other),
    }
}

/// Checks whether every argument fits `one` at least as closely as `other`, and one argument more
/// closely. A function with fixed parameters is more specific than a variadic one.
fn is_more_specific(one: &Candidate, other: &Candidate) -> bool {
    let (mut is_closer, mut is_certain) = (false, true);
    let is_same = |own: Option<StaticType>, its: Option<StaticType>| {
        own.is_some() && own.map(StaticType::not_null) == its.map(StaticType::not_null)
    };
    for (&(fit, own), &(other_fit, its)) in one.fits.iter().zip(&other.fits) {
        match (fit, other_fit) {
            (Fit::Rank(rank), Fit::Rank(other_rank)) if rank <= other_rank => is_closer |= rank < other_rank,
            (Fit::Rank(0), _) | (Fit::Rank(1), Fit::Maybe) => is_closer = true,
            _ if is_same(own, its) => {}
            _ if one.is_spread != other.is_spread && fit == other_fit => is_certain = false,
            (Fit::Maybe, Fit::Maybe) => {}
            _ => return false,
        }
    }
    match (one.is_spread, other.is_spread) {
        (false, true) => is_certain,
        (true, false) => false,
        _ => is_closer,
    }
}

/// Returns the fit of an argument's type to a parameter's type.
fn convert(names: &Names<'_>, rules: &TypeRules, from: StaticType, to: StaticType) -> Fit {
    let is_primitive = |of: StaticType| of.dimensions == 0 && rules.primitives.contains(&of.name);
    if from.dimensions == to.dimensions && from.name == to.name {
        return match (from.is_nullable, to.is_nullable) {
            (true, false) if is_primitive(to) => Fit::Never,
            (from, to) => Fit::Rank(usize::from(from != to)),
        };
    }
    if from.is_nullable && !to.is_nullable && is_primitive(from) && is_primitive(to) {
        return Fit::Never;
    }
    let are_closed = rules.closed.contains(&from.name) && rules.closed.contains(&to.name);
    let unrelated = if rules.user_conversions && !are_closed { Fit::Maybe } else { Fit::Never };
    if from.name == rules.null && from.dimensions == 0 {
        return match () {
            () if is_primitive(to) && !to.is_nullable => Fit::Never,
            () if is_top(rules, to) => Fit::Rank(TOP),
            () => Fit::Rank(1),
        };
    }
    if from.dimensions != to.dimensions {
        let is_object = from.dimensions > to.dimensions && (is_top(rules, to) || to.is_parameter);
        return if is_object { Fit::Rank(TOP) } else { unrelated };
    }
    if from.dimensions > 0 && (rules.primitives.contains(&from.name) || rules.primitives.contains(&to.name)) {
        return unrelated;
    }
    convert_name(names, rules, from, to, unrelated)
}

/// Checks whether every object has this type.
fn is_top(rules: &TypeRules, of: StaticType) -> bool {
    of.dimensions == 0 && (of.is_parameter || rules.top.contains(&of.name))
}

/// Returns the fit of a type to another type with the same number of dimensions and another name.
fn convert_name(names: &Names<'_>, rules: &TypeRules, from: StaticType, to: StaticType, unrelated: Fit) -> Fit {
    let is_top = to.is_parameter || rules.top.contains(&to.name);
    if let Some(targets) = rules.conversions.get(&from.name).filter(|_| from.definition.is_none()) {
        return match targets.iter().position(|&target| target == to.name) {
            Some(position) => Fit::Rank(2 * (1 + position) + usize::from(to.is_nullable)),
            None if is_top => Fit::Rank(TOP),
            None => unrelated,
        };
    }
    if is_top {
        return Fit::Rank(TOP);
    }
    if rules.closed.contains(&to.name) {
        return unrelated;
    }
    if from.name == rules.function && rules.conversions.get(&to.name).is_some_and(|bases| !bases.is_empty()) {
        return unrelated;
    }
    if from.name == rules.function || from.is_parameter {
        return Fit::Maybe;
    }
    let Some(id) = from.definition else { return Fit::Maybe };
    let order = names.mro(&id);
    if let Some(position) = order.iter().position(|&base| names.definition(base).name == to.name) {
        return Fit::Rank(position);
    }
    let has_other_bases = |&id: &DefinitionId| names.has_foreign_base(id);
    if order.iter().any(has_other_bases) { Fit::Maybe } else { unrelated }
}
