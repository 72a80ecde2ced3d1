//! Subtypes, supertypes and overrides, derived from the stored bases and owners of an index.
//!
//! A method *overrides* another if an object of a subtype has it in place of the other: the nearest
//! method with that name in a subtype or, if a subtype inherits it from elsewhere, in that other
//! type. Implementations of the methods of interfaces and traits count as overrides, too. In a
//! language with structural interfaces ([`Dispatch`]), a type implements an interface if it has
//! methods with the same names and numbers of parameters.
//!
//! - **Invariant:** `b` is in `overrides(a)` if and only if `a` is in `overridden(b)`.
//! - **Cost:** a walk over the subtypes or supertypes, and one look-up for each definition with the
//!   method's name. A structural interface is compared with each type that has its rarest method.
//!   A view stops after [`MAX_STEPS`] steps, with the results found so far.

use super::graph_file::GraphFile;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::{DefinitionKind, Dispatch, Interfaces, LangId, Registry, Spec};

/// Maximum number of steps of a view: types visited and methods compared.
const MAX_STEPS: usize = 20_000_000;

/// The types of a repository and their methods.
pub struct TypeGraph<'a> {
    graph: &'a GraphFile,
    registry: &'a Registry,
    /// Methods of types that were compared with structural interfaces.
    methods: RefCell<FxHashMap<DefinitionId, Rc<MethodSet<'a>>>>,
    /// See [`Self::types_of_objects`].
    of_objects: RefCell<FxHashMap<DefinitionId, Rc<FxHashSet<DefinitionId>>>>,
    steps: Cell<usize>,
}

/// The names and parameter counts ([`arity`]) of the methods of a type, including inherited ones.
type MethodSet<'a> = FxHashSet<(&'a str, Option<usize>)>;

/// A type above or below another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RelatedType {
    /// The type; an extension if its type is not part of the repository (`impl Trait for str`).
    pub id: DefinitionId,
    /// The definition that names the base: the subtype or one of its extensions.
    pub declaration: DefinitionId,
    /// Index of the type between, in the same list; `None` for a direct relation.
    pub through: Option<usize>,
    /// Number of steps to the type.
    pub depth: usize,
    /// True if no definition names the base, because its interface is structural.
    pub is_structural: bool,
}

/// A direct subtype or supertype: the declaration, the type, and whether it is structural.
type Step = (DefinitionId, DefinitionId, bool);

/// A method of a type.
#[derive(Debug, Clone, Copy)]
struct Member {
    id: DefinitionId,
    /// The type that it belongs to.
    owner: DefinitionId,
    /// The type or the extension around it; the method itself if it is outside both.
    part: DefinitionId,
}

impl<'a> TypeGraph<'a> {
    /// Creates a view of an index. `registry` contains the rules of its languages.
    pub fn new(graph: &'a GraphFile, registry: &'a Registry) -> Self {
        Self { graph, registry, methods: RefCell::default(), of_objects: RefCell::default(), steps: Cell::new(0) }
    }

    /// Returns the type that a definition belongs to or adds to; for a type, the type itself.
    /// Returns `None` for a function outside types.
    pub fn type_of(&self, id: DefinitionId) -> Option<DefinitionId> {
        match self.graph.traits(id).kind() {
            kind if kind.has_members() => Some(self.graph.owner(id)),
            kind if kind.is_function() => self.member(id).map(|member| member.owner),
            _ => None,
        }
    }

    /// Returns all subtypes and implementations of a type, nearest first. A type occurs once for
    /// each declaration that relates it, but its own subtypes only once.
    pub fn subtypes(&self, id: DefinitionId) -> Vec<RelatedType> {
        self.walk(
            id,
            |id| {
                let declared =
                    self.graph.derived(id).map(|declaration| (declaration, self.extended(declaration), false));
                let structural = self.structural_subtypes(id).into_iter().map(|id| (id, id, true));
                declared.chain(structural).collect()
            },
            |(declaration, ..)| declaration,
        )
    }

    /// Returns all bases and interfaces of a type, nearest first.
    pub fn supertypes(&self, id: DefinitionId) -> Vec<RelatedType> {
        self.walk(
            id,
            |id| {
                let structural = self.structural_supertypes(id).into_iter().map(|base| (id, base, true));
                self.declared_bases(id).into_iter().map(|(from, base)| (from, base, false)).chain(structural).collect()
            },
            |(_, base, _)| base,
        )
    }

