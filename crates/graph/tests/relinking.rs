//! Checks that linking only the files that an edit affects gives the same edges and mailboxes as a
//! full link.

use proptest::prelude::*;
use std::collections::BTreeMap;
use whichfn_graph::{CallEdge, Hierarchy, Linked, PackedFacts, PreviousLink, Source, link, relink};
use whichfn_syntax::ids::{DefinitionId, FileId, LocalId};
use whichfn_syntax::lang::{LangId, Registry};
use whichfn_syntax::parse::{Parser, parse};
use whichfn_testing::cases;

/// Templates of the files' contents: `F` is one of a few functions, `T` of types, `A` of members,
/// `N` of modules (names of files).
const PYTHON: &[&str] = &[
    "def F(value):\n    return F(value)\n",
    "def F(value, other=None):\n    return value.A(other)\n",
    "def F():\n    return T()\n",
    "class T:\n    def A(self):\n        return self.A()\n",
    "class T(T):\n    def __init__(self, value):\n        self.A = value\n    def A(self, value):\n        self.A = F(value)\n        return super().A(value)\n",
    "class T(N.T):\n    A = F\n    @classmethod\n    def A(cls):\n        return cls()\n",
    "from N import F\n",
    "from N import T\n",
    "from N import F as F\n",
    "from N import T as T\n",
    "import N\n",
    "from N import *\n",
    "thing = T(F)\nthing.A = F\n",
    "N.A = T()\n",
    "def F(visit):\n    visit.A(F)\n    return visit(T())\n",
    "F(N.F)(T().A)\n",
    "class T:\n    def __call__(self, value):\n        return value.A(self)\n",
    "class T:\n    def __get__(self, value, T):\n        return F(value)\n",
    "class T:\n    A = T()\n    F = N.T()\n",
    "def F(value: T):\n    return value.A.F\n",
    "def F(value: T):\n    return value.A()\n",
    "def F(value):\n    for one in [F, T, value]:\n        one(value).A()\n",
    "class T:\n    A: T\n    F: T\n",
    "class T:\n    F: T\nT(F, T(A=F)).A(T)\n",
    "A = {'a': F, 'b': T(F)}\nfor one in A.values():\n    one(A.get(1)).A()\n",
];
const TYPESCRIPT: &[&str] = &[
    "export function F(value) { return F(value); }\n",
    "export function F(value, other) { return value.A(other); }\n",
    "export class T { A() { return this.A(); } }\n",
    "export class T extends T { constructor(value) { super(value); this.A = value; } A(value) { return super.A(value); } }\n",
    "import { F } from './N';\n",
    "import { T, F } from './N';\n",
    "import { F as F } from './N';\n",
    "import * as N from './N';\n",
    "export * from './N';\n",
    "export { F } from './N';\n",
    "import F from './N';\n",
    "export default F;\n",
    "module.exports = { A: F };\n",
    "const N = require('./N');\n",
    "export const F = (visit: T) => visit.A(() => F(N.F));\n",
    "new T(F).A(N.T);\n",
    "export const T = { A: F, F };\nT[F](T.A);\n",
    "const T = [{ A: F }, { A: N.F }];\nfor (const one of T) one.A(Object.values(T));\n",
    "module.exports = { A: F, F() { this[F](N[F]); } };\n",
];
/// Components and scripts: `C` is one of a few components.
const COMPONENTS: &[&str] = &[
    "<template><C/><C/></template>\n",
    "<template><b @click=\"F\">{{ F(T) }}</b><C/></template>\n",
    "<script>\nimport C from './C.vue';\nimport { F } from './N';\n</script>\n",
    "<script>\nexport function F(value) { return F(value); }\n</script>\n",
    "<script>\nexport default { methods: { A() { return this.A(); }, F() { F(); } } };\n</script>\n",
    "<script>\nconst T = new C();\nT.A();\n</script>\n",
    "export function F(value) { return F(value); }\n",
    "import C from './C.vue';\nC(F);\n",
];
const RUST: &[&str] = &[
    "pub fn F(value: T) -> T { value.A(F) }\n",
    "pub fn F() -> T { T::A() }\n",
    "pub struct T { A: T }\n",
    "impl T { pub fn A(&self) -> T { self.A() } }\n",
    "impl T { pub fn A() -> Self { F() } }\n",
    "pub trait T { fn A(&self) { F(self) } }\n",
    "impl T for T { fn A(&self) { self.A() } }\n",
    "use crate::N::F;\n",
    "use crate::N::{T, F as F};\n",
    "use crate::N::T::*;\nuse T::*;\n",
    "pub use super::N::*;\n",
    "use crate::N;\n",
    "pub fn F(value: u32) { N::F(T { A: value }).A(); }\n",
    "mod N;\n",
    "pub fn F() { crate::N::F(); self::F(); super::N::T::A(); }\n",
    "mod N { pub use super::T; pub fn F() { super::F(); T::A(); } }\n",
    "use crate::N::N::{F, T};\n",
    "pub enum T { A(T), F { A: T } }\nimpl T { pub fn A(&self) { match self { T::A(one) => one.A(), T::F { A } => A.A() } } }\n",
    "pub struct T(T, Vec<T>);\nimpl T { pub fn F(&self) { self.0.A(); self.1.iter().for_each(|one| one.A()); } }\n",
    "pub fn F<N: T>(value: N, other: Option<T>) { value.A(); let F = F(other.unwrap()); F.A(); }\n",
    "pub fn F(value: T) { println!(\"{}\", value.A(F(T::A()))); }\n",
    "#[cfg(test)]\nmod tests { fn F(value: Unknown) { value.A(); } struct T; impl T { fn A(&self) {} } }\n",
    "pub fn F(value: &[u8]) { value.A(); unknown().A(); }\n",
    "impl T for T { type Target = T; fn F(&self) -> &T { self } }\n",
    "pub type T = T;\npub type T<N> = T<N>;\n",
    "impl T<T> for T { fn A(value: T) -> T { T::A(value) } }\nimpl T<str> for T { fn A(value: &str) -> T { T::A(value) } }\n",
    "pub fn F(value: Vec<T>) -> Vec<T> { for one in value { one.A(); } F(value).A(); value.A(); value }\n",
    "impl T for T { fn next(&mut self) -> Option<T> { self.A() } }\n",
    "pub trait T { type T: T; fn A(&self) -> Self::T; fn F() -> Self { Self::A() } }\n",
    "impl<N: T> T for N { fn A(&self) { self.A().A() } }\n",
    "keep! { pub fn F(value: T<T>) -> T<T> { value.A() } }\n",
    "impl<N: T> T<N> { fn A(&self, value: &N) { self.A.A(value.A()); T::A(F(value)); } }\n",
    "pub struct T { A: fn(T) -> T, F: Vec<fn(T)> }\npub const A: [T; 1] = [T { A: F, F: vec![F] }];\n",
    "pub struct T(fn(T) -> T, T);\npub fn F(value: T) -> T { (value.A)(T(F, value.0(value))) }\n",
];
const JAVA: &[&str] = &[
    "class T { T(T value) { this.A = value; } T A() { return A(); } }\n",
    "class T extends T { T A; void A(T value) { value.A().A(); new T(this); } }\n",
    "class T { T A = new T(); static T A(T one, T two) { return one.A.A(two); } }\n",
    "import N.T;\n",
    "import static N.T.A;\nimport static N.T.*;\n",
    "interface T { void A(); }\n",
    "class T { static int A(T one) { return A(1L, one); } static long A(long one, T... two) { return T.A(new T()); } }\n",
    "class T extends T { T A(String one) { return A(T.A(one), \"\"); } int A(int one, Object two) { return 1; } }\n",
    "package N; class T<T extends T> { T(String one) { this(A(one + 1)); } T(T one) { super(one); } long A(Object one) { A(A(one)); } }\n",
    "class T implements T { public void A() { T.A(A, this); super.A(); } }\n",
];
const KOTLIN: &[&str] = &[
    "package N\nclass T(val A: T) { fun F() = A.A() }\n",
    "class T { private fun A() = F(this)\n fun F(value: T) = value.A() }\n",
    "open class T : T() { private fun String.A() = \"\".A()\n fun T.F(): T = A() }\n",
    "class T { companion object { fun String.A() = F(this) } }\n",
    "import N.F\nimport N.A\n",
    "import N.T.F\nimport N.T.Companion.A\n",
    "import N.T.*\nfun F() { A(F()) }\n",
    "fun F(value: String) = value.A()\n",
    "private fun F(value: T) = value.A()\nprivate fun T.A() = F(this)\n",
    "private class T { fun A() = T().F() }\n",
];
const GO: &[&str] = &[
    "package p\n\nfunc F(value *T) *T { return value.A(F) }\n",
    "type T struct { A *T }\n",
    "func (t *T) A() *T { return t.A() }\n",
    "func (t T) A(value T) { F(value.A) }\n",
    "func F() T { return T{A: F()} }\n",
    "var A = F\n",
    "type T struct { F, A func(*T) T }\n",
    "var A = []T{{F, F}, {A: F}}\n",
    "var F, A = map[string]*T{\"a\": {A: F}}, T{F, T{}}\n",
    "func F(value T) { value.A(F); value.F(T{F, A}); for _, one := range A { one.A(one.F()) } }\n",
    "func F() { for _, one := range []struct{ A T; F func() }{{T{}, F}} { one.F(one.A.A()) } }\n",
    "type T interface { A() }\nvar A T = T{}\n",
];
const C: &[&str] = &[
    "#include \"N.h\"\n",
    "typedef struct T T;\n",
    "typedef struct T N;\n",
    "struct T { int (*A)(int); struct T *F; };\n",
    "struct T { struct T first; T (*A)(T *); };\n",
    "static int F(int value) { return F(value); }\n",
    "int F(T *value) { return value->A(F) + value->F->A(1); }\n",
    "int F(struct T *value) { value->A = F; return value->first.A(F(value)); }\n",
    "struct T A = { F, { F } };\n",
    "T A[] = { { .A = F, .F = &A }, { A, F } };\n",
    "struct { const char *F; int (*A)(int); } A[] = { { 0, F } };\nint F(int N) { return A[N].A(1); }\n",
    "int F(void) { return F(&(struct T){ F, .A = F }); }\n",
    "T F;\nint F(T A, N *F) { return A.A(F->A(A)); }\n",
];
const CPP: &[&str] = &[
    "#include \"N.h\"\n",
    "namespace N { int F(int value) { return F(value); } }\n",
    "namespace N { class T { public: T(); int A(T* value); T* A; }; }\n",
    "int N::T::A(T* value) { return value->A->A(this) + F(1); }\n",
    "class T : public N::T { int A() { return A(); } };\n",
    "int F(T value) { return value.A(nullptr) + N::F(2); }\n",
    "struct T { int (*F)(int); T *A; };\nT A = { F, &A };\n",
    "T A{F, A};\nT F() { return {F, T{A}.A}; }\n",
];
const RUBY: &[&str] = &[
    "class T < T\n  def A(value)\n    @A = F(value)\n    value.A(self)\n  end\nend\n",
    "class T\n  def initialize(value)\n    @A = value\n  end\n  def A\n    @A.A\n  end\nend\n",
    "def F(value)\n  T.new(value).A\nend\n",
    "module T\n  def A\n    F(self)\n  end\nend\n",
    "class T\n  include T\nend\n",
    "require_relative 'N'\nF(T.new(F(1)))\n",
];

