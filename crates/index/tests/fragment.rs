//! Checks that the syntax nodes of a fragment are the maximal ones inside its span, in every
//! language, and that a skeleton keeps the nodes between them.

use std::collections::BTreeSet;
use whichfn_index::fragment::{LineEnds, Skeleton, SyntaxTree, maximal};
use whichfn_syntax::lang::Registry;
use whichfn_syntax::parse::{Embedded, Facts, Parser, parse};
use whichfn_testing::{Block, Case, tree, windows_of};

/// A named node of tree-sitter: the number of its parent, its first byte, and the byte after its
/// last.
type Node = (Option<usize>, usize, usize);

/// Calls `look` with each file of each language's fixture: its text, its facts, and tree-sitter's
/// named nodes in preorder.
fn each_file(mut look: impl FnMut(&Block, &Facts, &[Node])) {
    let registry = Registry::builtin().expect("languages");
    let mut languages = BTreeSet::new();
    for file in Case::all("lang").iter().flat_map(Case::files) {
        let name = file.path.rsplit('/').next().expect("name");
        let Some(id) = registry.detect_text(name, &file.text).or_else(|| registry.detect(name)) else { continue };
        let language = registry.language(id).expect("language");
        let code = Embedded::read(language, &file.path, &file.text).expect("code").code;
        let tree = tree(language, &code);
        let mut nodes = Vec::new();
        collect(tree.root_node(), None, &mut nodes);
        let parsed = parse(&mut Parser::default(), language, &file.path, &file.text).expect("data");
        let (facts, _) = parsed.expect("parses");
        look(&file, &facts, &nodes);
        languages.insert(id.0);
    }
    assert!(languages.len() > 10, "all languages are here: {}", languages.len());
}

fn collect(node: tree_sitter::Node<'_>, around: Option<usize>, nodes: &mut Vec<Node>) {
    let own = nodes.len();
    nodes.push((around, node.start_byte(), node.end_byte()));
    for child in node.named_children(&mut node.walk()) {
        collect(child, Some(own), nodes);
    }
}

/// Returns the number and length of each node inside the span that has text and no ancestor inside
/// the span. This is the reference implementation.
fn slow(nodes: &[Node], start: usize, end: usize) -> Vec<(usize, usize)> {
    let inside = |at: usize| nodes[at].1 < nodes[at].2 && start <= nodes[at].1 && nodes[at].2 <= end;
    let around = |at: usize| std::iter::successors(nodes[at].0, |&up| nodes[up].0);
    let maximal = (0..nodes.len()).filter(|&at| inside(at) && !around(at).any(inside));
    maximal.map(|at| (at, nodes[at].2 - nodes[at].1)).collect()
}

fn fast(tree: &SyntaxTree, start: usize, end: usize) -> Vec<(usize, usize)> {
    let parts = maximal(tree, start as u32, end as u32);
    parts.into_iter().map(|part| (part.node as usize, part.len as usize)).collect()
}

#[test]
fn a_fragment_is_its_maximal_nodes() {
    each_file(|file, facts, nodes| {
        let tree = SyntaxTree::new(&facts.syntax);
        let windows = windows_of(&file.text).into_iter().map(|(_, start, end)| (start, end));
        let spans = facts.definitions.iter().map(|d| (d.span.start_byte as usize, d.span.end_byte as usize));
        // Ranges that begin and end anywhere, including the middle of a node.
        let anywhere = (0..file.text.len()).step_by(7).map(|at| (at, (at + at * 31 % 400).min(file.text.len())));
        for (start, end) in windows.chain(spans).chain(anywhere) {
            let right = slow(nodes, start, end);
            assert_eq!(fast(&tree, start, end), right, "{} {start}..{end}", file.path);
            let apart = |two: &[(usize, usize)]| nodes[two[0].0].2 <= nodes[two[1].0].1;
            assert!(right.windows(2).all(apart), "{} {start}..{end}: they do not overlap", file.path);
        }
    });
}

#[test]
fn a_definition_contains_its_own_node() {
    each_file(|file, facts, nodes| {
        for definition in &facts.definitions {
            let (start, end) = (definition.span.start_byte as usize, definition.span.end_byte as usize);
            let own = definition.node as usize;
            let mut around = std::iter::successors(Some(own), |&up| nodes[up].0);
            let parts = slow(nodes, start, end);
            let held = around.any(|up| parts.iter().any(|&(part, _)| part == up));
            assert!(held || parts.is_empty(), "{}: {} {start}..{end}", file.path, definition.qualified_name);
        }
    });
}

#[test]
fn windows_have_twenty_lines() {
    each_file(|file, _, _| {
        let right: Vec<_> = windows_of(&file.text).into_iter().map(|(_, a, b)| (a as u32, b as u32)).collect();
        assert_eq!(LineEnds::new(&file.text).windows().collect::<Vec<_>>(), right, "{}", file.path);
    });
}

#[test]
fn a_skeleton_keeps_the_paths_between_the_nodes_of_fragments() {
    each_file(|file, facts, nodes| {
        let tree = SyntaxTree::new(&facts.syntax);
        let definitions: Vec<(u32, u32)> =
            facts.definitions.iter().map(|d| (d.span.start_byte, d.span.end_byte)).collect();
        for spans in [definitions, LineEnds::new(&file.text).windows().collect()] {
            let skeleton = Skeleton::new(&tree, spans.iter().copied());
            assert_eq!(Skeleton::unpack(&skeleton.pack()), skeleton, "{}: comes back", file.path);
            let mut pairs: Vec<(u32, usize)> = Vec::new();
            for (parts, &(start, end)) in skeleton.fragments().zip(&spans) {
                let right = slow(nodes, start as usize, end as usize);
                assert_eq!(parts.len(), right.len(), "{}: as many nodes", file.path);
                for (part, &(node, len)) in parts.iter().zip(&right) {
                    assert_eq!(part.len as usize, len, "{}: lengths", file.path);
                    pairs.push((part.node, node));
                }
            }
            pairs.sort_unstable();
            pairs.dedup();
            let up = |at: u32| skeleton.nodes[at as usize];
            let kept = |from: u32| {
                std::iter::successors(Some((from, 0)), move |&(at, steps)| {
                    (at != 0).then(|| (up(at).0, steps + up(at).1))
                })
            };
            let all =
                |from: usize| std::iter::successors(Some((from, 0)), |&(at, steps)| Some((nodes[at].0?, steps + 1)));
            for &(a, x) in &pairs {
                for &(b, y) in pairs.iter().step_by(3) {
                    let ours = kept(a).find_map(|(at, i)| kept(b).find(|&(other, _)| other == at).map(|(_, j)| i + j));
                    let right = all(x).find_map(|(at, i)| all(y).find(|&(other, _)| other == at).map(|(_, j)| i + j));
                    assert_eq!(ours, right, "{}: steps from {x} to {y}", file.path);
                }
            }
        }
    });
}