    /// Returns the methods that override or implement a method, in order.
    pub fn overrides(&self, id: DefinitionId) -> Vec<DefinitionId> {
        let Some(own) = self.virtual_member(id) else { return Vec::new() };
        let below = self.subtypes(own.owner);
        if below.is_empty() {
            return Vec::new();
        }
        let named = self.named_like(own);
        let types: FxHashSet<DefinitionId> = below.iter().map(|node| node.id).chain([own.owner]).collect();
        let mut found = Vec::new();
        for node in &below {
            let base = node.through.map_or(own.owner, |at| below[at].id);
            let members = named.get(&node.id).map_or(&[][..], Vec::as_slice);
            if self.is_block(node.declaration, base) {
                found.extend(members.iter().filter(|member| member.part == node.declaration).map(|member| member.id));
            } else if members.is_empty() {
                self.inherited(own.owner, node.id, &types, &named, &mut found);
            } else {
                found.extend(members.iter().map(|member| member.id));
            }
        }
        sorted(found)
    }

    /// Returns the methods of declared subtypes that have the name of a method, whatever their
    /// parameters, in order: methods that override it, or did before its parameters changed.
    pub fn redeclared(&self, id: DefinitionId) -> Vec<DefinitionId> {
        let Some(own) = self.virtual_member(id) else { return Vec::new() };
        let below = self.subtypes(own.owner);
        let is_below = |member: &Member| {
            below.iter().any(|node| {
                let base = node.through.map_or(own.owner, |at| below[at].id);
                let is_part = !self.is_block(node.declaration, base) || member.part == node.declaration;
                self.take(1) && !node.is_structural && node.id == member.owner && is_part
            })
        };
        let mut named = if below.is_empty() { Vec::new() } else { self.graph.named(self.graph.name(id)) };
        let is_of_type = self.is_method_of_type(id);
        named.retain(|&other| {
            let is_function = self.graph.traits(other).kind().is_function();
            is_function && self.may_dispatch(other) && self.is_method_of_type(other) == is_of_type
        });
        sorted(named.into_iter().filter(|&other| self.member(other).as_ref().is_some_and(is_below)).collect())
    }

    /// Returns the methods that a method overrides or implements, in order.
    pub fn overridden(&self, id: DefinitionId) -> Vec<DefinitionId> {
        let Some(own) = self.member(id).filter(|_| self.may_dispatch(id)) else { return Vec::new() };
        let named = self.named_like(own);
        let of_types = |types: &mut dyn Iterator<Item = DefinitionId>| {
            let members = types.filter(|&id| self.has_virtual_members(id)).filter_map(|id| named.get(&id));
            sorted(members.flatten().map(|member| member.id).collect())
        };
        let blocks: Vec<DefinitionId> =
            self.graph.bases(own.part).filter(|&base| self.is_block(own.part, base)).collect();
        if named.is_empty() || !blocks.is_empty() {
            return of_types(&mut blocks.into_iter());
        }
        let (heirs, below) = self.heirs(own.owner, &named);
        let mut above = FxHashSet::default();
        heirs.iter().for_each(|&heir| self.visit_above(heir, &mut above));
        of_types(&mut above.into_iter().filter(|id| *id != own.owner && !below.contains(id)))
    }

    /// Checks whether a call on the receiver of `caller` may run `id`, an override of `callee`: an
    /// object may have the type around the caller and inherit both methods. Returns true if no type
    /// around the caller has `callee`.
    pub fn may_run_on_receiver(&self, caller: DefinitionId, callee: DefinitionId, id: DefinitionId) -> bool {
        let (Some(callee), Some(own)) = (self.member(callee), self.member(id)) else { return true };
        let parent = |&at: &DefinitionId| Some(self.graph.definition(at).parent).filter(|parent| *parent != at);
        let around = std::iter::successors(Some(caller), parent).filter_map(|at| self.type_of(at));
        // The receiver of a nested type may be that of a type around it.
        let mut types = around.map(|id| self.types_of_objects(id)).filter(|types| types.contains(&callee.owner));
        types.next().is_none_or(|types| types.contains(&own.owner))
    }