const CSHARP: &[&str] = &[
    "class T { public void F(int A) { A(); } public void F(int? A) { this.F(A); } }",
    "partial class T { public T Kept; public void F() { F(1); Kept.F(); } }",
    "namespace N { partial class T : T { void F(T A) { A.F(); } } }",
    "static class T { public static void F(this T A) { A.F(); } public static T A(this string text) => new T(); }",
    "static class T { public static void F(this T A, T other) { other.F(A).A(); } }",
    "class T { T A => new(); void F(Stream A) { A.F(); A.A().F(); \"text\".A(); } }",
    "interface T { void F(T A); }",
    "class T : T { void F<X>(X A) where X : T { A.F(new T()); } }",
    "using N;",
    "global using N;",
    "namespace N { static class T { public static T F(this string A) => A.F(); } }",
    "namespace N; static class T { public static void A(this T A) { \"\".F(); A.A(); } }",
    "using static N.T; using static T; class T { void F() { A(F(1)); } }",
    "namespace N; static class T { static T A(int A) => F(A); class T { static void F() {} } }",
];

const DART: &[&str] = &[
    "import 'N.dart';\n",
    "export 'N.dart';\n",
    "part 'N.dart';\n",
    "class T { void F(T A) { A.F(this); \"\".A(); } }\n",
    "extension T on T { void F(T A) { A.A(); } }\n",
    "extension T on String { T A() => F(this); }\n",
    "T F(T A) { A.F(\"\".A()); }\n",
];

