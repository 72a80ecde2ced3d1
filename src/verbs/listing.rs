//! The result of every verb: lines with a place, a name, notes and text, in sections or as a tree.

use crate::render::{location, with_notices};
use clap::ValueEnum;
use serde_json::{Value, json};
use whichfn_search::answer::{Branch, DefinitionLocation, Place, Tree};
use whichfn_text::{ellipsis, one_line};

/// Maximum number of characters of a line of code for an agent.
const WIDEST: usize = 110;

/// Returns a line of code for an agent, without its end if it is long.
pub fn short(text: &str) -> String {
    ellipsis(&one_line(text), WIDEST, "…")
}

/// Output format of a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text for a terminal.
    #[default]
    Text,
    /// One JSON object.
    Json,
    /// PATH:LINE:COLUMN:TEXT for each location, for the quickfix lists of editors.
    Vimgrep,
    /// Arguments for the test runner: pytest node IDs, cargo test names, -run patterns for go test;
    /// words with spaces are in quotes, for xargs.
    List,
    /// Markdown, for a comment on a pull request.
    Markdown,
}

/// A list.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    /// First line of the text.
    pub head: Head,
    /// Parts of the list; most lists have one.
    pub sections: Vec<Section>,
    /// Number of entries that are not shown.
    pub left_out: usize,
    /// Number of entries that the filters leave out.
    pub filtered: usize,
    /// Number of uses of a definition that nothing calls.
    pub uses: usize,
    /// Next step, for a user.
    pub hint: Option<String>,
    /// Message if the list is empty.
    pub nothing: String,
    /// True if the text is printed even if the list is empty.
    pub shows_empty: bool,
    /// What the list lacks, one line each.
    pub notices: Vec<String>,
    /// Arguments for test runners.
    pub arguments: Vec<String>,
    /// Numbers that `--fail-on` can name; if there are any, they decide the exit status.
    pub counts: Vec<(&'static str, usize)>,
    /// The list as Markdown, for verbs with this format.
    pub markdown: String,
    /// Fields of the JSON object, except the rows.
    pub json: Value,
}

/// First line of a list.
#[derive(Debug, Clone, Default)]
pub enum Head {
    /// No line.
    #[default]
    None,
    /// What the list is about, and a summary that follows its kind.
    Definition(DefinitionLocation, String),
    /// Text, and a summary.
    Text(String, String),
}

/// A part of a list.
#[derive(Debug, Clone, Default)]
pub struct Section {
    /// Line before the rows; empty for none.
    pub title: String,
    /// Line before the rows for an agent; empty for the title.
    pub brief: String,
    /// Lines after the rows for an agent.
    pub brief_end: Vec<String>,
    /// Who reads it.
    pub reader: Reader,
    /// True for an empty line before it.
    pub is_apart: bool,
    /// What precedes each row.
    pub lead: Lead,
    /// Key of the rows in JSON; empty if [`Listing::json`] contains them.
    pub key: &'static str,
    /// Rows.
    pub rows: Vec<Row>,
    /// Number of rows of the first level that are left out.
    pub left_out: usize,
}

/// Who reads a section. Programs read it in any case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Reader {
    /// Users and agents.
    #[default]
    All,
    /// Only users.
    User,
    /// Only agents.
    Agent,
}

/// What precedes a row in text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Lead {
    /// Nothing.
    #[default]
    Plain,
    /// Two spaces.
    Indented,
    /// Lines that connect the rows of a tree.
    Tree,
}

/// A line of a list.
#[derive(Debug, Clone, Default)]
pub struct Row {
    /// Where it is; `None` for a summary of several places.
    pub at: Option<Place>,
    /// Name of a definition.
    pub name: String,
    /// Notes about it, for a user.
    pub notes: String,
    /// Line of code, or other text.
    pub text: String,
    /// Further lines below it.
    pub details: Vec<String>,
    /// Places with their lines for editors; if there are none, `at` with the text of the row.
    pub places: Vec<Place>,
    /// End of its line for an agent, after place and name.
    pub brief: String,
    /// Place for an agent, if it differs from `at`.
    pub brief_at: Option<Place>,
    /// Last line of the definition that begins at the place for an agent; 0 if the place is a line.
    pub brief_last: u32,
    /// True if the same call may run this definition instead of the one in the row before: an agent
    /// gets both in one line.
    pub is_alternative: bool,
    /// Fields of its JSON object, except the rows below it.
    pub json: Value,
    /// Rows below it.
    pub below: Vec<Self>,
    /// Number of rows directly below it that are left out.
    pub left_out: usize,
}

impl Listing {
    /// Creates the list of a tree, without its sections.
    pub fn of<L>(tree: &Tree<L>, root: DefinitionLocation, summary: String) -> Self {
        Self {
            left_out: tree.left_out,
            filtered: tree.filtered,
            uses: tree.uses,
            notices: tree.notices.clone(),
            json: json!({
                "version": 1,
                "of": location(&root),
                "direct": tree.direct,
                "left_out": tree.left_out,
            }),
            head: Head::Definition(root, summary),
            ..Self::default()
        }
    }

    /// Checks whether nothing is listed.
    pub fn is_empty(&self) -> bool {
        self.sections.iter().all(|section| section.rows.is_empty())
    }

    /// Renders the list as JSON.
    pub fn json(&self) -> Value {
        let mut value = self.json.clone();
        for section in self.sections.iter().filter(|section| !section.key.is_empty()) {
            value[section.key] = section.rows.iter().map(|row| row.json(section.lead)).collect();
        }
        if self.filtered > 0 {
            value["filtered"] = self.filtered.into();
        }
        if self.uses > 0 {
            value["uses"] = self.uses.into();
        }
        with_notices(value, &self.notices)
    }
}

impl Section {
    /// Creates the section of a tree. `row` formats a definition without those below it.
    pub fn of<L>(tree: &Tree<L>, row: impl Fn(&Branch<L>) -> Row) -> Self {
        let left_out = tree.direct - tree.branches.len();
        Self { lead: Lead::Tree, rows: rows(&tree.branches, &row), left_out, ..Self::default() }
    }
}

fn rows<L>(branches: &[Branch<L>], row: &dyn Fn(&Branch<L>) -> Row) -> Vec<Row> {
    let row = |one: &Branch<L>| Row { below: rows(&one.branches, row), left_out: one.left_out, ..row(one) };
    branches.iter().map(row).collect()
}

impl Row {
    /// Creates the row of a definition.
    pub fn of(of: &DefinitionLocation) -> Self {
        Self { at: Some(of.place()), name: of.name.clone(), json: location(of), ..Self::default() }
    }

    /// Creates the row of a definition whose place for an agent is all of its lines, so that an agent
    /// can read or edit it without a search.
    pub fn of_lines(of: &DefinitionLocation) -> Self {
        Self { brief_at: Some(Place::of_line(&of.path, of.start_line)), brief_last: of.end_line, ..Self::of(of) }
    }

    fn json(&self, lead: Lead) -> Value {
        let mut value = self.json.clone();
        if lead == Lead::Tree {
            value["left_out"] = self.left_out.into();
            value["tree"] = self.below.iter().map(|row| row.json(lead)).collect();
        }
        value
    }
}
