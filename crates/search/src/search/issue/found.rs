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
use super::paths::{Paths, around, is_in_scope};
use super::text::Issue;
use super::trace::TraceFrame;
use crate::search::feature::{Feature, RawFeatures};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::{DefinitionId, FileId};

/// Maximum number of definitions with a name that the text refers to.
const MOST_ALIKE: usize = 60;
/// Strength of a member of a type, relative to the type that the text refers to.
const OF_MEMBER: f32 = 0.4;

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
        let is_named = |mention: &Mention| !matches!(mention, Mention::Name { .. });
        let needs_paths = !issue.frames.is_empty() || issue.mentions.iter().any(is_named);
        let paths = if needs_paths { Paths::new(graph) } else { Paths::default() };
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
                trace.iter().map(|frame| paths.frame(graph, frame)).filter(|ids| !ids.is_empty()).collect();
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
}

fn rarity(count: usize) -> f32 {
    1.0 / (1.0 + (count.max(1) as f32).ln())
}