    /// Returns the types that the objects of a type may have: the type, its subtypes, and all bases
    /// of these.
    fn types_of_objects(&self, id: DefinitionId) -> Rc<FxHashSet<DefinitionId>> {
        if let Some(known) = self.of_objects.borrow().get(&id) {
            return known.clone();
        }
        let mut types: Vec<DefinitionId> = self.subtypes(id).iter().map(|node| node.id).chain([id]).collect();
        let mut found = FxHashSet::from_iter(types.iter().copied());
        while let Some(id) = types.pop() {
            let bases = self.declared_bases(id).into_iter().map(|(_, base)| base);
            types.extend(bases.filter(|&base| self.take(1) && found.insert(base)));
        }
        let found = Rc::new(found);
        self.of_objects.borrow_mut().insert(id, found.clone());
        found
    }

    /// Adds the methods that a subtype of `root` inherits from types that are not below `root`.
    fn inherited(
        &self,
        root: DefinitionId,
        subtype: DefinitionId,
        below: &FxHashSet<DefinitionId>,
        named: &FxHashMap<DefinitionId, Vec<Member>>,
        found: &mut Vec<DefinitionId>,
    ) {
        let (mut types, mut seen) = (vec![subtype], FxHashSet::from_iter([subtype]));
        let mut above_root = None;
        while let Some(id) = types.pop() {
            for (declaration, base) in self.declared_bases(id) {
                let is_elsewhere = !below.contains(&base) && !self.is_interface(base);
                if !is_elsewhere || self.is_block(declaration, base) || !self.take(1) || !seen.insert(base) {
                    continue;
                }
                let Some(members) = named.get(&base) else {
                    types.push(base);
                    continue;
                };
                let above_root = above_root.get_or_insert_with(|| {
                    let mut above = FxHashSet::default();
                    self.visit_above(root, &mut above);
                    above
                });
                if !above_root.contains(&base) {
                    found.extend(members.iter().map(|member| member.id));
                }
            }
        }
    }

    /// Returns a type and the subtypes that inherit its method instead of declaring one; and all of
    /// its subtypes if such a subtype exists.
    fn heirs(
        &self,
        owner: DefinitionId,
        named: &FxHashMap<DefinitionId, Vec<Member>>,
    ) -> (Vec<DefinitionId>, FxHashSet<DefinitionId>) {
        let (mut heirs, mut seen, mut at) = (vec![owner], FxHashSet::from_iter([owner]), 0);
        while let Some(&base) = heirs.get(at).filter(|_| !self.is_interface(owner)) {
            for declaration in self.graph.derived(base) {
                let id = self.extended(declaration);
                let inherits = !named.contains_key(&id) && !self.is_block(declaration, base) && !self.is_interface(id);
                if inherits && self.take(1) && seen.insert(id) {
                    heirs.push(id);
                }
            }
            at += 1;
        }
        let has_heirs = heirs.len() > 1;
        let below = has_heirs.then(|| self.subtypes(owner).into_iter().map(|node| node.id).collect());
        (heirs, below.unwrap_or_default())
    }

    /// Adds the supertypes whose methods a type's own methods override: all but those that only a
    /// block implements.
    fn visit_above(&self, id: DefinitionId, above: &mut FxHashSet<DefinitionId>) {
        let mut types = vec![id];
        while let Some(id) = types.pop() {
            let declared = self.declared_bases(id).into_iter().filter(|&(from, base)| !self.is_block(from, base));
            let bases = declared.map(|(_, base)| base).chain(self.structural_supertypes(id));
            types.extend(bases.filter(|&base| self.take(1) && above.insert(base)));
        }
    }

    /// Walks from a type along `next`, breadth first. Each `key` is listed once, and each type
    /// is expanded once.
    fn walk(
        &self,
        root: DefinitionId,
        next: impl Fn(DefinitionId) -> Vec<Step>,
        key: impl Fn(Step) -> DefinitionId,
    ) -> Vec<RelatedType> {
        let (mut nodes, mut expanded, mut listed) = (Vec::new(), FxHashSet::from_iter([root]), FxHashSet::default());
        let mut current = Some((root, None, 0));
        while let Some((id, through, depth)) = current {
            for step @ (declaration, id, is_structural) in next(id) {
                if id != root && self.take(1) && listed.insert(key(step)) {
                    nodes.push(RelatedType { id, declaration, through, depth: depth + 1, is_structural });
                }
            }
            let after = through.map_or(0, |at| at + 1);
            let at = (after..nodes.len()).find(|&at| expanded.insert(nodes[at].id));
            current = at.map(|at| (nodes[at].id, Some(at), nodes[at].depth));
        }
        nodes
    }

