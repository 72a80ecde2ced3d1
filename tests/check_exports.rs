//! Tests what `whichfn check` reports about names that a file no longer exports, and about names that
//! something outside the repository may supply.

use crate::check::{findings, repository};
use crate::check_refactorings::{Files, left_behind};

const TWO: &str = "function open() { return 1; }\nfunction close() { return 2; }\n";

/// Returns the severities of the findings about removed names after an edit of the first file.
fn severities(files: &Files<'_>, old: &str, new: &str) -> Vec<String> {
    let env = repository(files);
    let (path, text) = files[0];
    assert!(text.contains(old), "{old} is not in {path}");
    env.write(path, text.replace(old, new));
    let found = findings(&env.run(&["check", "--json", "--only", "callers,references"]));
    found.iter().map(|finding| finding["severity"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn imports_of_a_name_that_a_module_no_longer_exports_are_listed() {
    let list = format!("{TWO}export {{ open, close }};\n");
    let user = "import { open, close } from './door';\nopen(); close();\n";
    let files = [
        ("door.js", &list[..]),
        ("user.js", user),
        ("all.js", "export * from './door';\n"),
        ("through.js", "import { close } from './all';\nclose();\n"),
        ("space.js", "import * as door from './door';\ndoor.open();\ndoor.close();\n"),
    ];
    let expected = ["space.js:3", "through.js:1", "user.js:1"];
    assert_eq!(left_behind(&files, "{ open, close }", "{ open }"), expected);
    assert_eq!(left_behind(&files, "{ open, close }", "{ open, close as shut }"), expected);
    let alias = format!("{TWO}export {{ open, close as shut }};\n");
    let files = [("door.js", &alias[..]), ("user.js", "import { open, shut } from './door';\nopen(); shut();\n")];
    assert_eq!(left_behind(&files, ", close as shut", ""), ["user.js:1"]);
    let types = "export class Door {}\nexport interface Options { wide: boolean }\nexport const limit = 1;\nexport type Key = string;\n";
    let user = "import { Door } from './door';\nimport { Options } from './door';\nimport { limit } from './door';\nimport type { Key } from './door';\n";
    for (line, word) in (1..).zip(["class Door", "interface Options", "const limit", "type Key"]) {
        let files = [("door.ts", types), ("user.ts", user)];
        assert_eq!(left_behind(&files, &format!("export {word}"), word), [format!("user.ts:{line}")]);
    }
}

#[test]
fn imports_of_a_name_that_a_common_js_module_no_longer_exports_are_listed() {
    let user = "const { open, close } = require('./door');\nopen(); close();\n";
    let space = "const door = require('./door');\ndoor.open();\ndoor.close();\n";
    let object = format!("{TWO}module.exports = {{ open, close }};\n");
    let files = [("door.js", &object[..]), ("space.js", space), ("user.js", user)];
    assert_eq!(left_behind(&files, "{ open, close }", "{ open }"), ["space.js:3", "user.js:1"]);
    let names = format!("{TWO}exports.open = open;\nexports.close = close;\n");
    let files = [("door.js", &names[..]), ("space.js", space), ("user.js", user)];
    assert_eq!(left_behind(&files, "exports.close = close;\n", ""), ["space.js:3", "user.js:1"]);
}

#[test]
fn a_name_that_a_module_exports_in_another_way_is_not_reported() {
    let list = format!("{TWO}export {{ open, close }};\n");
    let user = "import { open, close } from './door';\nopen(); close();\n";
    let other = "export function close() { return 3; }\n";
    let files = [("door.js", &list[..]), ("user.js", user), ("shut.js", other)];
    for new in ["{ open };\nexport { close } from './shut'", "{ open };\nexport * from './shut'"] {
        assert!(left_behind(&files, "{ open, close }", new).is_empty(), "{new}");
    }
    let object = format!("{TWO}module.exports = {{ open, close }};\n");
    let user = "const { open, close } = require('./door');\nopen(); close();\n";
    let files = [("door.js", &object[..]), ("user.js", user)];
    for new in [
        "module.exports = { open };\nmodule.exports.close = close",
        "module.exports = { open, ...more }",
        "Object.assign(module.exports, more)",
        "module.exports = build()",
        "export { open, close }",
    ] {
        assert!(left_behind(&files, "module.exports = { open, close }", new).is_empty(), "{new}");
    }
}

#[test]
fn a_list_limits_imports_of_all_names() {
    let door = "__all__ = ['lift', 'shut']\ndef lift(): pass\ndef shut(): pass\n";
    let user = "from door import *\nlift()\nshut()\n";
    let named = "from door import shut\nshut()\n";
    let own = "from door import *\ndef shut(): pass\nshut()\n";
    let files = [("door.py", door), ("named.py", named), ("own.py", own), ("user.py", user)];
    assert_eq!(left_behind(&files, "'lift', 'shut'", "'lift'"), ["user.py:3"]);
    for new in ["", "__all__ = ['lift']\n__all__ += ['shut']\n", "__all__ = names()\n"] {
        assert!(left_behind(&files, "__all__ = ['lift', 'shut']\n", new).is_empty(), "{new}");
    }
    let julia = "module Door\nexport lift, shut\nlift() = 1\nshut() = 2\nend\n";
    let files =
        [("Door.jl", julia), ("user.jl", "include(\"Door.jl\")\nusing .Door\ngo() = lift()\nstay() = shut()\n")];
    assert_eq!(left_behind(&files, "lift, shut", "lift"), ["user.jl:4"]);
    let haskell = "module Door (lift, shut) where\nlift = 1\nshut = 2\n";
    let files = [("Door.hs", haskell), ("User.hs", "module User where\nimport Door (lift)\nimport Door (shut)\n")];
    assert_eq!(left_behind(&files, "lift, shut", "lift"), ["User.hs:3"]);
    assert!(left_behind(&files, " (lift, shut)", "").is_empty(), "without a list, all names are exported");
}

#[test]
fn a_module_that_passes_on_one_name_instead_of_all_is_reported() {
    let door = "export function open() {}\nexport function close() {}\n";
    let user = "import { open, close } from './index';\nopen(); close();\n";
    let files = [("index.js", "export * from './door';\n"), ("door.js", door), ("user.js", user)];
    assert_eq!(left_behind(&files, "*", "{ open }"), ["user.js:1"]);
    assert!(left_behind(&files, "*", "{ open, close }").is_empty());
    let root = "mod door;\npub use door::*;\nmod user;\n";
    let files = [
        ("src/lib.rs", root),
        ("src/door.rs", "pub fn open() {}\npub fn close() {}\n"),
        ("src/user.rs", "use crate::{open, close};\nfn go() { open(); close(); }\n"),
    ];
    assert_eq!(left_behind(&files, "door::*", "door::open"), ["src/user.rs:1"]);
}

#[test]
fn a_name_that_something_outside_the_repository_may_supply_is_a_note() {
    let js = "export * from 'lib';\nexport function open() {}\n";
    let js_user = "import { open } from './door';\nopen();\n";
    let python = "from numpy import *\ndef lift(): pass\n";
    let python_user = "import door\nfrom door import lift\nlift()\ndoor.lift()\n";
    let star_user = "from door import *\nfrom numpy import *\nlift()\n";
    let rust = "pub use other::*;\npub fn open() {}\n";
    let rust_user = "use crate::door::open;\nfn go() { open(); crate::door::open(); }\n";
    let java = "package p;\npublic class Door { public static void open() {} }\n";
    let java_user =
        "package q;\nimport static p.Door.*;\nimport static org.lib.Assert.*;\nclass User { void go() { open(); } }\n";
    let sharp = "namespace P;\npublic static class Door { public static void Open() {} }\n";
    let sharp_user =
        "using static P.Door;\nusing static Lib.Assert;\nnamespace Q;\nclass User { void Go() { Open(); } }\n";
    let cases: &[(&Files<'_>, &str)] = &[
        (&[("door.js", js), ("user.js", js_user)], "export function open() {}\n"),
        (&[("door.py", python), ("user.py", python_user)], "def lift(): pass\n"),
        (&[("door.py", "def lift(): pass\n"), ("user.py", star_user)], "def lift(): pass\n"),
        (
            &[("src/door.rs", rust), ("src/lib.rs", "mod door;\nmod user;\n"), ("src/user.rs", rust_user)],
            "pub fn open() {}\n",
        ),
        (&[("p/Door.java", java), ("q/User.java", java_user)], "public static void open() {}"),
        (&[("Door.cs", sharp), ("User.cs", sharp_user)], "public static void Open() {}"),
    ];
    for (files, old) in cases {
        assert_eq!(severities(files, old, ""), ["note"], "{}", files[0].0);
    }
    let files = [("door.js", "export function open() {}\n"), ("user.js", js_user)];
    assert_eq!(severities(&files, files[0].1, ""), ["error"], "no such import");
    let java_user = java_user.replace("static org.lib.Assert.*", "java.util.*");
    let files = [("p/Door.java", java), ("q/User.java", &java_user[..])];
    assert_eq!(severities(&files, "public static void open() {}", ""), ["error"], "a package has types only");
}
