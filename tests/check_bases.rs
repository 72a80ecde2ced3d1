//! Tests what `whichfn check` concludes from the bases of a type: what a base outside the repository
//! may have, and which names refer to it.

use crate::check::{dead, failing, findings, repository};
use crate::check_refactorings::left_behind;
use crate::support::env::Env;

#[test]
fn a_removed_method_is_no_member_of_a_library_interface_with_known_members() {
    for (path, text, old, new, user_path, user) in [
        (
            "s.swift",
            "struct Store: Sendable, Equatable {\n    func put(_ k: Int) -> Int { return k }\n}\n",
            "put",
            "add",
            "u.swift",
            "func go(store: Store) {\n    print(store.put(1))\n}\n",
        ),
        (
            "S.java",
            "class S implements java.io.Serializable, Comparable<S> {\n    int put(int k) { return k; }\n    public int compareTo(S o) { return 0; }\n}\n",
            "put",
            "add",
            "U.java",
            "class U {\n    int go(S s) { return s.put(1); }\n}\n",
        ),
        (
            "s.kt",
            "package p\n\nclass Store(val key: String) : Closeable {\n    fun put(k: Int): Int = k\n    override fun close() {}\n}\n",
            "put",
            "place",
            "u.kt",
            "package p\n\nfun go(store: Store): Int {\n    return store.put(1)\n}\n",
        ),
        (
            "s.py",
            "from abc import ABC\nfrom typing import Generic, TypeVar\n\nT = TypeVar('T')\n\n\nclass Store(ABC, Generic[T]):\n    def place(self, k):\n        return k\n",
            "place",
            "bring",
            "u.py",
            "from s import Store\n\n\ndef go(store: Store):\n    return store.place(1)\n",
        ),
        (
            "S.cs",
            "class S : IDisposable, IEquatable<S>\n{\n    public int Place(int k) { return k; }\n    public void Dispose() { }\n}\n",
            "Place",
            "Bring",
            "U.cs",
            "class U\n{\n    int Go(S s) { return s.Place(1); }\n}\n",
        ),
        (
            "s.php",
            "<?php\nclass Store implements \\JsonSerializable {\n  function place($k) { return $k; }\n  function jsonSerialize(): mixed { return 1; }\n}\n",
            "place",
            "bring",
            "u.php",
            "<?php\nfunction go(Store $store) { return $store->place(1); }\n",
        ),
    ] {
        let found = failing(&[(path, text), (user_path, user)], &[(path, &text.replace(old, new))]);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
    }
}

#[test]
fn a_base_that_may_have_the_method_leaves_a_note() {
    for (path, text, old, new, user_path, user) in [
        (
            "s.kt",
            "package p\n\nclass Store(val key: String) : Closeable {\n    override fun close() {}\n}\n",
            "    override fun close() {}\n",
            "",
            "u.kt",
            "package p\n\nfun go(store: Store) {\n    return store.close()\n}\n",
        ),
        (
            "s.py",
            "import lib\n\n\nclass Store(lib.base_store):\n    def place(self, k):\n        return k\n",
            "place",
            "bring",
            "u.py",
            "from s import Store\n\n\ndef go(store: Store):\n    return store.place(1)\n",
        ),
    ] {
        let found = failing(&[(path, text), (user_path, user)], &[(path, &text.replace(old, new))]);
        assert!(found.is_empty(), "{text}: {found:?}");
    }
}

#[test]
fn a_method_that_a_base_outside_the_repository_may_call_is_not_dead() {
    let own = "class Index:\n    def go(self):\n        pass\n\n\nIndex().go()\n";
    for (times, why) in [
        (
            "import pandas as pd\n\n\nclass Times(pd.Index):\n    def _maybe_cast(self, label):\n        return label\n",
            "the base of a library",
        ),
        (
            "import pandas\n\n\nclass Times(pandas.core.Index):\n    def _maybe_cast(self, label):\n        return label\n",
            "a longer path",
        ),
        (
            "import scipy.stats\n\n\nclass Times(scipy.stats.rv_continuous):\n    def _pdf(self, label):\n        return label\n",
            "in lowercase",
        ),
        (
            "from scipy.stats import rv_continuous\n\n\nclass Times(rv_continuous):\n    def _pdf(self, label):\n        return label\n",
            "imported by its name",
        ),
    ] {
        assert!(dead(&[("times.py", times), ("own.py", own)]).is_empty(), "{why}");
    }
    let times = "import own\n\n\nclass Times(own.Index):\n    def _maybe_cast(self, label):\n        return label\n";
    assert_eq!(dead(&[("times.py", times), ("own.py", own)]), ["nothing calls or refers to Times._maybe_cast"]);
    let timer = "class Timer: Sendable {\n    private func tick() {}\n}\n";
    assert_eq!(dead(&[("t.swift", timer)]), ["nothing calls or refers to Timer.tick"], "no member of Sendable");
}

