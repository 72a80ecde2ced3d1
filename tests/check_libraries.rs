//! Tests that `whichfn check` does not take an import of a library for an import of a file, folder or
//! type of the repository with the same name.

use crate::check::{findings, git, repository};
use crate::check_refactorings::Files;

/// Returns the places that still refer to the first file, or to a name in it, after its removal.
fn left_after_removal(files: &Files<'_>) -> Vec<String> {
    let env = repository(files);
    git(&env, &["rm", "-q", files[0].0]);
    let found = findings(&env.run(&["check", "--json", "--only", "callers,references"]));
    let related = found.iter().flat_map(|finding| finding["related"].as_array().cloned().unwrap_or_default());
    let places = related.map(|place| format!("{}:{}", place["path"], place["line"]).replace('"', ""));
    let mut places: Vec<String> = places.collect();
    places.sort();
    places.dedup();
    places
}

#[test]
fn an_import_of_a_name_is_in_the_line_that_names_it() {
    let user = "try:\n    from library import __version__ as theirs\nexcept ImportError:\n    theirs = None\nfrom .__version__ import (\n    __title__,\n    __version__,\n)\n";
    let version = "__title__ = 'shop'\n__version__ = '1'\n";
    let files = [("shop/__version__.py", version), ("shop/__init__.py", user)];
    assert_eq!(left_after_removal(&files), ["shop/__init__.py:6", "shop/__init__.py:7"]);
}
