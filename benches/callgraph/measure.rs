//! The comparison of an index with a truth file.
//!
//! The unit is a pair of a calling function and a called function, both outside of tests. A link to
//! the declared target of a call, or to an implementation or override of it, is right.

use super::truth::{Place, Site, Truth};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;
use whichfn::engine::{Engine, NamedDefinition};
use whichfn_graph::CallReason;
use whichfn_syntax::ids::DefinitionId;

type Pair = (DefinitionId, DefinitionId);

/// Edges that link an interface to its implementations, and are no calls.
const NOT_CALLS: &str = "dispatch";

/// A link of the index: the best of its reasons, and the lines of its call sites.
struct Link {
    reason: CallReason,
    lines: Vec<u32>,
}

/// A true pair: the declared target, and all definitions that count as found.
struct TruePair<'t> {
    site: &'t Site,
    found_by: BTreeSet<DefinitionId>,
}

/// Compares the index of `tree` with a truth file and prints the result.
pub(crate) fn compare(tree: &Path, truth: &Path, verbose: bool) {
    let (engine, truth) = (super::open(tree), Truth::read(truth));
    let definitions = Definitions::new(&engine);
    let scope = Scope::new(&definitions, &truth);
    let links = links(&engine, &scope);
    let (pairs, right) = true_pairs(&scope, &truth);
    let judged = judge(&scope, &truth, &links, &right);
    let missed = missed(&pairs, &engine);
    judged.print(&links);
    let share = |n: usize, of: usize| n as f64 / of.max(1) as f64;
    println!("recall {:.3} of {} true pairs", share(pairs.len() - missed.len(), pairs.len()), pairs.len());
    let [methods, with_false, with_missed] = callers_view(&scope, &links, &judged, &pairs, &missed);
    let (with_false, with_missed) = (share(with_false, methods), share(with_missed, methods));
    println!("of {methods} methods: with a false caller {with_false:.3}, with a missing caller {with_missed:.3}");
    if verbose {
        judged.print_false(&definitions, &links);
        for (pair, true_pair) in &pairs {
            if missed.contains(pair) {
                let Site { file, line, name, text, .. } = true_pair.site;
                println!("  missing {file}:{line} {} -> {name} ({text})", definitions.all[&pair.0].qualified_name);
            }
        }
    }
}

/// The definitions of an index, by place.
struct Definitions<'e> {
    all: HashMap<DefinitionId, NamedDefinition<'e>>,
    by_file: HashMap<&'e str, Vec<DefinitionId>>,
}

impl<'e> Definitions<'e> {
    fn new(engine: &'e Engine) -> Self {
        let (mut all, mut by_file) = (HashMap::new(), HashMap::<_, Vec<_>>::new());
        for definition in engine.named_definitions() {
            by_file.entry(definition.path).or_default().push(definition.id);
            all.insert(definition.id, definition);
        }
        Self { all, by_file }
    }

    fn in_file(&self, file: &str) -> impl Iterator<Item = &NamedDefinition<'e>> {
        self.by_file.get(file).into_iter().flatten().map(|id| &self.all[id])
    }

    /// Returns the innermost function around a line, optionally with a given name.
    fn around(&self, file: &str, line: u32, name: Option<&str>) -> Option<DefinitionId> {
        let is_around = |d: &&NamedDefinition<'_>| {
            d.row.start_line <= line
                && line <= d.row.end_line
                && is_function(d)
                && name.is_none_or(|name| own_name(d) == name)
        };
        let inner =
            |d: &&NamedDefinition<'_>| (d.row.end_line - d.row.start_line, std::cmp::Reverse((d.row.start_line, d.id)));
        self.in_file(file).filter(is_around).min_by_key(inner).map(|d| d.id)
    }

    /// Returns the function that is declared at a place.
    fn function_at(&self, (file, line, name): &Place) -> Option<DefinitionId> {
        let here: Vec<_> = self.in_file(file).filter(|d| d.row.line == *line && is_function(d)).collect();
        let named = here.iter().find(|d| name.as_deref() == Some(own_name(d)));
        match (named, here.as_slice()) {
            (Some(named), _) => Some(named.id),
            (None, [only]) if name.is_none() => Some(only.id),
            _ => self.around(file, *line, name.as_deref()),
        }
    }

    /// Returns the type that is declared at a place.
    fn type_at(&self, (file, line, _): &Place) -> Option<DefinitionId> {
        let is_type = |d: &&NamedDefinition<'_>| !is_function(d) && !matches!(d.kind, "anonymous" | "text");
        self.in_file(file).filter(is_type).find(|d| d.row.line == *line).map(|d| d.id)
    }
}

