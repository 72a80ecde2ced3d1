//! Entries: the routes and commands that a file registers with a framework.
//!
//! The rules are data (`grammars/frameworks/*.toml`), and apply only to files that import the
//! framework. The walk offers each call, decorator, annotation and object literal of such a file to
//! the rules ([`site`]). A match becomes a definition of the kind
//! [`DefinitionKind::Entry`], at the position of the registration. It has no words, so a search
//! never finds it and no count of words includes it. Its handler is a call: linking resolves it
//! like every other call, and callers, affected code and their updates after an edit need no rules
//! of their own. If the handler is a function without a name, the entry is the definition around
//! it, so that the calls inside belong to the entry.
//!
//! The names are computed at the end of the walk, because a prefix may be registered after the
//! routes that it applies to. A prefix belongs to a variable (`Blueprint`, `router.group`), to a
//! type (annotation on a class), or to everything inside a call (`namespace ... do`). It is known
//! only if the same file registers it.
//!
//! **Cost:** no work for files without a framework, except a search for the imports in the first
//! 16 KiB. Otherwise a look-up of each callee's name.
//!
//! **Alternatives:** a list of routes next to the graph, with its own links to handlers, needs its
//! own resolution, its own updates and its own format.

mod file_routes;
mod groups;
mod handlers;
mod loops;
mod mounts;
mod names;
mod paths;
mod reads;
mod registered;
mod resources;
mod routers;
mod site;
mod tables;

use super::extract::Extractor;
use crate::ids::LocalId;
use crate::lang::{EntryRule, Framework, Language, Registers, WordSort};
use crate::tree::Node;
use groups::{Around, Group};
pub(super) use handlers::Handler;
use loops::Loop;
use mounts::Mounted;
use names::MAX_PREFIXES;
use reads::{Read, reads_of};
use routers::Values;
use rustc_hash::{FxHashMap, FxHashSet};
use site::{MAX_CHAIN, Site, SiteArgument, plain_key, split_name};

/// Maximum number of entries in a file, and of the prefixes and handlers that they may have.
pub const MAX_ENTRIES: usize = 4_096;
/// Maximum depth of calls around a handler.
const MAX_WRAPPERS: usize = 6;
/// Maximum number of nodes between a registration and the assignment around it.
const MAX_AROUND: usize = 4;

/// Argument whose name is the path, and whose value is the handler.
const PAIR: &str = "=>";

/// A registration whose name is not known yet.
struct Found<'a, 't> {
    id: LocalId,
    registers: Registers,
    /// Method of a route.
    method: String,
    /// Path, command or flag as written.
    path: String,
    /// True if no type adds a prefix to the path.
    is_complete: bool,
    /// True if one annotation has the method, and another one the path.
    is_joined: bool,
    /// Prefix of everything around.
    around: String,
    /// Variable on which it was registered.
    object: Option<&'a str>,
    /// Variable that the registration is bound to.
    bound: Option<&'a str>,
    scope: LocalId,
    position: usize,
    place: (u32, u32),
    handlers: Vec<Handler<'a, 't>>,
}

