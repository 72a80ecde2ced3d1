//! Checks that a comment above a declaration documents its definition, because C documentation is
//! often in a header.

use proptest::prelude::*;
use std::collections::BTreeSet;
use std::path::Path;
use whichfn_index::store::GraphFile;
use whichfn_syntax::parse::Field;
use whichfn_testing::{Indexed, cases, graph, indexed};

const HEADER: &str = "#ifndef DOOR_H
#define DOOR_H

/** Let a visitor in, unless the alarm is armed. */
API int door_open(struct door *self, int visitor);

/* Doors that nobody watches. */
int door_count(void);
int door_total(void);

#endif
";
const SOURCE: &str = "#include <house/door.h>

API int door_open(struct door *self, int visitor) {
  return self->state ? -1 : visitor;
}

int door_count(void) { return 1; }

int door_total(void) { return 2; }
";

/// Returns each function with its displayed documentation, sorted by place.
fn documented(graph: &GraphFile) -> Vec<(String, String)> {
    let functions = graph.file_ids().flat_map(|file| graph.functions_of(file));
    functions.map(|id| (graph.qualified_name(id).to_owned(), graph.doc(id).to_owned())).collect()
}

fn documentation(files: &[(&str, &str)]) -> Vec<(String, String)> {
    documented(graph(&indexed(files)))
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|&(name, doc)| (name.to_owned(), doc.to_owned())).collect()
}

#[test]
fn a_comment_above_several_declarations_is_a_heading() {
    let expected =
        [("door_open", "Let a visitor in, unless the alarm is armed."), ("door_count", ""), ("door_total", "")];
    assert_eq!(documentation(&[("include/house/door.h", HEADER), ("src/door.c", SOURCE)]), pairs(&expected));
}

#[test]
fn own_documentation_takes_precedence() {
    let own = "/* Swings it open. */\nint door_open(struct door *self, int visitor) { return visitor; }\n";
    assert_eq!(documentation(&[("door.h", HEADER), ("door.c", own)]), pairs(&[("door_open", "Swings it open.")]));
}

#[test]
fn platform_copies_share_documentation_but_other_programs_do_not() {
    let other = "static int door_open(int visitor) { return visitor; }\n";
    let files = [
        ("include/house/door.h", HEADER),
        ("src/unix/door.c", SOURCE),
        ("src/win/door.c", SOURCE),
        ("zoo/gate.c", other),
    ];
    let said: Vec<String> =
        documentation(&files).into_iter().filter(|(name, _)| name == "door_open").map(|(_, doc)| doc).collect();
    let doc = "Let a visitor in, unless the alarm is armed.";
    assert_eq!(said, [doc, doc, ""]);
}

#[test]
fn the_nearest_header_takes_precedence() {
    let (near, far) = ("// Feeds the lion.\nvoid feed(void);\n", "// Feeds the printer.\nvoid feed(void);\n");
    let (near, far) = (format!("#pragma once\n{near}"), format!("#pragma once\n{far}"));
    let files = [("office/feed.h", &far[..]), ("zoo/feed.h", &near), ("zoo/src/feed.c", "void feed(void) { }\n")];
    assert_eq!(documentation(&files), pairs(&[("feed", "Feeds the lion.")]));
}

#[test]
fn cpp_members_have_the_documentation_of_their_declaration() {
    let header = "namespace house {
class API Door {
 public:
  // Opens it for good.
  static Door& open(const char* name);

  // Counts the hinges.
  int hinges() const;
};
}
";
    let source = "#include \"door.hpp\"
namespace house {
Door& Door::open(const char* name) { return *find(name); }
int Door::hinges() const {
  // Held while we count.
  Lock held(mutex);
  return 3;
}
}
";
    let expected = [("house::Door::open", "Opens it for good."), ("house::Door::hinges", "Counts the hinges.")];
    assert_eq!(documentation(&[("door.hpp", header), ("door.cpp", source)]), pairs(&expected));
}

const LINES: &[&str] = &[
    "/** Rings the bell. */\nvoid ring(void);\n\n",
    "/** Rings twice, loudly. */\nvoid ring(void);\n\n",
    "void ring(void);\n\n",
    "// Knocks at a door.\nint knock(int times);\n\n",
    "int knock(int times) { ring(); return times; }\n\n",
    "void ring(void) { knock(2); }\n\n",
    "/* Rings it here. */\nvoid ring(void) { }\n\n",
    "#include \"a.h\"\n\n",
];
const PATHS: &[&str] = &["a.h", "b.h", "a.c", "unix/b.c", "win/b.c"];

/// Returns all data about the words of functions in an index below `index_dir`.
fn words(indexed: &Indexed, index_dir: &Path) -> Vec<String> {
    let graph = &indexed.refreshed(index_dir).graph;
    let function = |id| {
        let takers: BTreeSet<u32> =
            graph.documented_by(id).into_iter().flat_map(|of| graph.documents(of)).map(|id| id.0).collect();
        let lengths = (graph.lengths(id), graph.call_field_lengths(id));
        format!("{} {:?} {:?} {takers:?}", graph.qualified_name(id), graph.doc(id), lengths)
    };
    let totals = std::iter::once(format!("{:?}", graph.totals()));
    graph.file_ids().flat_map(|file| graph.functions_of(file)).map(function).chain(totals).collect()
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn refresh_after_a_header_edit_equals_a_rebuild(
        edits in prop::collection::vec((0..PATHS.len(), prop::collection::vec(0..LINES.len(), 0..4)), 1..8),
    ) {
        let others: Vec<(String, String)> = (0..40).map(|i| (format!("more/m{i}.c"), format!("int f{i}(void) {{ return {i}; }}\n").repeat(9))).collect();
        let mut files: Vec<(&str, &str)> = others.iter().map(|(path, text)| (&path[..], &text[..])).collect();
        files.extend(PATHS.iter().map(|&path| (path, "\n")));
        let indexed = indexed(&files);
        for (number, (path, pieces)) in edits.into_iter().enumerate() {
            let text: String = pieces.into_iter().map(|piece| LINES[piece]).collect();
            std::fs::write(indexed.root().join(PATHS[path]), format!("#define N\n{text}")).expect("written");
            let rebuilt = indexed.root().with_file_name(format!("rebuilt{number}"));
            prop_assert_eq!(words(&indexed, &indexed.index_dir()), words(&indexed, &rebuilt));
        }
    }
}

#[test]
fn words_of_a_declaration_count_only_for_its_definition() {
    let indexed = indexed(&[("include/house/door.h", HEADER), ("src/door.c", SOURCE)]);
    let graph = graph(&indexed);
    let open =
        graph.named("door_open").into_iter().find(|&id| graph.traits(id).kind().is_function()).expect("a function");
    let declaration = graph.documented_by(open).expect("a declaration");
    assert_eq!(graph.documents(declaration).collect::<Vec<_>>(), [open]);
    assert_eq!(graph.lengths(open)[Field::Summary as usize], graph.lengths(declaration)[Field::Summary as usize]);
    assert!(graph.lengths(declaration)[Field::Name as usize] == 0 && graph.lengths(open)[Field::Summary as usize] > 4);
}