const SCALA: &[&str] = &[
    "package N\nobject T { def F(A: T) = A.A(F(A)) }\n",
    "package N\nobject T extends T { implicit class T(A: T) { def F(A: T) = A.A(A) } }\n",
    "import N.T._\n",
    "import N._\nimport T._\n",
    "import N.T.F\nimport N.T\n",
    "object T { def A(A: T) = A.F(F(A)) }\n",
    "class T { def A(A: String) = A.F(A) }\n",
    "object T { implicit class T(A: String) { def F(A: T) = A } }\n",
];

const PHP: &[&str] = &[
    "<?php\nfunction F($value) { return F($value); }\n",
    "<?php\nclass T { function A($value) { return $this->A(new T($value)); } }\n",
    "<?php\nclass T extends T { function __construct($value) { $this->A = $value; $value->A(); } }\n",
    "<?php\nnamespace N;\nclass T { function A($value) { return F(new T($value)); } }\n",
    "<?php\nnamespace N\\N { use function N\\F; function F(T $value) { return F($value->A()); } }\n",
    "<?php\nuse N\\T;\nfunction F(T $value) { return $value->A(F(1)); }\n",
    "<?php\nrequire 'N.php';\nF(new T(F(1)));\n",
];

/// The extensions of each language's files, and the templates of their contents.
const LANGUAGES: &[(&[&str], &[&str])] = &[
    (&["py"], PYTHON),
    (&["ts", "js", "ts"], TYPESCRIPT),
    (&["vue", "ts", "vue"], COMPONENTS),
    (&["rs"], RUST),
    (&["java"], JAVA),
    (&["kt"], KOTLIN),
    (&["go"], GO),
    (&["c", "h"], C),
    (&["cpp", "h", "c"], CPP),
    (&["rb"], RUBY),
    (&["php"], PHP),
    (&["cs"], CSHARP),
    (&["dart"], DART),
    (&["scala"], SCALA),
];