    fn arity(&self, id: DefinitionId) -> Option<usize> {
        arity(self.graph.signature(id), self.graph.name(id))
    }

    /// Returns the type that a declaration with bases is about. What is implemented for the objects
    /// of a trait (`impl Read for dyn Write`) is not implemented by the trait's own
    /// implementations.
    fn extended(&self, declaration: DefinitionId) -> DefinitionId {
        let owner = self.graph.owner(declaration);
        let is_extension = self.graph.traits(declaration).kind() == DefinitionKind::Extension;
        let is_of_trait = self.graph.traits(owner).kind() == DefinitionKind::Trait;
        if is_extension && !is_of_trait { owner } else { declaration }
    }

    /// Returns the bases that a type and its extensions name, each with the definition that names
    /// it.
    fn declared_bases(&self, id: DefinitionId) -> Vec<(DefinitionId, DefinitionId)> {
        let is_part = |&part: &DefinitionId| {
            self.graph.traits(part).kind() == DefinitionKind::Extension && self.extended(part) == id
        };
        let parts = std::iter::once(id).chain(self.graph.owned(id).filter(is_part));
        parts.flat_map(|part| self.graph.bases(part).map(move |base| (part, self.extended(base)))).collect()
    }

    /// Checks whether the methods that implement `base` must be in the declaration itself:
    /// `impl Trait for Type { .. }`.
    fn is_block(&self, declaration: DefinitionId, base: DefinitionId) -> bool {
        self.graph.traits(declaration).kind() == DefinitionKind::Extension
            && self.graph.traits(base).kind() == DefinitionKind::Trait
    }

    fn is_interface(&self, id: DefinitionId) -> bool {
        self.graph.traits(id).kind() == DefinitionKind::Interface
    }

    /// Returns the method with its type, if it belongs to one.
    fn member(&self, id: DefinitionId) -> Option<Member> {
        let owner = self.graph.owner(id);
        if owner != id {
            return Some(Member { id, owner, part: id });
        }
        let part = self.graph.definition(id).parent;
        let is_inside = part != id && self.graph.traits(part).kind().has_members();
        is_inside.then(|| Member { id, owner: self.extended(part), part })
    }

    /// Returns the method with its type, if a call of it may reach an override.
    fn virtual_member(&self, id: DefinitionId) -> Option<Member> {
        self.member(id).filter(|own| self.may_dispatch(id) && self.has_virtual_members(own.owner))
    }

    fn has_virtual_members(&self, id: DefinitionId) -> bool {
        !self.dispatch(id).is_some_and(|rules| rules.interfaces == Interfaces::Structural) || self.is_interface(id)
    }