fn is_function(definition: &NamedDefinition<'_>) -> bool {
    definition.kind == "function" || is_method(definition)
}

fn is_method(definition: &NamedDefinition<'_>) -> bool {
    matches!(definition.kind, "method" | "constructor")
}

fn own_name<'a>(definition: &NamedDefinition<'a>) -> &'a str {
    definition.qualified_name.rsplit(['.', ':', '#']).next().unwrap_or_default()
}

/// The functions whose calls count: those that are no tests and that the compiler saw.
struct Scope<'d> {
    definitions: &'d Definitions<'d>,
    functions: HashSet<DefinitionId>,
}

impl<'d> Scope<'d> {
    fn new(definitions: &'d Definitions<'d>, truth: &Truth) -> Self {
        let places = truth.covered.as_ref();
        let covered: Option<HashSet<_>> =
            places.map(|all| all.iter().filter_map(|(file, line)| definitions.around(file, *line, None)).collect());
        let files: Option<HashSet<&str>> = truth.files.as_ref().map(|all| all.iter().map(String::as_str).collect());
        let counts = |d: &&NamedDefinition<'_>| {
            (is_function(d) || d.kind == "macro")
                && !d.row.is_test()
                && files.as_ref().is_none_or(|files| files.contains(d.path))
                && covered.as_ref().is_none_or(|covered| covered.contains(&d.id))
        };
        Self { definitions, functions: definitions.all.values().filter(counts).map(|d| d.id).collect() }
    }

    fn contains(&self, id: DefinitionId) -> bool {
        self.functions.contains(&id)
    }
}

/// Returns the links from functions in scope to functions.
fn links(engine: &Engine, scope: &Scope<'_>) -> BTreeMap<Pair, Link> {
    let mut links: BTreeMap<Pair, Link> = BTreeMap::new();
    for call in engine.located_calls() {
        let callee = &scope.definitions.all[&call.callee];
        if scope.contains(call.caller) && is_function(callee) && call.reason.name() != NOT_CALLS {
            let new = Link { reason: call.reason, lines: Vec::new() };
            let link = links.entry((call.caller, call.callee)).or_insert(new);
            link.reason = link.reason.min(call.reason);
            link.lines.push(call.line);
        }
    }
    links
}

/// Returns the true pairs, by caller and declared target, and all pairs that are right.
fn true_pairs<'t>(
    scope: &Scope<'_>,
    truth: &'t Truth,
) -> (BTreeMap<(DefinitionId, &'t Place), TruePair<'t>>, HashSet<Pair>) {
    let (mut pairs, mut right) = (BTreeMap::new(), HashSet::new());
    let definitions = scope.definitions;
    for site in &truth.sites {
        let caller = definitions.around(&site.file, site.line, None).filter(|&id| scope.contains(id));
        let (Some(caller), Some(target)) = (caller, &site.target) else { continue };
        let declared = definitions.function_at(target);
        let created = site.ty.as_ref().or(Some(target).filter(|_| site.kind == "new"));
        let others = site.alts.iter().filter_map(|place| definitions.function_at(place));
        let created = created.and_then(|place| definitions.type_at(place));
        let found_by: BTreeSet<_> = declared.into_iter().chain(created).chain(others).collect();
        right.extend(found_by.iter().map(|&callee| (caller, callee)));
        let is_test = declared.is_some_and(|id| definitions.all[&id].row.is_test());
        if site.kind != "ref" && !is_test {
            let new = TruePair { site, found_by: BTreeSet::new() };
            pairs.entry((caller, target)).or_insert(new).found_by.extend(found_by);
        }
    }
    (pairs, right)
}

/// Returns the true pairs that no call of the index corresponds to.
fn missed<'t>(
    pairs: &BTreeMap<(DefinitionId, &'t Place), TruePair<'t>>,
    engine: &Engine,
) -> BTreeSet<(DefinitionId, &'t Place)> {
    let calls = engine.located_calls().into_iter().filter(|call| call.reason.name() != NOT_CALLS);
    let calls: HashSet<Pair> = calls.map(|call| (call.caller, call.callee)).collect();
    let is_missed =
        |caller, pair: &TruePair<'_>| !pair.found_by.iter().any(|&callee| calls.contains(&(caller, callee)));
    pairs.iter().filter(|((caller, _), pair)| is_missed(*caller, pair)).map(|(&key, _)| key).collect()
}

/// The verdict on each link.
#[derive(Default)]
struct Judged<'t> {
    right: BTreeSet<Pair>,
    /// False links, with what the compiler saw there.
    wrong: BTreeMap<Pair, &'t Site>,
    /// False links to another overload of a right target.
    overloads: BTreeSet<Pair>,
    unseen: usize,
}