#[test]
fn a_string_that_is_passed_to_a_function_may_begin_a_name() {
    let dispatch = "def dispatch(self, base, arg):\n    name = '%s_%s' % (base, arg.__class__.__name__)\n    return getattr(self, name)(arg)\n";
    let gate = "from d import dispatch\n\n\nclass Gate:\n    def apply(self, ket):\n        return dispatch(self, \"_apply\", ket)\n\n    def _apply_Qubit(self, ket):\n        return ket\n";
    assert!(dead(&[("d.py", dispatch), ("g.py", gate)]).is_empty());
    let other = gate.replace("\"_apply\"", "\"_add\"");
    assert_eq!(dead(&[("d.py", dispatch), ("g.py", &other)]), ["nothing calls or refers to Gate._apply_Qubit"]);
}

#[test]
fn members_of_built_in_types_are_not_those_of_the_repository() {
    let python = "class Template:\n    def __new__(cls, s):\n        return s\n\n    def fromkeys(self, s):\n        return s\n\n\nclass Frame:\n    def copy(self):\n        dict.fromkeys([1])\n        super().__new__(Frame)\n        return object.__new__(self.__class__)\n";
    let env = Env::with(&[("t.py", python)]);
    for name in ["Template.__new__", "Template.fromkeys"] {
        let ran = env.run(&["callers", name, "--json"]);
        assert_eq!(ran.json()["direct"], 0, "{name}: {ran:#?}");
    }
    let php = "<?php\nclass Clock { function createFromFormat($a, $b) { return 1; } }\nclass Frame { function copy() { return DateTime::createFromFormat('a', 'b'); } }\n";
    let ran = Env::with(&[("c.php", php)]).run(&["callers", "createFromFormat", "--json"]);
    assert_eq!(ran.json()["direct"], 0, "{ran:#?}");
}

#[test]
fn a_header_that_moved_to_another_directory_is_not_found_there() {
    let user = "#include \"uni.h\"\nint f(void) { return u(); }\n";
    let files = [
        ("src/uni.h", "int u(void);\n"),
        ("src/jv.c", user),
        ("src/uni.c", "#include \"uni.h\"\nint u(void) { return 1; }\n"),
    ];
    let moved = |files: &[(&str, &str)]| {
        let env = crate::check::repository(files);
        env.remove("src/uni.h");
        env.write("src/sub/uni.h", "int u(void);\n");
        crate::check::git(&env, &["add", "-A"]);
        let found = crate::check::findings(&env.run(&["check", "--json", "--staged"]));
        found.iter().map(|one| one["related"].as_array().map_or(0, Vec::len)).sum::<usize>()
    };
    assert_eq!(moved(&files), 2);
    let searched =
        [("src/sub/other.h", "int o(void);\n"), ("src/o.c", "#include \"other.h\"\nint o(void) { return 1; }\n")];
    assert_eq!(moved(&[&files[..], &searched[..]].concat()), 0, "the compiler looks in that directory");
}

#[test]
fn a_call_in_a_chain_over_several_lines_is_listed_once() {
    let lib = "pub struct Draw;\n\nimpl Draw {\n    pub fn new() -> Self {\n        Draw\n    }\n    pub fn width(self, w: u32) -> Self {\n        self\n    }\n    pub fn finish(self) -> u32 {\n        1\n    }\n}\n";
    let user =
        "mod l;\nuse l::Draw;\n\nfn main() {\n    let x = Draw::new()\n        .width(2)\n        .finish();\n}\n";
    assert_eq!(left_behind(&[("src/l.rs", lib), ("src/main.rs", user)], "width", "span"), ["src/main.rs:6"]);
}

#[test]
fn code_of_others_and_functions_of_a_marked_block_are_not_dead() {
    let plain = "pub struct Buf;\n\nimpl Buf {\n    fn map(&self) -> u8 { 2 }\n}\n";
    assert_eq!(dead(&[("src/lib.rs", plain)]), ["nothing calls or refers to Buf::map"]);
    assert!(dead(&[("src/lib.rs", &plain.replace("impl Buf", "#[op2]\nimpl Buf"))]).is_empty(), "the macro exports it");
    assert!(dead(&[("vendor/buf/src/lib.rs", plain)]).is_empty(), "the code of others");
    let short = "def _force(x):\n    return x\n";
    let center = "class Rule:\n    def rule(self, s):\n        self.center(s, '_')\n        self.center(s, '_f')\n";
    assert_eq!(dead(&[("a.py", short), ("b.py", center)]), ["nothing calls or refers to _force"]);
}

#[test]
fn the_members_of_interfaces_of_the_library_are_known() {
    for (base, has) in [("Iterable<String>", "forEach"), ("java.io.Flushable", "flush"), ("Comparator<Box>", "compare")]
    {
        let text = format!("public class Box implements {base} {{\n    public void fetch() {{ }}\n}}\n");
        let user = "public class User {\n    void go(Box box) { box.fetch(); }\n}\n";
        let severity = |name: &str| {
            let files = [("Box.java", text.replace("fetch", name)), ("User.java", user.replace("fetch", name))];
            let env = repository(&files.each_ref().map(|(path, text)| (*path, &text[..])));
            env.write("Box.java", text.replace("    public void fetch() { }\n", ""));
            let found = findings(&env.run(&["check", "--json", "--only", "callers"]));
            found.iter().map(|finding| finding["severity"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(severity("fetch"), ["error"], "{base}");
        assert_eq!(severity(has), ["note"], "{base}");
    }
}
