//! The fragments of a repository, numbered: definitions by their number in the graph, windows by file and place.

use crate::fragment::{FragmentNode, LineEnds, Skeleton, SyntaxTree, maximal, window_lines, windows_in};
use crate::ids::{DefinitionId, FileId};
use crate::lang::DefinitionKind;
use crate::store::GraphFile;

/// What a fragment is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FragmentUnit {
    /// One function, type or module.
    Definition,
    /// 20 lines; consecutive windows overlap by 10.
    Window,
}

impl FragmentUnit {
    /// The word that JSON prints.
    pub fn name(self) -> &'static str {
        match self {
            Self::Definition => "definition",
            Self::Window => "window",
        }
    }
}

/// All fragments of one unit.
pub struct Fragments<'a> {
    /// The index that they are of.
    pub graph: &'a GraphFile,
    /// What each is.
    pub unit: FragmentUnit,
    /// Which take part; the others are as if they were not there.
    pub members: Vec<bool>,
    /// First fragment of each file, and the end.
    first: Vec<u32>,
}

impl<'a> Fragments<'a> {
    /// All windows of a repository, or all definitions that are functions.
    pub fn new(graph: &'a GraphFile, unit: FragmentUnit) -> Self {
        let mut fragments = Self::with_members(graph, unit, Vec::new());
        fragments.members = match unit {
            FragmentUnit::Definition => graph.definitions().iter().map(|d| d.kind().is_function()).collect(),
            FragmentUnit::Window => vec![true; fragments.count()],
        };
        fragments
    }

    /// Those of a repository that take part, by number: O(files).
    pub fn with_members(graph: &'a GraphFile, unit: FragmentUnit, members: Vec<bool>) -> Self {
        let mut first = Vec::with_capacity(graph.files().len() + 1);
        let mut count = 0;
        for row in graph.files() {
            first.push(if unit == FragmentUnit::Window { count } else { row.first_definition });
            count += windows_in(row.lines);
        }
        first.push(if unit == FragmentUnit::Window { count } else { graph.definitions().len() as u32 });
        Self { graph, unit, members, first }
    }

    /// How many there are, members or not.
    pub fn count(&self) -> usize {
        self.first[self.first.len() - 1] as usize
    }

    /// Those of a file.
    pub fn of_file(&self, file: FileId) -> std::ops::Range<u32> {
        self.first[file.index()]..self.first[file.index() + 1]
    }

    /// The file of one.
    pub fn file(&self, fragment: u32) -> FileId {
        match self.unit {
            FragmentUnit::Definition => self.graph.definition(DefinitionId(fragment)).file,
            FragmentUnit::Window => FileId::new(self.first.partition_point(|&first| first <= fragment) - 1),
        }
    }

    /// First and last line of one.
    pub fn lines(&self, fragment: u32) -> (u32, u32) {
        match self.unit {
            FragmentUnit::Definition => {
                let row = self.graph.definition(DefinitionId(fragment));
                (row.start_line, row.end_line)
            }
            FragmentUnit::Window => {
                let file = self.file(fragment);
                let lines = self.graph.files()[file.index()].lines;
                window_lines(lines, fragment - self.first[file.index()])
            }
        }
    }

    /// The skeleton of a file: one fragment for each of [`Fragments::of_file`].
    pub fn skeleton(&self, file: FileId) -> Skeleton {
        match self.unit {
            FragmentUnit::Definition => Skeleton::unpack(self.graph.skeleton(file)),
            FragmentUnit::Window => {
                if !self.graph.has_syntax(file) {
                    return Skeleton { ends: vec![0; self.of_file(file).len()], ..Skeleton::default() };
                }
                let ends = LineEnds::unpack(self.graph.line_ends(file));
                Skeleton::new(&SyntaxTree::new(&self.graph.syntax(file)), ends.windows())
            }
        }
    }

    /// The syntax nodes of each fragment of a file, with their lengths.
    pub fn parts(&self, file: FileId, tree: &SyntaxTree) -> Vec<Vec<FragmentNode>> {
        match self.unit {
            FragmentUnit::Definition => {
                let rows = &self.graph.definitions()[self.graph.definitions_of(file)];
                rows.iter().map(|row| maximal(tree, row.start_byte, row.end_byte)).collect()
            }
            FragmentUnit::Window => {
                let ends = LineEnds::unpack(self.graph.line_ends(file));
                ends.windows().map(|(start, end)| maximal(tree, start, end)).collect()
            }
        }
    }

    /// The innermost definition around a line, else the file itself.
    pub fn definition_at(graph: &GraphFile, file: FileId, line: u32) -> DefinitionId {
        let rows = graph.definitions_of(file);
        let first = rows.start;
        let around = rows.rev().find(|&id| {
            let row = &graph.definitions()[id];
            let counts = !matches!(row.kind(), DefinitionKind::Anonymous | DefinitionKind::Text);
            counts && (row.start_line..=row.end_line).contains(&line)
        });
        DefinitionId::new(around.unwrap_or(first))
    }
}