    fn spec(&self, id: DefinitionId) -> Option<&'a Spec> {
        let language = self.graph.language(self.graph.file_around(id))?;
        self.registry.spec(LangId(language))
    }

    fn dispatch(&self, id: DefinitionId) -> Option<&'a Dispatch> {
        self.spec(id).map(|spec| &spec.dispatch)
    }

    /// Checks whether a method is one that an object selects: no constructor, and no `static` or
    /// `private` in its signature.
    fn may_dispatch(&self, id: DefinitionId) -> bool {
        let Some(spec) = self.spec(id) else { return false };
        let (name, mut constructors) = (self.graph.name(id), spec.scopes.constructors.iter());
        let is_constructor = constructors.any(|constructor| match constructor.as_str() {
            "{type}" => self.type_of(id).is_some_and(|owner| self.graph.name(owner) == name),
            constructor => constructor == name,
        });
        let mut words = self.graph.signature(id).split(|c: char| !c.is_alphanumeric());
        self.graph.traits(id).kind().is_function()
            && !is_constructor
            && (spec.dispatch.fixed_words.is_empty()
                || !words.any(|word| spec.dispatch.fixed_words.iter().any(|one| one == word)))
    }

    /// Checks whether the signature of a method marks the type as its receiver (`def self.run`).
    fn is_method_of_type(&self, id: DefinitionId) -> bool {
        let (name, signature) = (self.graph.name(id), self.graph.signature(id));
        let marks = self.dispatch(id).map_or(&[][..], |rules| &rules.type_method_marks);
        let is_marked =
            |mark: &String| signature.split_once(mark.as_str()).is_some_and(|(_, after)| after.starts_with(name));
        marks.iter().any(is_marked)
    }

    /// Returns the other methods of the same name that may override a method, or be overridden by
    /// it, by type.
    fn named_like(&self, own: Member) -> FxHashMap<DefinitionId, Vec<Member>> {
        let same_parameters = self.dispatch(own.id).is_some_and(|rules| rules.same_parameters);
        let (wanted, is_of_type) = (self.arity(own.id), self.is_method_of_type(own.id));
        let fits = |id: DefinitionId| {
            let same_count =
                !same_parameters || wanted.is_none() || self.arity(id).is_none_or(|count| wanted == Some(count));
            same_count && self.is_method_of_type(id) == is_of_type
        };
        let mut by_type: FxHashMap<DefinitionId, Vec<Member>> = FxHashMap::default();
        for id in self.graph.named(self.graph.name(own.id)) {
            if self.take(1)
                && self.graph.traits(id).kind().is_function()
                && fits(id)
                && self.may_dispatch(id)
                && let Some(member) = self.member(id).filter(|member| member.owner != own.owner)
            {
                by_type.entry(member.owner).or_default().push(member);
            }
        }
        by_type
    }

    /// Returns the types that have all methods of a structural interface.
    fn structural_subtypes(&self, interface: DefinitionId) -> Vec<DefinitionId> {
        if !self.is_structural(interface) {
            return Vec::new();
        }
        let methods = self.method_set(interface);
        let named = |&(name, _): &(&'a str, Option<usize>)| self.graph.named(name);
        let Some(rarest) = methods.iter().map(named).min_by_key(Vec::len) else { return Vec::new() };
        let mut types: Vec<DefinitionId> = rarest
            .into_iter()
            .filter_map(|id| Some(self.member(id)?.owner))
            .filter(|&id| !self.is_interface(id))
            .collect();
        let (mut seen, mut at) = (FxHashSet::from_iter(types.iter().copied()), 0);
        while let Some(&id) = types.get(at) {
            // A type has the methods of the types that it embeds.
            let derived =
                self.graph.derived(id).filter(|&id| !self.is_interface(id) && self.take(1) && seen.insert(id));
            types.extend(derived);
            at += 1;
        }
        sorted(types.into_iter().filter(|&id| self.satisfies(id, interface)).collect())
    }

    /// Returns the structural interfaces that a type implements.
    fn structural_supertypes(&self, id: DefinitionId) -> Vec<DefinitionId> {
        if self.is_interface(id) || !self.dispatch(id).is_some_and(Dispatch::has_structural_interfaces) {
            return Vec::new();
        }
        let methods = self.method_set(id);
        let named = methods.iter().flat_map(|&(name, _)| self.graph.named(name));
        let owners = named.filter(|_| self.take(1)).filter_map(|id| Some(self.member(id)?.owner));
        let interfaces = sorted(owners.filter(|&owner| self.is_structural(owner)).collect());
        interfaces.into_iter().filter(|&interface| self.satisfies(id, interface)).collect()
    }

    fn is_structural(&self, id: DefinitionId) -> bool {
        self.is_interface(id) && self.dispatch(id).is_some_and(Dispatch::has_structural_interfaces)
    }

    /// Checks whether a type has all methods of an interface. Only types of the same directory have
    /// its private methods.
    fn satisfies(&self, id: DefinitionId, interface: DefinitionId) -> bool {
        let (wanted, methods) = (self.method_set(interface), self.method_set(id));
        let language = |id| self.graph.language(self.graph.file_around(id));
        let directory =
            |id| self.graph.path(self.graph.file_around(id)).rsplit_once('/').map(|(directory, _)| directory);
        let is_private = |name| self.spec(interface).is_some_and(|spec| spec.api.is_private_name(name));
        let is_near = language(id) == language(interface)
            && (directory(id) == directory(interface) || !wanted.iter().any(|&(name, _)| is_private(name)));
        !wanted.is_empty() && self.take(wanted.len()) && is_near && wanted.is_subset(&methods)
    }

    /// Returns the methods of a type and of the types that it embeds.
    fn method_set(&self, id: DefinitionId) -> Rc<MethodSet<'a>> {
        if let Some(known) = self.methods.borrow().get(&id) {
            return known.clone();
        }
        let (mut methods, mut types, mut seen) = (MethodSet::default(), vec![id], FxHashSet::from_iter([id]));
        while let Some(id) = types.pop() {
            let own =
                self.graph.owned(id).chain(self.inside(id)).filter(|&id| self.graph.traits(id).kind().is_function());
            methods.extend(own.map(|id| (self.graph.name(id), self.arity(id))));
            types.extend(self.graph.bases(id).filter(|&base| self.take(1) && seen.insert(base)));
        }
        let methods = Rc::new(methods);
        self.methods.borrow_mut().insert(id, methods.clone());
        methods
    }

    /// Returns the definitions directly inside a type.
    fn inside(&self, id: DefinitionId) -> impl Iterator<Item = DefinitionId> + '_ {
        let end = self.graph.definition(id).end_byte;
        let after = self.graph.definitions_of(self.graph.file_around(id)).skip_while(move |&other| other <= id);
        let nested = after.take_while(move |&other| self.take(1) && self.graph.definition(other).start_byte < end);
        nested.filter(move |&other| self.graph.definition(other).parent == id)
    }

    /// Counts steps. Returns false if the limit is reached.
    fn take(&self, steps: usize) -> bool {
        self.steps.set(self.steps.get().saturating_add(steps));
        self.steps.get() <= MAX_STEPS
    }
}

