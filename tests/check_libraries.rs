//! Tests that `whichfn check` does not take an import of a library for an import of a file, folder or
//! type of the repository with the same name.

use crate::check::{findings, git, repository};
use crate::check_refactorings::{Files, left_behind};

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
fn an_import_of_a_package_does_not_lead_to_a_file_next_to_it() {
    let user = "const path = require('path');\nimport { join } from '@node/path';\nconst own = require('./path');\npath.join('a');\n";
    let files = [("lib/path.js", "exports.join = () => 1;\n"), ("lib/user.js", user)];
    assert_eq!(left_after_removal(&files), ["lib/user.js:3"]);
    let user = "import path from 'path';\nimport { sep } from './path';\npath.join('a', sep);\n";
    let files = [("lib/path.ts", "export const sep = '/';\n"), ("lib/user.ts", user)];
    assert_eq!(left_after_removal(&files), ["lib/user.ts:2"]);
    let user = "import { door } from 'door';\nimport { wall } from 'house/wall';\ndoor(wall);\n";
    let config = ("tsconfig.json", "{ \"compilerOptions\": { \"baseUrl\": \"./src\" } }\n");
    let files = [("src/door.ts", "export function door() {}\n"), config, ("src/house/user.ts", user)];
    assert_eq!(left_after_removal(&files), ["src/house/user.ts:1"], "the base of all paths");
    let files = [("src/house/wall.ts", "export const wall = 1;\n"), config, ("src/house/user.ts", user)];
    assert_eq!(left_after_removal(&files), ["src/house/user.ts:2"]);
}

#[test]
fn an_import_of_a_namespace_leads_only_to_code_that_declares_it() {
    let user = "using Library.Common;\nusing Item = Library.Common.Item;\n\nnamespace Shop.Tests;\n\npublic class Test { Item item; }\n";
    let item = "namespace Shop.Items;\n\npublic class Item { }\n";
    assert!(left_after_removal(&[("src/Common/Item.cs", item), ("src/Test.cs", user)]).is_empty());
    let (item, user) = (item.replace("Shop.Items", "Shop.Common"), user.replace("Library", "Shop"));
    let files = [("src/Common/Item.cs", &item[..]), ("src/Test.cs", &user)];
    assert_eq!(left_after_removal(&files), ["src/Test.cs:1", "src/Test.cs:2", "src/Test.cs:6"]);
    let logger = "<?php\nnamespace App;\n\nclass Logger {}\n";
    let user = "<?php\nnamespace App\\Tests;\n\nuse Monolog\\Logger;\n\nfunction show(Logger $logger) { return $logger->name; }\n";
    assert!(left_after_removal(&[("src/Logger.php", logger), ("src/show.php", user)]).is_empty());
    let user = user.replace("Monolog", "App");
    let files = [("src/Logger.php", logger), ("src/show.php", &user)];
    assert_eq!(left_after_removal(&files), ["src/show.php:4", "src/show.php:6"]);
}

#[test]
fn an_import_of_a_name_is_in_the_line_that_names_it() {
    let user = "try:\n    from library import __version__ as theirs\nexcept ImportError:\n    theirs = None\nfrom .__version__ import (\n    __title__,\n    __version__,\n)\n";
    let version = "__title__ = 'shop'\n__version__ = '1'\n";
    let files = [("shop/__version__.py", version), ("shop/__init__.py", user)];
    assert_eq!(left_after_removal(&files), ["shop/__init__.py:6", "shop/__init__.py:7"]);
}

#[test]
fn an_import_of_a_directory_leads_to_the_entry_of_its_manifest() {
    let user = "const { open } = require('../..');\nopen();\n";
    let door = "exports.open = function open() { return 1; };\n";
    for manifest in ["{ \"name\": \"shop\", \"main\": \"lib/door.js\" }\n", "{ \"main\": \"./lib/door\" }\n"] {
        let files = [("lib/door.js", door), ("package.json", manifest), ("test/all/user.js", user)];
        assert_eq!(left_behind(&files, "open", "close"), ["test/all/user.js:1", "test/all/user.js:2"], "{manifest}");
    }
}