/// The files of a repository, without extension.
const MODULES: &[&str] = &[
    "ant",
    "bee",
    "cat",
    "deep/dog",
    "deep/eel",
    "fox",
    "gnu",
    "hen",
    "lib/ibis",
    "lib/jay",
    "kid",
    "lynx",
    "deep/ant",
    "dog/eel",
    "lib/deep/fox",
    "index",
    "lib/__init__",
    "mod",
    "new/gnu",
    "cat.d",
    "new/dog.test",
    "lib/new/send",
];

/// A piece of a file: the number of its template, and the numbers of the names in it.
#[derive(Debug, Clone)]
struct Piece(usize, [u8; 8]);

#[derive(Debug, Clone)]
enum Edit {
    Insert(usize, Piece),
    Remove(usize),
    Replace(usize, Piece),
    /// Rotates the pieces of a file.
    Rotate(usize),
    /// Moves a piece to the end of another file.
    Move(usize, usize),
    /// Renames a file, or exchanges the contents of two files.
    Rename(usize),
    /// Removes a file; adds it with these pieces if it does not exist.
    AddOrRemove(Vec<Piece>),
}

fn piece() -> impl Strategy<Value = Piece> {
    (0..64usize, any::<[u8; 8]>()).prop_map(|(piece, names)| Piece(piece, names))
}

fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        4 => (0..9usize, piece()).prop_map(|(at, piece)| Edit::Insert(at, piece)),
        2 => (0..9usize).prop_map(Edit::Remove),
        4 => (0..9usize, piece()).prop_map(|(at, piece)| Edit::Replace(at, piece)),
        1 => (0..9usize).prop_map(Edit::Rotate),
        2 => (0..9usize, 0..MODULES.len()).prop_map(|(at, to)| Edit::Move(at, to)),
        1 => (0..MODULES.len()).prop_map(Edit::Rename),
        4 => prop::collection::vec(piece(), 0..5).prop_map(Edit::AddOrRemove),
    ]
}