/// The entries of a file, and what their names depend on.
#[derive(Default)]
pub(super) struct Entries<'a, 't> {
    frameworks: Vec<&'a Framework>,
    /// Prefix of all routes of the file.
    pub(super) prefix: &'a str,
    found: Vec<Found<'a, 't>>,
    /// Decorators before their definition.
    waiting: Vec<Site<'a, 't>>,
    /// Groups and resources around the current position.
    around: Vec<Around>,
    /// Entry of each function without a name that is a handler, by node.
    inline: FxHashMap<usize, LocalId>,
    groups: Vec<Group<'a>>,
    /// Members of objects with a prefix: the scope, the target of the assignment, and the prefix.
    members: Vec<(LocalId, Node<'t>, LocalId)>,
    /// Indexes of the groups of each variable name.
    groups_by_key: FxHashMap<&'a str, Vec<usize>>,
    /// Annotations of types that no rule names.
    annotations: FxHashSet<(LocalId, &'a str)>,
    /// True if a registration was left out because of a limit.
    pub(super) is_cut: bool,
    /// Variables that hold an application, and those that do not.
    applications: FxHashMap<&'a str, bool>,
    mounts: Vec<Mounted<'a, 't>>,
    /// Variables whose value is a call.
    values: Values<'a, 't>,
    /// Loops over lists of strings.
    loops: Vec<Loop<'a>>,
    /// Prefixes of types, each with its rule.
    types: FxHashMap<LocalId, (String, &'a EntryRule)>,
    /// Calls that belong to a registration further out.
    used: FxHashSet<usize>,
    /// Commands that are variants of a type, by node.
    variants: FxHashMap<usize, String>,
    /// Types whose functions are handlers, each with its site.
    views: Vec<(LocalId, Site<'a, 't>, &'a EntryRule)>,
    /// Handlers of commands that are bound to a variable.
    later: Vec<(&'a str, usize, Handler<'a, 't>)>,
    /// Number of entries that are no routes or commands.
    named: usize,
    /// Names that the file reads, the next one at the end.
    reads: Vec<Read<'a>>,
    /// Offset of the next name that the file reads.
    pub(super) next_read: usize,
}

impl<'a> Entries<'a, '_> {
    /// Creates the state for a file: the frameworks that it uses.
    pub fn of_file(language: &'a Language, path: &str, source: &'a str) -> Self {
        let used = language.frameworks.iter().filter(|framework| framework.is_used(path, source));
        let frameworks: Vec<&Framework> = used.collect();
        let reads = reads_of(language, source);
        let next_read = reads.last().map_or(usize::MAX, |read| read.start());
        let entries = Self { frameworks, reads, next_read, ..Self::default() };
        Self { prefix: entries.prefix_of_file(path).unwrap_or_default(), ..entries }
    }

    /// Returns the usual prefix of all routes in a file.
    fn prefix_of_file(&self, path: &str) -> Option<&'a str> {
        self.frameworks.iter().find_map(|framework| framework.prefix_of_file(path))
    }

    /// Checks whether the frameworks of the file have rules for a name.
    fn has_rules(&self, name: &str) -> bool {
        self.frameworks.iter().any(|framework| framework.rules(name).next().is_some())
    }

    /// Checks whether the file has so many registrations that further ones are left out.
    fn is_full(&self) -> bool {
        let Self { found, groups, mounts, later, annotations, .. } = self;
        let mounts = mounts.len().saturating_sub(annotations.len());
        [found.len(), groups.len(), mounts, later.len()].into_iter().any(|count| count >= MAX_ENTRIES)
    }
}

impl<'a, 't> Extractor<'a, 't> {
    /// Offers a call, decorator, annotation or object literal to the rules of the file's
    /// frameworks.
    pub(super) fn note_site(&mut self, node: Node<'t>, callee: Node<'t>, arguments: Option<Node<'t>>, id: u32) {
        if self.entries.frameworks.is_empty() || self.test_file {
            return;
        }
        let (object, name) = self.callee_parts(callee);
        let has_rules = self.entries.has_rules(name);
        if self.entries.is_full() {
            self.entries.is_cut |= has_rules;
            return;
        }
        self.note_calls(node, object, name, arguments);
        let place = (id, self.syntax.depth());
        if !has_rules {
            self.note_annotation(node, callee, place);
            return self.pass_groups(node, callee, name, arguments, place);
        }
        if self.entries.used.contains(&node.number()) || self.definitions[self.innermost()].is_test {
            return;
        }
        self.open_chain(callee, place);
        let site = self.site(node, callee, arguments, place);
        match self.decorated(node) {
            None => self.apply(&site, None),
            _ if self.is_on_field(name) => self.apply(&site, None),
            Some(Some(definition)) => self.apply(&site, Some(definition)),
            Some(None) => self.entries.waiting.push(site),
        }
    }

    /// Offers the first call of a chain to the rules for groups before the calls after it, which
    /// register on what it returns: `Router().use("/users", users)`.
    pub(super) fn open_chain(&mut self, callee: Node<'t>, place: (u32, u32)) {
        let mut first = None;
        let mut at = self.object_of(callee);
        for _ in 0..MAX_CHAIN {
            let Some((callee, arguments)) = at.and_then(|node| self.call_at(node)) else { break };
            first = at.map(|node| (node, callee, arguments));
            at = self.object_of(callee);
        }
        let Some((node, callee, arguments)) = first else { return };
        let (_, name) = self.callee_parts(callee);
        let frameworks = &self.entries.frameworks;
        let is_group = |rule: &EntryRule| rule.registers == Registers::Group && !rule.inside;
        let opens = frameworks.iter().any(|framework| framework.rules(name).any(is_group));
        if opens && self.entries.used.insert(node.number()) {
            let site = self.site(node, callee, arguments, place);
            self.apply(&site, None);
        }
    }

    /// Checks whether annotations with a name are on fields.
    fn is_on_field(&self, name: &str) -> bool {
        self.entries.frameworks.iter().any(|framework| framework.rules(name).any(|rule| rule.field))
    }

    /// Applies the decorators that were waiting for a definition, after it was opened.
    pub(super) fn decorate(&mut self, id: LocalId) {
        let name = self.open.last().map_or(0, |open| open.name.0);
        let at = if name > 0 { name } else { self.definitions[id].span.start_byte as usize };
        for site in std::mem::take(&mut self.entries.waiting) {
            match self.after_marks(site.node) {
                Some(target) if at < target.start() => self.entries.waiting.push(site),
                Some(target) if at < target.end() => self.apply(&site, Some(id)),
                // The decorator is on a field.
                _ => {}
            }
        }
        self.note_view(id);
    }

    /// Returns the node that the decorators around a node apply to, which follows the last of them.
    fn after_marks(&self, node: Node<'t>) -> Option<Node<'t>> {
        let is_mark = |node: &Node<'t>| self.language.meaning(node.kind()).uses.decorator;
        let is_other = |node: &Node<'t>| {
            let meaning = self.language.meaning(node.kind());
            node.is_named() && !is_mark(node) && !meaning.attribute && meaning.words != Some(WordSort::Comment)
        };
        let mut at = node;
        for _ in 0..MAX_AROUND {
            if let Some(target) =
                at.later_siblings().find(is_other).filter(|_| at.number() != node.number() || is_mark(&at))
            {
                return Some(target);
            }
            at = at.parent()?;
        }
        None
    }

    /// Returns the entry whose handler is the function without a name at a node.
    pub(super) fn entry_around(&self, node: Node<'t>) -> Option<LocalId> {
        self.entries.inline.get(&node.number()).copied()
    }

    /// Returns the definition that a decorator or annotation applies to: `Some(None)` if it follows,
    /// `None` if the node is neither.
    fn decorated(&self, node: Node<'t>) -> Option<Option<LocalId>> {
        let is_mark = |node: Node<'t>| self.language.meaning(node.kind()).uses.decorator;
        if !is_mark(node) && !node.parent().is_some_and(is_mark) {
            return None;
        }
        let open = self.open.last()?;
        let Some(found) = open.found else { return Some(None) };
        let at = node.start();
        let is_before_body = found.body.is_none_or(|body| at < body.start());
        let in_parameters = open.parameters.0 <= at && at < open.parameters.1;
        Some((is_before_body && !in_parameters).then_some(open.id))
    }

    fn apply(&mut self, site: &Site<'a, 't>, decorated: Option<LocalId>) {
        let frameworks = self.entries.frameworks.clone();
        let object = site.object();
        let fits = |rule: &&EntryRule| {
            let last = split_name(object).1;
            rule.receivers.is_empty() || rule.receivers.iter().any(|one| one == last || one == object)
        };
        for rule in frameworks.iter().flat_map(|framework| framework.rules(site.name)).filter(fits) {
            if self.register(rule, site, decorated) {
                break;
            }
        }
    }

    /// Applies a rule. Returns true if it matches.
    fn register(&mut self, rule: &'a EntryRule, site: &Site<'a, 't>, decorated: Option<LocalId>) -> bool {
        let is_chained = |name: &String| self.chained_call(site.callee, name).is_some();
        if !rule.chain.is_empty() && !rule.chain.iter().any(is_chained) {
            return false;
        }
        let is_elsewhere = |text: &String| self.source.contains(text.as_str());
        if rule.annotation && decorated.is_none() || rule.unless.iter().any(is_elsewhere) {
            return false;
        }
        let has = |wanted: &String| {
            let pair = wanted.split_once('=');
            let is_pair =
                |one: &SiteArgument<'a, 't>| pair.is_some_and(|(key, text)| one.key == Some(key) && one.text == text);
            site.arguments.iter().any(|one| one.key == Some(wanted) || one.text == wanted || is_pair(one))
        };
        if !rule.requires.is_empty() && !rule.requires.iter().any(has) {
            return false;
        }
        if rule.variants {
            return self.variants(site, decorated);
        }
        let paths = self.based_paths(rule, site, decorated);
        // The group that begins the chain of calls, or else the variable.
        let at = site.node.start();
        let chained = self
            .entries
            .groups
            .iter()
            .rev()
            .find(|group| group.position == at && !group.is_command && !group.is_assumed);
        let object = chained.filter(|_| rule.registers != Registers::Group).map_or(site.object(), |group| group.key);
        let object = Some(object).filter(|object| !object.is_empty() && !rule.roots.iter().any(|root| root == object));
        match rule.registers {
            Registers::Group => {
                let Some(prefix) = paths.into_iter().next() else { return false };
                let on_object = rule.on_object.iter().find_map(|one| self.site_value(site, one));
                let object = on_object.map(|one| plain_key(one.text)).or(object);
                self.group(rule, site, decorated, prefix, object)
            }
            Registers::Mount => {
                let count = if rule.inside { 1 } else { MAX_PREFIXES };
                let mounted: Vec<bool> =
                    paths.into_iter().take(count).map(|prefix| self.mount(rule, site, prefix, object)).collect();
                mounted.contains(&true)
            }
            Registers::Handler => {
                let handlers = self.handlers(rule, site, None);
                let (Some(object), Some(handler)) = (object, handlers.into_iter().next()) else { return false };
                self.entries.later.push((object, site.node.start(), handler));
                true
            }
            Registers::Template => self.template(rule, site, decorated, paths),
            Registers::Resource if rule.pairs => self.resources(rule, site, object),
            Registers::Resource => self.resource(rule, site, object, paths),
            Registers::Name => self.named(rule, site, decorated, &paths),
            Registers::Route | Registers::Command | Registers::Flag => self.entry(rule, site, decorated, object, paths),
        }
    }
}
