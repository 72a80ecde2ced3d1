//! Finds the definitions of an index that the text of an issue refers to, and how strongly.
//!
//! A name counts by its rarity: one over 1 + ln(number of definitions with it). A definition that
//! the text does not name has features too: its class or file is named, or it calls, or is called
//! by, a definition that is named.
//!
//! - **Cost:** one look-up for each name, and one pass over the paths of all files if the text
//!   names a file or a module or has a trace. A name with more than [`MOST_ALIKE`] definitions
//!   refers to none.

use super::mention::{Mention, MentionPlace};
use super::text::Issue;
use super::trace::TraceFrame;
use crate::search::feature::{Feature, RawFeatures};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::{DefinitionId, FileId};

/// Maximum number of definitions with a name that the text refers to.
const MOST_ALIKE: usize = 60;
/// Maximum number of files that a path or module refers to.
const MOST_FILES: usize = 12;
/// Strength of a member of a type, relative to the type that the text refers to.
const OF_MEMBER: f32 = 0.4;
/// Names of files that represent their folder.
const FOLDER_FILES: [&str; 4] = ["__init__", "index", "mod", "lib"];

/// How an issue refers to one definition.
#[derive(Debug, Clone, Copy, Default)]
struct Reference {
    /// Rarity of its name, for each [`MentionPlace`] where it occurs.
    places: [f32; MentionPlace::COUNT],
    /// Rarity of its name together with the name before it.
    qualified: f32,
    /// 1 / (1 + depth) of its innermost frame.
    frame: f32,
    /// Position of its frame between the innermost (0) and the outermost (1).
    entry: f32,
    /// 1 if a link points to its lines.
    linked: f32,
}

impl Reference {
    /// Returns how strongly the issue refers to the definition.
    fn strength(&self) -> f32 {
        self.places.iter().fold(self.qualified.max(self.frame).max(self.linked), |most, &place| most.max(place))
    }
}

/// The definitions and files of one index that an issue refers to.
#[derive(Default)]
pub(in crate::search) struct MentionedDefinitions {
    references: BTreeMap<DefinitionId, Reference>,
    /// Strength of the paths, of the modules and of the frames in each file.
    files: FxHashMap<FileId, [f32; 3]>,
    /// Strength of the best named definition with each parent.
    siblings: FxHashMap<DefinitionId, f32>,
}

impl MentionedDefinitions {
    /// Looks up everything that an issue refers to.
    pub fn new(graph: &GraphFile, issue: &Issue) -> Self {
        let mut found = Self::default();
        let paths = Paths::new(graph, issue);
        issue.mentions.iter().for_each(|mention| found.mention(graph, &paths, mention));
        found.frames(graph, &paths, &issue.frames);
        for (&id, reference) in &found.references {
            let best = found.siblings.entry(graph.definition(id).parent).or_default();
            *best = best.max(reference.strength());
        }
        found
    }

    /// Returns the definitions that the text refers to, and the members of the types that it refers
    /// to, each with the strength.
    pub fn named(&self, graph: &GraphFile) -> Vec<(DefinitionId, f32)> {
        let mut named: BTreeMap<DefinitionId, f32> = BTreeMap::new();
        for (&id, reference) in &self.references {
            let row = graph.definition(id);
            let strength = named.entry(id).or_default();
            *strength = strength.max(reference.strength());
            if !row.kind().is_type() {
                continue;
            }
            let of_file = graph.definitions_of(row.file).zip(graph.rows_of(row.file));
            for (member, _) in of_file.filter(|(_, member)| member.parent == id) {
                let strength = named.entry(member).or_default();
                *strength = strength.max(reference.strength() * OF_MEMBER);
            }
        }
        named.into_iter().collect()
    }