fn text(language: usize, rare: usize, pieces: &[Piece]) -> String {
    let all = LANGUAGES[language].1;
    pieces
        .iter()
        .map(|Piece(number, names)| filled(all[number % all.len()], names, rare))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Returns a template with names in place of `F`, `T`, `A` and `N`; the larger `rare`, the fewer
/// files have a name in common.
fn filled(piece: &str, names: &[u8; 8], rare: usize) -> String {
    let mut next = names.iter().cycle().map(|&name| usize::from(name));
    let mut name = |of: &[&str], count: usize| {
        let number = next.next().unwrap_or(0) % (count * rare);
        let end = if number < count { String::new() } else { (number / count).to_string() };
        format!("{}{end}", of[number % count])
    };
    let is_letter = |c: Option<&char>| c.is_some_and(|c| c.is_alphanumeric() || *c == '_');
    let letters: Vec<char> = piece.chars().collect();
    let mut text = String::new();
    for (at, &letter) in letters.iter().enumerate() {
        let alone = !is_letter(letters.get(at + 1)) && !is_letter(at.checked_sub(1).and_then(|at| letters.get(at)));
        match letter {
            'F' if alone => text.push_str(&name(&["send", "read", "join", "each", "open"], 5)),
            'T' if alone => text.push_str(&name(&["Purse", "Bag", "Coin", "Owner"], 4)),
            'A' if alone => text.push_str(&name(&["count", "weigh", "owner", "send"], 4)),
            'C' if alone => text.push_str(["Ant", "Bee", "Cat", "Dog", "Eel", "Fox", "Gnu"][usize::from(names[7]) % 7]),
            'N' if alone => text.push_str(["ant", "bee", "cat", "dog", "eel", "fox", "gnu"][usize::from(names[7]) % 7]),
            other => text.push(other),
        }
    }
    text
}

/// A repository in one language, made of pieces.
struct Repository {
    language: usize,
    rare: usize,
    /// The pieces of each file; `None` if the file does not exist.
    pieces: Vec<Option<Vec<Piece>>>,
}

impl Repository {
    /// Returns the files that exist, sorted by path, as a parser reads them.
    fn parsed(&self, registry: &Registry) -> Vec<Parsed> {
        let files = MODULES.iter().zip(&self.pieces).filter_map(|(module, pieces)| Some((*module, pieces.as_ref()?)));
        let (ends, _) = LANGUAGES[self.language];
        let read = |(module, pieces): (&str, &Vec<Piece>)| {
            let end = ends[usize::from(module.as_bytes()[0]) % ends.len()];
            // Components have names in capitals.
            let path = match module.split_at_checked(1).filter(|_| end == "vue") {
                Some((first, rest)) => format!("{}{rest}.{end}", first.to_uppercase()),
                None => format!("{module}.{end}"),
            };
            parsed(registry, &path, &text(self.language, self.rare, pieces))
        };
        let mut parsed: Vec<Parsed> = files.map(read).collect();
        parsed.sort_by(|one, other| one.path.cmp(&other.path));
        parsed
    }

    fn edit(&mut self, file: usize, edit: &Edit) {
        if let Edit::AddOrRemove(pieces) = edit {
            self.pieces[file] = self.pieces[file].is_none().then(|| pieces.clone());
            return;
        }
        let Some(pieces) = &mut self.pieces[file] else { return };
        let count = pieces.len();
        match edit {
            Edit::Insert(at, piece) => pieces.insert(at % (count + 1), piece.clone()),
            _ if count == 0 => {}
            Edit::Remove(at) => drop(pieces.remove(at % count)),
            Edit::Replace(at, piece) => pieces[at % count] = piece.clone(),
            Edit::Rotate(by) => pieces.rotate_left(by % count),
            Edit::Move(at, to) => {
                let piece = pieces.remove(at % count);
                self.pieces[*to].get_or_insert_default().push(piece);
            }
            Edit::Rename(to) => self.pieces.swap(file, *to),
            Edit::AddOrRemove(_) => {}
        }
    }
}

/// A parsed file.
#[derive(Clone)]
struct Parsed {
    path: String,
    language: LangId,
    facts: PackedFacts,
}

fn parsed(registry: &Registry, path: &str, text: &str) -> Parsed {
    let language = registry.detect_text(path, text).expect("a language");
    let (facts, _) = parse(&mut Parser::default(), registry.language(language).expect("language"), path, text)
        .expect("data")
        .expect("parses");
    Parsed { path: path.to_owned(), language, facts: PackedFacts::new(&facts) }
}

fn sources(files: &[Parsed]) -> Vec<Source<'_>> {
    fn source(Parsed { path, language, facts }: &Parsed) -> Source<'_> {
        let facts = facts.facts();
        Source { path, language: Some(*language), facts: Some(facts), definitions: facts.definition_count() as u32 }
    }
    files.iter().map(source).collect()
}

/// The result of linking, which is stored between two edits.
struct Kept {
    edges: Vec<CallEdge>,
    hierarchy: Hierarchy,
    /// The mailbox of each file.
    mail: Vec<Vec<u8>>,
    steps: BTreeMap<LangId, u64>,
    left_out: BTreeMap<LangId, u32>,
}

/// Links all files.
fn fully_linked(registry: &Registry, files: &[Parsed]) -> Kept {
    let Linked { edges, hierarchy, steps, left_out, mail } = link("", &sources(files), registry);
    let mut mail: BTreeMap<FileId, Vec<u8>> = mail.into_iter().collect();
    let mail = (0..files.len()).map(|file| mail.remove(&FileId::new(file)).unwrap_or_default()).collect();
    Kept { edges, hierarchy, mail, steps, left_out }
}

