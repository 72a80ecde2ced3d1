//! The fragments of a repository, numbered: definitions by their number in the graph, windows by
//! file and position.

use whichfn_index::fragment::{FragmentNode, LineEnds, Skeleton, SyntaxTree, maximal, window_lines, windows_in};
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::{DefinitionId, FileId, FragmentId, IdVec};
use whichfn_syntax::lang::DefinitionKind;

/// Unit of fragments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FragmentUnit {
    /// One function, type or module.
    Definition,
    /// 20 lines; consecutive windows overlap by 10.
    Window,
}

impl FragmentUnit {
    /// Returns the name written to JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Definition => "definition",
            Self::Window => "window",
        }
    }
}

/// All fragments of one unit.
pub struct Fragments<'a> {
    /// Graph of the index that the fragments belong to.
    pub graph: &'a GraphFile,
    /// Unit of the fragments: all are definitions, or all are windows.
    pub unit: FragmentUnit,
    /// Fragments that take part; the others are ignored.
    pub members: IdVec<FragmentId, bool>,
    /// First fragment of each file, and the end.
    first: IdVec<FileId, FragmentId>,
}

impl<'a> Fragments<'a> {
    /// Creates the fragments of a repository; members are all windows, or all definitions that are
    /// functions.
    pub fn new(graph: &'a GraphFile, unit: FragmentUnit) -> Self {
        let mut fragments = Self::with_members(graph, unit, IdVec::new());
        fragments.members = match unit {
            FragmentUnit::Definition => {
                graph.definition_ids().map(|id| graph.traits(id).kind().is_function()).collect()
            }
            FragmentUnit::Window => IdVec::repeat(true, fragments.count()),
        };
        fragments
    }

    /// Creates the fragments of a repository with the given members, by number: O(files).
    pub fn with_members(graph: &'a GraphFile, unit: FragmentUnit, members: IdVec<FragmentId, bool>) -> Self {
        let mut first = IdVec::new();
        let mut count = 0u32;
        for file in graph.file_ids() {
            first.push(FragmentId(count));
            let more = match unit {
                FragmentUnit::Definition => {
                    let mut definitions = graph.definitions_of(file);
                    let more = definitions.len() as u32;
                    // The numbers of fragments are those of the definitions.
                    (definitions.next() == Some(DefinitionId(count))).then_some(more)
                }
                FragmentUnit::Window => {
                    let lines = graph.file(file).lines;
                    // The end of a line takes at least one byte.
                    (lines as usize <= graph.line_ends(file).len()).then(|| windows_in(lines))
                }
            };
            let end = more.and_then(|more| count.checked_add(more));
            count = end.unwrap_or_else(|| graph.reject());
        }
        first.push(FragmentId(count));
        Self { graph, unit, members, first }
    }

    /// Returns the number of fragments, members or not.
    pub fn count(&self) -> usize {
        self.first[FileId::new(self.first.len() - 1)].index()
    }

    /// Returns the numbers of all fragments, members or not.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = FragmentId> + ExactSizeIterator + Clone + use<> {
        (0..self.count()).map(FragmentId::new)
    }

    /// Returns the fragments of a file, in order of position.
    pub fn of_file(&self, file: FileId) -> impl DoubleEndedIterator<Item = FragmentId> + ExactSizeIterator + use<> {
        (self.first[file].index()..self.first[FileId(file.0 + 1)].index()).map(FragmentId::new)
    }

    /// Returns the fragment of a definition. The unit must be definitions.
    pub fn of_definition(&self, id: DefinitionId) -> FragmentId {
        debug_assert_eq!(self.unit, FragmentUnit::Definition);
        FragmentId(id.0)
    }

    /// Returns the definition of a fragment. The unit must be definitions.
    pub fn definition(&self, fragment: FragmentId) -> DefinitionId {
        debug_assert_eq!(self.unit, FragmentUnit::Definition);
        DefinitionId(fragment.0)
    }

    /// Returns the file that contains a fragment.
    pub fn file(&self, fragment: FragmentId) -> FileId {
        match self.unit {
            FragmentUnit::Definition => self.graph.file_around(self.definition(fragment)),
            FragmentUnit::Window => FileId::new(self.first.as_slice().partition_point(|&first| first <= fragment) - 1),
        }
    }

    /// Returns the first and last line of a fragment, from 1.
    pub fn lines(&self, fragment: FragmentId) -> (u32, u32) {
        match self.unit {
            FragmentUnit::Definition => {
                let row = self.graph.definition(self.definition(fragment));
                (row.start_line, row.end_line)
            }
            FragmentUnit::Window => {
                let file = self.file(fragment);
                let lines = self.graph.file(file).lines;
                window_lines(lines, fragment.0 - self.first[file].0)
            }
        }
    }

    /// Builds the skeleton of a file, with one fragment for each of [`Fragments::of_file`]. Raises
    /// if the index contains another number of fragments.
    pub fn skeleton(&self, file: FileId) -> Skeleton {
        let count = self.of_file(file).len();
        let skeleton = match self.unit {
            FragmentUnit::Definition => Skeleton::unpack(self.graph.skeleton(file)),
            FragmentUnit::Window if !self.graph.has_syntax(file) => {
                Skeleton { ends: vec![0; count], ..Skeleton::default() }
            }
            FragmentUnit::Window => {
                let ends = LineEnds::unpack(self.graph.line_ends(file));
                Skeleton::new(&SyntaxTree::new(&self.graph.syntax(file)), ends.windows())
            }
        };
        if skeleton.ends.len() == count { skeleton } else { self.graph.reject() }
    }

    /// Returns the syntax nodes of each fragment of a file, with their lengths.
    pub fn parts(&self, file: FileId, tree: &SyntaxTree) -> Vec<Vec<FragmentNode>> {
        match self.unit {
            FragmentUnit::Definition => {
                self.graph.rows_of(file).map(|row| maximal(tree, row.start_byte, row.end_byte)).collect()
            }
            FragmentUnit::Window => {
                let ends = LineEnds::unpack(self.graph.line_ends(file));
                ends.windows().map(|(start, end)| maximal(tree, start, end)).collect()
            }
        }
    }

    /// Returns the innermost definition around a line, or else the file itself.
    pub fn definition_at(graph: &GraphFile, file: FileId, line: u32) -> DefinitionId {
        let around = graph.definitions_of(file).rev().find(|&id| {
            let row = graph.definition(id);
            let counts = !matches!(
                row.kind(),
                DefinitionKind::Anonymous
                    | DefinitionKind::Text
                    | DefinitionKind::Declaration
                    | DefinitionKind::Entry
                    | DefinitionKind::Mount
            );
            counts && (row.start_line..=row.end_line).contains(&line)
        });
        around.unwrap_or(graph.file(file).first_definition)
    }
}