/// Returns the number of parameters in a signature, including a receiver that is a parameter and
/// parameters without a name. Returns `None` if the signature has no complete parameter list.
fn arity(signature: &str, name: &str) -> Option<usize> {
    let is_whole = |at: &usize| !signature[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    let mut places = signature.match_indices(name).map(|(at, _)| at).filter(is_whole);
    let list = places.find_map(|at| after_type_parameters(&signature[at + name.len()..])?.strip_prefix('('))?;
    let (mut depth, mut count, mut is_empty, mut before) = (0usize, 0, true, ' ');
    for c in list.chars() {
        match c {
            ')' if depth == 0 => return Some(count + usize::from(!is_empty)),
            ',' if depth == 0 => (count, is_empty) = (count + 1, true),
            '(' | '[' | '{' => depth += 1,
            '<' if before.is_alphanumeric() || before == '_' || before == ':' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '>' if depth > 0 && !matches!(before, '-' | '=') => depth -= 1,
            c if !c.is_whitespace() => is_empty = false,
            _ => {}
        }
        is_empty &= depth == 0;
        before = c;
    }
    None
}

/// Returns the text after type parameters (`<T>`, `[T any]`), if it begins with some.
fn after_type_parameters(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let (mut depth, mut before) = (0usize, ' ');
    for (at, c) in text.char_indices() {
        match c {
            '<' | '[' | '(' if depth > 0 || c != '(' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            '>' if !matches!(before, '-' | '=') => depth = depth.saturating_sub(1),
            _ if depth == 0 => return Some(&text[at..]),
            _ => {}
        }
        before = c;
        if depth == 0 {
            return Some(text[at + c.len_utf8()..].trim_start());
        }
    }
    None
}

fn sorted(mut ids: Vec<DefinitionId>) -> Vec<DefinitionId> {
    ids.sort_unstable();
    ids.dedup();
    ids
}

#[cfg(test)]
mod tests {
    use super::arity;

    #[test]
    fn parameters_without_names_count() {
        let cases = [
            ("Bind(*http.Request, any) error", "Bind", Some(2)),
            (
                "func (b Binding) Bind(request, other *http.Request, target func(a, b int) map[string]int) error",
                "Bind",
                Some(3),
            ),
            ("public <K, V> Map<K, V> read(Map<K, V> in, @Named(\"a, b\") int count)", "read", Some(2)),
            ("fn poll(self: Pin<&mut Self>, bufs: &[(u8, u8)],) -> Poll<()>", "poll", Some(2)),
            ("fn map<F: Fn(u8) -> u8>(self, f: F)", "map", Some(2)),
            ("func (l List[T]) Map[K any](keep func(T) K) List[K]", "Map", Some(1)),
            ("virtual void renew(int, std::map<int, int> = {}) = 0", "renew", Some(2)),
            ("void renew()", "renew", Some(0)),
            ("int size", "size", None),
            ("void renew(int first, int sec", "renew", None),
        ];
        for (signature, name, count) in cases {
            assert_eq!(arity(signature, name), count, "{signature}");
        }
    }
}