    /// Sets the features of a candidate.
    pub fn measure(&self, out: &mut RawFeatures, graph: &GraphFile, id: DefinitionId) {
        let own = self.references.get(&id).copied().unwrap_or_default();
        let [title, prose, inline, block, message] = own.places;
        out.set(Feature::NamedTitle, title);
        out.set(Feature::NamedProse, prose);
        out.set(Feature::NamedInline, inline);
        out.set(Feature::NamedBlock, block);
        out.set(Feature::NamedMessage, message);
        out.set(Feature::NamedQualified, own.qualified);
        out.set(Feature::Frame, own.frame);
        out.set(Feature::FrameEntry, own.entry);
        out.set(Feature::Linked, own.linked);
        let row = graph.definition(id);
        let parent = self.references.get(&row.parent).copied().unwrap_or_default();
        out.set(Feature::TypeTitle, parent.places[MentionPlace::Title as usize]);
        out.set(Feature::TypeText, parent.places.iter().copied().fold(parent.qualified, f32::max));
        let [path, module, frame] = self.files.get(&row.file).copied().unwrap_or_default();
        out.set(Feature::FileNamed, path);
        out.set(Feature::ModuleNamed, module);
        out.set(Feature::FrameFile, frame);
        let strength = |id: DefinitionId| self.references.get(&id).map_or(0.0, Reference::strength);
        let frame_of = |id: DefinitionId| self.references.get(&id).map_or(0.0, |reference| reference.frame);
        let callers = || graph.callers(id).iter().copied().filter(|&caller| caller != id);
        out.set(Feature::CallerNamed, callers().map(strength).fold(0.0, f32::max));
        out.set(Feature::CallerFrame, callers().map(frame_of).fold(0.0, f32::max));
        let callees = graph.calls(id).iter().map(|call| call.callee).filter(|&callee| callee != id);
        out.set(Feature::CalleeNamed, callees.map(strength).fold(0.0, f32::max));
        out.set(Feature::SiblingNamed, self.siblings.get(&row.parent).copied().unwrap_or_default());
    }

    fn mention(&mut self, graph: &GraphFile, paths: &Paths<'_>, mention: &Mention) {
        match mention {
            Mention::Name { name, scope, place } => self.name(graph, name, scope, *place),
            Mention::Path(path) => self.files(&paths.of_path(path), 0),
            Mention::Dotted(name) => self.files(&paths.of_module(name), 1),
            Mention::Lines { path, lines } => {
                for file in paths.of_path(path) {
                    self.files(&[file], 0);
                    for id in around(graph, file, *lines) {
                        self.references.entry(id).or_default().linked = 1.0;
                    }
                }
            }
        }
    }

    fn name(&mut self, graph: &GraphFile, name: &str, scope: &str, place: MentionPlace) {
        let alike = graph.named(name);
        if alike.is_empty() || alike.len() > MOST_ALIKE {
            return;
        }
        let of_scope = |id: &DefinitionId| !scope.is_empty() && is_in_scope(graph, *id, scope);
        let scoped = alike.iter().filter(|id| of_scope(id)).count();
        for id in &alike {
            let reference = self.references.entry(*id).or_default();
            let at = &mut reference.places[place as usize];
            *at = at.max(rarity(alike.len()));
            if scoped > 0 && of_scope(id) {
                reference.qualified = reference.qualified.max(rarity(scoped));
            }
        }
    }

    fn files(&mut self, files: &[FileId], sort: usize) {
        for &file in files {
            let strength = &mut self.files.entry(file).or_default()[sort];
            *strength = strength.max(rarity(files.len()));
        }
    }

    /// Adds the functions of the frames. The line shows which function it is, unless the function
    /// of that name is elsewhere: issues are older or younger than the code.
    fn frames(&mut self, graph: &GraphFile, paths: &Paths<'_>, frames: &[TraceFrame]) {
        let traces = frames.chunk_by(|_, next| next.depth > 0);
        for trace in traces {
            // Only the frames of this repository count: the innermost of them has depth 0.
            let known: Vec<Vec<DefinitionId>> =
                trace.iter().map(|frame| self.frame(graph, paths, frame)).filter(|ids| !ids.is_empty()).collect();
            let last = known.len().saturating_sub(1).max(1) as f32;
            for (depth, ids) in known.iter().enumerate() {
                for id in ids {
                    let strength = rarity(ids.len()) / (1.0 + depth as f32);
                    let reference = self.references.entry(*id).or_default();
                    if strength > reference.frame {
                        (reference.frame, reference.entry) = (strength, depth as f32 / last);
                    }
                    let file = &mut self.files.entry(graph.definition(*id).file).or_default()[2];
                    *file = file.max(strength);
                }
            }
        }
    }

