//! Maps functions to the keys that a memory uses for them, and keys to functions in the index. An
//! invented name maps to no function.

use rustc_hash::FxHashMap;
use whichfn_index::store::GraphFile;
use whichfn_memory::Value;
use whichfn_syntax::ids::DefinitionId;
use whichfn_text::path_escaped;

/// Maximum length of a qualified name in a memory or a chunk, in bytes. Functions nested hundreds
/// deep have longer names, which would be repeated for each of them.
const LONGEST_NAME: usize = 500;

/// Style of the keys in a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyStyle {
    /// Unique names of functions.
    Name,
    /// `f1`, `f2`, ... in the order in which the functions were shown. These keys are short, and a
    /// model can distinguish them.
    Number,
}

/// Keys of functions. Each key belongs to one function in the index.
pub struct Candidates<'a> {
    graph: &'a GraphFile,
    style: KeyStyle,
    /// Number of functions with each qualified name.
    bearers: FxHashMap<&'a str, u32>,
    /// Positions in `order` of the functions with a key, indexed by unique name.
    places: FxHashMap<String, usize>,
    /// Functions with a key, each with a flag that is true if the function was shown.
    order: Vec<(DefinitionId, bool)>,
}

impl<'a> Candidates<'a> {
    /// Creates keys that are unique names, for a repository of which no function was shown yet.
    pub fn new(graph: &'a GraphFile) -> Self {
        Self::styled(graph, KeyStyle::Name)
    }

    /// Creates keys in a given style, for a repository of which no function was shown yet.
    pub fn styled(graph: &'a GraphFile, style: KeyStyle) -> Self {
        let mut bearers = FxHashMap::default();
        for id in graph.definition_ids() {
            if graph.traits(id).kind().is_function() {
                *bearers.entry(graph.qualified_name(id)).or_insert(0) += 1;
            }
        }
        Self { graph, style, bearers, places: FxHashMap::default(), order: Vec::new() }
    }

    /// Returns the style of the keys.
    pub fn style(&self) -> KeyStyle {
        self.style
    }

    /// Returns the unique name of a function, which is its qualified name if no other function
    /// shares it.
    ///
    /// Otherwise, it is preceded by the path and, if that is not enough, by the line and the number
    /// of the function on that line. Only the last part of a very long qualified name is used.
    pub fn name(&self, id: DefinitionId) -> String {
        let (row, name) = (self.graph.definition(id), self.graph.qualified_name(id));
        if name.len() > LONGEST_NAME {
            let path = path_escaped(self.graph.path(row.file));
            return format!("{path}:{}.{}:{}", row.line, self.graph.local(id).0, self.graph.name(id));
        }
        if self.bearers.get(name).is_none_or(|&count| count < 2) {
            return name.to_owned();
        }
        let (path, line) = (path_escaped(self.graph.path(row.file)), row.line);
        let of_file = || self.graph.functions_of(row.file).filter(|&other| self.graph.qualified_name(other) == name);
        let on_line = || of_file().filter(|&other| self.graph.definition(other).line == line);
        match (of_file().count(), on_line().count()) {
            (1, _) => format!("{path}:{name}"),
            (_, 1) => format!("{path}:{line}:{name}"),
            _ => format!("{path}:{line}.{}:{name}", on_line().take_while(|&other| other != id).count() + 1),
        }
    }

    /// Marks a function as shown, and returns its key.
    pub fn show(&mut self, id: DefinitionId) -> String {
        let (key, place) = self.placed(id);
        self.order[place].1 = true;
        key
    }

    /// Returns the key of a function that is about to be shown.
    pub fn assign(&mut self, id: DefinitionId) -> String {
        self.placed(id).0
    }

    fn placed(&mut self, id: DefinitionId) -> (String, usize) {
        let name = self.name(id);
        let next = self.order.len();
        let place = *self.places.entry(name.clone()).or_insert(next);
        if place == next {
            self.order.push((id, false));
        }
        (self.styled_key(name, place), place)
    }

    /// Returns the key of a function, or `None` if the function was not shown.
    pub fn key(&self, id: DefinitionId) -> Option<String> {
        let name = self.name(id);
        let place = *self.places.get(&name)?;
        self.order[place].1.then(|| self.styled_key(name, place))
    }

    fn styled_key(&self, name: String, place: usize) -> String {
        if self.style == KeyStyle::Name { name } else { format!("f{}", place + 1) }
    }

    /// Returns the shown function with the given key or unique name, or with a simple or qualified
    /// name that no other shown function has.
    pub fn find(&self, key: &str) -> Option<DefinitionId> {
        let key = key.trim().trim_matches(['`', '"', '\'']).trim_end_matches("()");
        let numbered = key.strip_prefix('f').and_then(|number| number.parse::<usize>().ok());
        let numbered = numbered.filter(|_| self.style == KeyStyle::Number).and_then(|number| number.checked_sub(1));
        let placed = numbered.or_else(|| self.places.get(key).copied()).and_then(|place| self.order.get(place));
        if let Some(&(id, true)) = placed {
            return Some(id);
        }
        let is_meant = |id: &DefinitionId| self.graph.name(*id) == key || self.graph.qualified_name(*id) == key;
        let mut meant = self.shown().filter(is_meant);
        let first = meant.next()?;
        meant.next().is_none().then_some(first)
    }

    /// Returns all functions shown so far, in order.
    pub fn shown(&self) -> impl Iterator<Item = DefinitionId> {
        self.order.iter().filter(|(_, is_shown)| *is_shown).map(|&(id, _)| id)
    }

    /// Returns a memory with the keys of its entries replaced by unique names.
    pub fn named(&self, memory: &Value) -> Value {
        let rename = |(key, entry): (&String, &Value)| {
            (self.find(key).map_or_else(|| key.clone(), |id| self.name(id)), entry.clone())
        };
        let of_attribute = |(name, value): (&String, &Value)| {
            let renamed = value.as_map().map(|entries| entries.iter().map(rename).collect());
            (name.clone(), renamed.unwrap_or_else(|| value.clone()))
        };
        memory.as_map().map_or_else(|| memory.clone(), |attributes| attributes.iter().map(of_attribute).collect())
    }

    /// Returns the functions in an attribute of a memory, in the memory's order. Leaves out entries
    /// that match no function.
    pub fn held(&self, memory: Option<&Value>) -> Vec<DefinitionId> {
        memory.and_then(Value::as_map).into_iter().flatten().filter_map(|(key, _)| self.find(key)).collect()
    }
}