/// Returns the number of the first definition of each file.
fn starts(sources: &[Source<'_>]) -> Vec<usize> {
    let ends = sources.iter().scan(0, |end, source| {
        *end += source.definitions as usize;
        Some(*end)
    });
    std::iter::once(0).chain(ends).collect()
}

fn file_of(starts: &[usize], id: DefinitionId) -> usize {
    starts.partition_point(|&start| start <= id.index()) - 1
}

/// Returns the state after an edit, and the number of files that were linked again. Copies the
/// edges of all other files.
fn relinked(registry: &Registry, kept: &Kept, old: &[Parsed], new: &[Parsed]) -> (Kept, usize) {
    let find = |path: &str| new.iter().find(|file| file.path == path);
    let mut old_sources = sources(old);
    for (source, file) in old_sources.iter_mut().zip(old) {
        source.facts =
            source.facts.filter(|_| find(&file.path).is_none_or(|now| now.facts.stored() != file.facts.stored()));
    }
    let (old, new) = (old_sources, sources(new));
    let mail = |file: FileId| &kept.mail[file.index()][..];
    let previous = PreviousLink { root: "", sources: &old, mail: &mail, steps: &kept.steps, left_out: &kept.left_out };
    let relinked = relink(&previous, &new, registry);
    let (was, is) = (starts(&old), starts(&new));
    let renumbered = |id: DefinitionId| {
        let file = file_of(&was, id);
        let local = relinked.renumbering.definition(FileId::new(file), LocalId::new(id.index() - was[file]));
        let file = relinked.renumbering.file(FileId::new(file)).expect("the file still exists");
        DefinitionId::new(is[file.index()] + local.expect("the definition still exists").index())
    };
    let mut edges = relinked.edges.clone();
    for edge in &kept.edges {
        let file = relinked.renumbering.file(FileId::new(file_of(&was, edge.caller)));
        if file.is_some_and(|file| !relinked.files.contains(&file)) {
            edges.push(CallEdge { caller: renumbered(edge.caller), callee: renumbered(edge.callee), ..*edge });
        }
    }
    edges.sort();
    let is_kept = |(id, _): &&(DefinitionId, DefinitionId)| {
        let file = relinked.renumbering.file(FileId::new(file_of(&was, *id)));
        file.is_some_and(|file| !relinked.files.contains(&file))
    };
    let copied = |pairs: &[(DefinitionId, DefinitionId)]| {
        pairs.iter().filter(is_kept).map(|&(from, to)| (renumbered(from), renumbered(to))).collect()
    };
    let mut hierarchy = relinked.hierarchy.clone();
    hierarchy.add(Hierarchy { bases: copied(&kept.hierarchy.bases), owners: copied(&kept.hierarchy.owners) });
    hierarchy.sort();
    let mail = (0..new.len()).map(|file| relinked.mail(FileId::new(file)).expect("valid messages").into_owned());
    let (steps, left_out) = (relinked.steps.clone(), relinked.left_out.clone());
    (Kept { edges, hierarchy, mail: mail.collect(), steps, left_out }, relinked.files.len())
}

/// Numbers of edits.
#[derive(Default, Debug)]
struct Tally {
    /// All files were linked again.
    full: usize,
    /// Some files were linked again, and no file was added or removed.
    partial: usize,
    /// Some files were linked again, and a file was added or removed.
    partial_with_new_files: usize,
}

/// Returns the state after an edit, and checks that it equals that of a full link. The second value
/// is the number of files that were linked again.
fn after(registry: &Registry, kept: &Kept, old: &[Parsed], new: &[Parsed]) -> Result<(Kept, usize), TestCaseError> {
    let full = fully_linked(registry, new);
    let (carried, count) = relinked(registry, kept, old, new);
    let edges = |edges: &[CallEdge]| edges.iter().map(|edge| format!("{edge:?}")).collect::<Vec<_>>();
    prop_assert_eq!(edges(&carried.edges), edges(&full.edges));
    prop_assert_eq!(&carried.hierarchy, &full.hierarchy);
    prop_assert_eq!(&carried.left_out, &full.left_out);
    for (file, (carried, full)) in new.iter().zip(carried.mail.iter().zip(&full.mail)) {
        prop_assert_eq!(carried, full, "the mailbox of {}", file.path);
    }
    Ok((carried, count))
}

fn check(
    registry: &Registry,
    mut repository: Repository,
    edits: &[(usize, Edit)],
    tally: &mut Tally,
) -> Result<(), TestCaseError> {
    let mut old = repository.parsed(registry);
    let mut kept = fully_linked(registry, &old);
    prop_assert!(kept.left_out.is_empty());
    for (file, edit) in edits {
        repository.edit(*file, edit);
        let new = repository.parsed(registry);
        let count;
        (kept, count) = after(registry, &kept, &old, &new)?;
        let same_paths = old.iter().map(|file| &file.path).eq(new.iter().map(|file| &file.path));
        *match (count == new.len(), same_paths) {
            (true, _) => &mut tally.full,
            (false, true) => &mut tally.partial,
            (false, false) => &mut tally.partial_with_new_files,
        } += 1;
        old = new;
    }
    Ok(())
}

/// Returns the number of random repositories, from `WHICHFN_RELINKS` if it is set.
fn repositories() -> u32 {
    std::env::var("WHICHFN_RELINKS").ok().and_then(|count| count.parse().ok()).unwrap_or(60)
}

#[test]
fn relinking_after_an_edit_equals_a_full_link() {
    let registry = Registry::builtin().expect("language files");
    let tally = std::cell::RefCell::new(Tally::default());
    let exists = |at: usize| if at < 12 { 0.9 } else { 0.2 };
    let file = |at| prop::option::weighted(exists(at), prop::collection::vec(piece(), 0..5));
    let repository = (0..MODULES.len()).map(file).collect::<Vec<_>>();
    let edits = prop::collection::vec((0..MODULES.len(), edit()), 1..8);
    let mut runner = proptest::test_runner::TestRunner::new(cases(repositories()));
    runner
        .run(&(0..LANGUAGES.len(), 1..8usize, repository, edits), |(language, rare, pieces, edits)| {
            check(&registry, Repository { language, rare, pieces }, &edits, &mut tally.borrow_mut())
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
    let Tally { full, partial, partial_with_new_files } = *tally.borrow();
    let is_enough = partial * 3 > full && partial_with_new_files * 30 > full;
    assert!(is_enough, "most edits are linked from scratch: {:?}", tally.borrow());
}

/// Files, one of which is edited so that a call resolves to another function, in a file that does
/// not name the edited definition.
struct Example {
    rule: &'static str,
    files: &'static [(&'static str, &'static str)],
    edited: usize,
    now: &'static str,
    /// File with the call that then resolves to another function.
    moved: &'static str,
}

const EXAMPLES: &[Example] = &[
    Example {
        rule: "a decorator that returns the function instead of its result",
        files: &[
            ("a.py", "def keep(function):\n    return function()\n"),
            ("b.py", "from a import keep\nfrom d import make\n\nowner = keep(make)\nowner()\n"),
            ("d.py", "def make():\n    return Purse\n\nclass Purse: pass\n"),
        ],
        edited: 0,
        now: "def keep(function):\n    return function\n",
        moved: "b.py",
    },
    Example {
        rule: "a name that is imported under another one",
        files: &[
            ("a.py", "# nothing yet\n"),
            ("b.py", "from a import Purse as Bag\n"),
            ("c.py", "from b import Bag\nfrom d import close\n\ndef open(value: Bag):\n    return close(value)\n"),
            ("d.py", "def close(thing):\n    return thing.count()\n"),
            ("e.py", "class Coin:\n    def count(self): pass\n\nclass Owner:\n    def count(self): pass\n"),
        ],
        edited: 0,
        now: "class Purse:\n    def count(self):\n        return 1\n",
        moved: "d.py",
    },
    Example {
        rule: "a function that is passed on, and takes other parameters",
        files: &[
            ("a.py", "def send(value):\n    return value.count()\n"),
            ("b.py", "from a import send\nfrom c import each\nfrom d import Purse\n\neach(send, Purse())\n"),
            ("c.py", "def each(visit, thing):\n    return visit(thing)\n"),
            ("d.py", "class Purse:\n    def count(self): pass\n\nclass Owner:\n    def count(self): pass\n"),
        ],
        edited: 0,
        now: "def send(other, value):\n    return value.count()\n",
        moved: "a.py",
    },
    Example {
        rule: "a constructor of a type that is passed on",
        files: &[
            ("a.py", "class Purse:\n    pass\n"),
            ("b.py", "from a import Purse\nfrom c import make\n\nmake(Purse)\n"),
            ("c.py", "def make(kind):\n    return kind(1)\n"),
        ],
        edited: 0,
        now: "class Purse:\n    def __init__(self, coin):\n        pass\n",
        moved: "c.py",
    },
    Example {
        rule: "a member that an assignment to the receiver declares",
        files: &[
            ("a.py", "class Purse:\n    def fill(self, value):\n        self.other = value\n"),
            ("b.py", "from a import Purse\n\nclass Bag(Purse):\n    pass\n"),
            (
                "c.py",
                "from b import Bag\nfrom d import look\nfrom e import Coin\n\nbag = Bag()\nbag.fill(Coin())\nlook(bag)\n",
            ),
            ("d.py", "def look(bag):\n    return bag.coin.count()\n"),
            ("e.py", "class Coin:\n    def count(self): pass\n\nclass Owner:\n    def count(self): pass\n"),
        ],
        edited: 0,
        now: "class Purse:\n    def fill(self, value):\n        self.coin = value\n",
        moved: "d.py",
    },
    Example {
        rule: "a name that is looked up in a file which exports another file",
        files: &[
            ("a.js", "// nothing yet\n"),
            ("b.js", "const a = require('./a');\nmodule.exports = a;\n"),
            ("c.js", "const b = require('./b');\nb.send();\n"),
        ],
        edited: 0,
        now: "function send() { return 1; }\n",
        moved: "c.js",
    },
    Example {
        rule: "an import that leads elsewhere",
        files: &[
            ("a.py", "class Bag:\n    def count(self): pass\n"),
            ("b.py", "from a import Bag\n"),
            ("c.py", "from b import Bag\n\ndef open(value: Bag):\n    return value.count()\n"),
            ("d.py", "class Bag:\n    def count(self): pass\n"),
        ],
        edited: 1,
        now: "from d import Bag\n",
        moved: "c.py",
    },
];

#[test]
fn relinking_updates_files_that_do_not_name_the_edited_definition() {
    let registry = Registry::builtin().expect("language files");
    for Example { rule, files, edited, now, moved } in EXAMPLES {
        let old: Vec<Parsed> = files.iter().map(|(path, text)| parsed(&registry, path, text)).collect();
        let mut new = old.clone();
        new[*edited] = parsed(&registry, files[*edited].0, now);
        let kept = fully_linked(&registry, &old);
        let calls = |edges: &[CallEdge], parsed: &[Parsed]| {
            let starts = starts(&sources(parsed));
            let of_file = edges.iter().filter(|edge| parsed[file_of(&starts, edge.caller)].path == *moved);
            let local = |id: DefinitionId| (file_of(&starts, id), id.index() - starts[file_of(&starts, id)]);
            of_file.map(|edge| (edge.site, local(edge.callee))).collect::<Vec<_>>()
        };
        let (now, _) = after(&registry, &kept, &old, &new).unwrap_or_else(|error| panic!("{rule}: {error}"));
        assert_ne!(calls(&kept.edges, &old), calls(&now.edges, &new), "{rule}: the example shows something");
    }
}

/// A file without imports uses those of the library that includes it, and does not name the library.
#[test]
fn a_part_is_linked_again_if_its_library_is_added_or_removed() {
    let registry = Registry::builtin().expect("language files");
    let read = |files: &[(&str, &str)]| files.iter().map(|(path, text)| parsed(&registry, path, text)).collect();
    let files = [
        ("bag.dart", "export 'coin.dart';\n\nimport 'owner.dart';\n"),
        ("coin.dart", "extension Purse on Owner { void send(Owner count) { count.each(this); } }\n"),
        ("owner.dart", "class Owner { void each(Owner other) {} }\n"),
    ];
    let (old, new): (Vec<Parsed>, Vec<Parsed>) = (read(&files), read(&files[1..]));
    for (old, new) in [(&old, &new), (&new, &old)] {
        let kept = fully_linked(&registry, old);
        after(&registry, &kept, old, new).expect("the same as a full link");
    }
}

/// Returns a Python file whose calls take more steps than the limit: each of many named arguments
/// is looked up among as many parameters.
fn beyond_the_step_limit() -> String {
    let list = |one: &dyn Fn(usize) -> String| (0..4_000).map(one).collect::<Vec<_>>().join(", ");
    let (parameters, arguments) = (list(&|i| format!("a{i}")), list(&|i| format!("a{i}=1")));
    format!("def wide({parameters}):\n    pass\n\nwide({arguments})\nmissing(1)\n")
}

#[test]
fn a_language_at_its_step_limit_is_linked_again_only_if_an_edit_affects_it() {
    let registry = Registry::builtin().expect("language files");
    let wide = beyond_the_step_limit();
    let python = [("ant.py", "def ant(): pass\nant()\n"), ("wide.py", &wide), ("zoo.py", "import cat\ncat.sit()\n")];
    let rust = [("bee.rs", "fn bee() { buzz(); }\nfn buzz() {}\n"), ("fly.rs", "fn fly() {}\n")];
    let read = |files: &[&[(&str, &str)]]| {
        let mut all: Vec<Parsed> = files.concat().iter().map(|(path, text)| parsed(&registry, path, text)).collect();
        all.sort_by(|one, other| one.path.cmp(&other.path));
        all
    };
    let old = read(&[&python, &rust]);
    let kept = fully_linked(&registry, &old);
    let [python_id, rust_id] = [".py", ".rs"].map(|end| registry.detect(&format!("a{end}")).expect("a language"));
    assert!(kept.left_out.contains_key(&python_id) && !kept.left_out.contains_key(&rust_id), "{:?}", kept.left_out);
    let edits: [(&str, Vec<Parsed>, usize); 6] = [
        ("an edit in another language", read(&[&python, &[("bee.rs", "fn bee() {}\n"), rust[1]]]), 1),
        ("a new file in another language", read(&[&python, &rust, &[("aaa.rs", "fn aaa() { bee(); }\n")]]), 1),
        ("a removed file in another language", read(&[&python, &rust[..1]]), 0),
        ("a new file that an import may mean", read(&[&python, &rust, &[("cat.py", "def sit(): pass\n")]]), 4),
        ("a removed file", read(&[&python[1..], &rust]), 2),
        ("the cause removed", read(&[&[python[0], ("wide.py", "def wide(): pass\n"), python[2]], &rust]), 3),
    ];
    for (edit, new, linked) in edits {
        let (now, count) = after(&registry, &kept, &old, &new).unwrap_or_else(|error| panic!("{edit}: {error}"));
        assert_eq!(count, linked, "{edit}");
        assert_eq!(now.left_out.contains_key(&python_id), edit != "the cause removed", "{edit}");
    }
}