fn judge<'t>(scope: &Scope<'_>, truth: &'t Truth, links: &BTreeMap<Pair, Link>, right: &HashSet<Pair>) -> Judged<'t> {
    let all = &scope.definitions.all;
    let mut sites: HashMap<(&str, u32, &str), Vec<&Site>> = HashMap::new();
    for site in &truth.sites {
        sites.entry((&site.file, site.line, &site.name)).or_default().push(site);
    }
    let qualified = |(caller, callee): Pair| (caller, all[&callee].path, all[&callee].qualified_name);
    let right_names: HashSet<_> = right.iter().map(|&pair| qualified(pair)).collect();
    let mut judged = Judged::default();
    for (&pair, link) in links {
        if right.contains(&pair) {
            judged.right.insert(pair);
            continue;
        }
        let (file, name) = (all[&pair.0].path, own_name(&all[&pair.1]));
        let at = |line: u32| sites.get(&(file, line, name)).into_iter().flatten().copied();
        let mut seen: Vec<&Site> = link.lines.iter().flat_map(|&line| at(line)).collect();
        if seen.is_empty() {
            // A call that spans several lines.
            seen = link.lines.iter().flat_map(|&line| line.saturating_sub(3)..=line + 3).flat_map(at).collect();
        }
        seen.retain(|site| !site.ign);
        match seen.iter().find(|site| site.target.is_some()).or(seen.first()) {
            None => judged.unseen += 1,
            Some(site) => {
                judged.wrong.insert(pair, site);
                if right_names.contains(&qualified(pair)) {
                    judged.overloads.insert(pair);
                }
            }
        }
    }
    judged
}

impl Judged<'_> {
    fn print(&self, links: &BTreeMap<Pair, Link>) {
        println!("{:<10} {:>6} {:>10} {:>21} {:>8}", "reason", "links", "precision", "ignoring overloads", "outside");
        for reason in CallReason::ALL {
            self.row(reason.name(), |pair| links[pair].reason == reason);
        }
        self.row("all", |_| true);
        println!("not judged: {}", self.unseen);
    }

    fn row(&self, name: &str, wanted: impl Fn(&Pair) -> bool) {
        let right = self.right.iter().filter(|pair| wanted(pair)).count();
        let overloads = self.overloads.iter().filter(|pair| wanted(pair)).count();
        let wrong = self.wrong.iter().filter(|(pair, _)| wanted(pair));
        let (wrong, outside) =
            wrong.fold((0, 0), |(n, out), (_, site)| (n + 1, out + usize::from(site.target.is_none())));
        let links = right + wrong;
        if links > 0 {
            let share = |n: usize| n as f64 / links as f64;
            let (exact, ignoring) = (share(right), share(right + overloads));
            println!("{name:<10} {links:>6} {exact:>10.3} {ignoring:>21.3} {outside:>8}");
        }
    }

    fn print_false(&self, definitions: &Definitions<'_>, links: &BTreeMap<Pair, Link>) {
        for (pair, site) in &self.wrong {
            let (caller, callee) = (&definitions.all[&pair.0], &definitions.all[&pair.1]);
            let (line, reason) = (links[pair].lines[0], links[pair].reason.name());
            let (from, to) = (caller.qualified_name, callee.qualified_name);
            let (path, there) = (caller.path, callee.path);
            println!("  wrong {path}:{line} {from} -> {there}:{} {to} ({reason}; {})", callee.row.line, site.text);
        }
    }
}

/// Returns the number of methods that have callers, of those with a false one, and of those with a
/// missing one.
fn callers_view<'t>(
    scope: &Scope<'_>,
    links: &BTreeMap<Pair, Link>,
    judged: &Judged<'_>,
    pairs: &BTreeMap<(DefinitionId, &'t Place), TruePair<'t>>,
    missed: &BTreeSet<(DefinitionId, &'t Place)>,
) -> [usize; 3] {
    let target = |(_, place): &(DefinitionId, &Place)| scope.definitions.function_at(place);
    let counts = |id: &DefinitionId| scope.contains(*id) && is_method(&scope.definitions.all[id]);
    let callees = |ids: &mut dyn Iterator<Item = DefinitionId>| ids.filter(counts).collect::<HashSet<_>>();
    let methods = callees(
        &mut links
            .keys()
            .map(|pair| pair.1)
            .chain(pairs.iter().filter(|(_, p)| !p.found_by.is_empty()).filter_map(|(key, _)| target(key))),
    );
    let with_false = callees(&mut judged.wrong.keys().map(|pair| pair.1));
    let with_missed = callees(&mut missed.iter().filter_map(target));
    [methods.len(), with_false.len(), with_missed.len()]
}