    fn frame(&self, graph: &GraphFile, paths: &Paths<'_>, frame: &TraceFrame) -> Vec<DefinitionId> {
        let (scope, name) = match frame.function.rsplit_once('.') {
            Some((scope, name)) => (scope.rsplit('.').next().unwrap_or_default(), name),
            None => ("", frame.function.as_str()),
        };
        let named = if name.is_empty() { Vec::new() } else { graph.named(name) };
        if frame.path.is_empty() {
            let scoped: Vec<DefinitionId> =
                named.into_iter().filter(|&id| !scope.is_empty() && is_in_scope(graph, id, scope)).collect();
            return if scoped.len() <= MOST_FILES { scoped } else { Vec::new() };
        }
        let files = paths.of_path(&frame.path);
        let mut found: Vec<DefinitionId> =
            named.into_iter().filter(|&id| files.contains(&graph.definition(id).file)).collect();
        let line = frame.line.unwrap_or_default();
        if found.is_empty() && frame.line.is_some() {
            found = files.iter().filter_map(|&file| around(graph, file, (line, line)).pop()).collect();
        }
        let is_around = |id: &DefinitionId| {
            let row = graph.definition(*id);
            (row.start_line..=row.end_line).contains(&line)
        };
        if found.iter().any(is_around) {
            found.retain(is_around);
        }
        if found.len() > MOST_FILES { Vec::new() } else { found }
    }
}

/// Returns the functions of a file that a range of lines touches, the innermost last.
fn around(graph: &GraphFile, file: FileId, (first, last): (u32, u32)) -> Vec<DefinitionId> {
    let rows = graph.definitions_of(file).zip(graph.rows_of(file)).filter(|(_, row)| row.kind().is_function());
    rows.filter(|(_, row)| row.start_line <= last && row.end_line >= first).map(|(id, _)| id).collect()
}

/// Checks whether a definition is in a type or file of this name.
fn is_in_scope(graph: &GraphFile, id: DefinitionId, scope: &str) -> bool {
    let row = graph.definition(id);
    graph.name(row.parent) == scope || stem_of(graph.path(row.file)).rsplit('/').next() == Some(scope)
}

fn rarity(count: usize) -> f32 {
    1.0 / (1.0 + (count.max(1) as f32).ln())
}

/// Returns a path without its ending, and without a file name that represents the folder.
fn stem_of(path: &str) -> &str {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    match stem.rsplit_once('/') {
        Some((folder, name)) if FOLDER_FILES.contains(&name) => folder,
        _ => stem,
    }
}

/// The files of an index, by the last part of their path.
struct Paths<'g> {
    by_name: FxHashMap<&'g str, Vec<(FileId, &'g str)>>,
    by_stem: FxHashMap<&'g str, Vec<(FileId, &'g str)>>,
}

impl<'g> Paths<'g> {
    fn new(graph: &'g GraphFile, issue: &Issue) -> Self {
        let mut paths = Self { by_name: FxHashMap::default(), by_stem: FxHashMap::default() };
        let is_named = |mention: &Mention| !matches!(mention, Mention::Name { .. });
        if issue.frames.is_empty() && !issue.mentions.iter().any(is_named) {
            return paths;
        }
        for file in graph.file_ids() {
            let path = graph.path(file);
            let stem = stem_of(path);
            paths.by_name.entry(last_part(path)).or_default().push((file, path));
            paths.by_stem.entry(last_part(stem)).or_default().push((file, stem));
        }
        paths
    }

    /// Returns the files that share the longest end with a path, of at least its file name.
    ///
    /// A path may start with folders outside the repository, and the repository may have folders
    /// that the path lacks.
    fn of_path(&self, path: &str) -> Vec<FileId> {
        let Some(alike) = self.by_name.get(last_part(path)) else { return Vec::new() };
        let shared = |known: &str| known.rsplit('/').zip(path.rsplit('/')).take_while(|(a, b)| a == b).count();
        let most = alike.iter().map(|(_, known)| shared(known)).max().unwrap_or_default();
        let files: Vec<FileId> =
            alike.iter().filter(|(_, known)| shared(known) == most).map(|&(file, _)| file).collect();
        // A single shared name is no evidence if both have folders that differ.
        let is_weak = most == 1 && path.contains('/') && alike.iter().all(|(_, known)| known.contains('/'));
        if files.len() > MOST_FILES || is_weak { Vec::new() } else { files }
    }

    /// Returns the files that a dotted name refers to: a module, or the start of the name.
    fn of_module(&self, name: &str) -> Vec<FileId> {
        let parts: Vec<&str> = name.split('.').collect();
        for end in (2..=parts.len()).rev() {
            let Some(alike) = self.by_stem.get(parts[end - 1]) else { continue };
            let path = parts[..end].join("/");
            let is_module =
                |known: &str| known == path || known.strip_suffix(path.as_str()).is_some_and(|at| at.ends_with('/'));
            let files: Vec<FileId> =
                alike.iter().filter(|(_, known)| is_module(known)).map(|&(file, _)| file).collect();
            if !files.is_empty() && files.len() <= MOST_FILES {
                return files;
            }
        }
        Vec::new()
    }
}

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
