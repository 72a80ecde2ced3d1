//! Types by their names, and the built-in types of a language with overloads.

use rustc_hash::{FxHashMap, FxHashSet};
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::Spec;
use whichfn_syntax::parse::{ARRAY, Symbol, symbol};

/// A type by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StaticType {
    /// Number of dimensions, if it is an array.
    pub dimensions: usize,
    /// Name of the type, without arguments; for an array, of its elements.
    pub name: Symbol,
    /// The type's definition, if it is known to be in the repository.
    pub definition: Option<DefinitionId>,
    /// True if the name is a type parameter (`T`).
    pub is_parameter: bool,
    /// True if the type is known to be outside the repository.
    pub is_foreign: bool,
    /// True if the objects may also be null (`int?`), where that is another type.
    pub is_nullable: bool,
}

impl StaticType {
    pub fn named(name: Symbol) -> Self {
        Self { dimensions: 0, name, definition: None, is_parameter: false, is_foreign: false, is_nullable: false }
    }

    /// Returns the type of an array of this type.
    pub fn array(self) -> Self {
        Self { dimensions: self.dimensions + 1, ..self }
    }

    /// Returns the type of the elements of an array; `None` for all other types.
    pub fn element(self) -> Option<Self> {
        Some(Self { dimensions: self.dimensions.checked_sub(1)?, ..self })
    }

    pub fn is_same(self, other: Self) -> bool {
        (self.dimensions, self.name, self.is_nullable) == (other.dimensions, other.name, other.is_nullable)
    }

    /// Returns the type of the objects that are not null.
    pub fn not_null(self) -> Self {
        Self { is_nullable: false, ..self }
    }
}

/// The built-in types of a language and their conversions, as symbols. See [`Types`].
///
/// [`Types`]: whichfn_syntax::lang::Types
/// [`Types::own_results`]: whichfn_syntax::lang::Types::own_results
/// [`Types::pointers`]: whichfn_syntax::lang::Types::pointers
/// [`Scopes::traits`]: whichfn_syntax::lang::Scopes::traits
pub(crate) struct TypeRules {
    pub null: Symbol,
    pub text: Symbol,
    pub function: Symbol,
    /// Label of parameters whose arguments have none, in languages with labels.
    pub unlabeled: Option<Symbol>,
    pub arithmetic: Vec<Symbol>,
    pub primitives: FxHashSet<Symbol>,
    pub top: FxHashSet<Symbol>,
    pub closed: FxHashSet<Symbol>,
    pub inferred: FxHashSet<Symbol>,
    pub conversions: FxHashMap<Symbol, Vec<Symbol>>,
    /// Types of the results of members of objects outside the repository.
    pub results: FxHashMap<Symbol, StaticType>,
    /// See [`Types::own_results`].
    pub own_results: FxHashSet<Symbol>,
    /// See [`Types::argument_results`].
    pub argument_results: FxHashSet<Symbol>,
    pub variadic_arrays: bool,
    pub user_conversions: bool,
    /// See [`Types::pointers`].
    pub pointers: FxHashSet<Symbol>,
    /// Members of library types.
    pub library_members: FxHashSet<Symbol>,
    /// See [`Scopes::traits`].
    pub generic_traits: bool,
}

impl TypeRules {
    pub fn new(spec: &Spec) -> Self {
        let (types, scopes, containers) = (&spec.types, &spec.scopes, &spec.containers);
        let members = [&scopes.common_members, &containers.same, &containers.visitors, &containers.fillers];
        let symbols = |list: &[String]| list.iter().map(|name| symbol(name)).collect::<Vec<_>>();
        let set = |list: &[String]| symbols(list).into_iter().collect();
        let member = |(of_type, members): (&String, &Vec<String>)| {
            let name = of_type.trim_end_matches(ARRAY);
            let dimensions = (of_type.len() - name.len()) / ARRAY.len();
            let of_type = StaticType { dimensions, ..StaticType::named(symbol(name)) };
            symbols(members).into_iter().map(move |member| (member, of_type)).collect::<Vec<_>>()
        };
        Self {
            null: symbol(&types.null),
            text: symbol(&types.text),
            function: symbol(""),
            unlabeled: (!types.unlabeled.is_empty()).then(|| symbol(&types.unlabeled)),
            arithmetic: symbols(&types.arithmetic),
            primitives: set(&types.primitives),
            top: set(&types.top),
            closed: set(&types.closed),
            inferred: set(&types.inferred),
            conversions: types.conversions.iter().map(|(from, to)| (symbol(from), symbols(to))).collect(),
            results: types.results.iter().flat_map(member).collect(),
            own_results: set(&types.own_results),
            argument_results: set(&types.argument_results),
            variadic_arrays: types.variadic_arrays,
            user_conversions: types.user_conversions,
            pointers: set(&types.pointers),
            library_members: members.into_iter().flatten().map(|name| symbol(name)).collect(),
            generic_traits: scopes.traits,
        }
    }
}

impl TypeRules {
    /// Checks whether a type belongs to a library, and its objects have none of the members of the
    /// objects that they contain.
    pub fn is_library_container(&self, of_type: StaticType) -> bool {
        let is_library = of_type.is_foreign || self.closed.contains(&of_type.name);
        let is_single = of_type.definition.is_none() && !of_type.is_parameter && is_library;
        of_type.dimensions > 0 || is_single && !self.pointers.contains(&of_type.name)
    }
}
