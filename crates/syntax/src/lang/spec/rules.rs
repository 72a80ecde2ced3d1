//! `[api]`, `[dispatch]` and `[tests]`: what other files may use, which methods override others, and what
//! a test is.

use globset::Glob;
use serde::Deserialize;

/// Rules that determine whether a definition is public or private, by the language's rules or by
/// convention.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Api {
    /// Globs that match the names of private definitions: `_*`.
    pub private_names: Vec<String>,
    /// Words in the header of a private definition: `private`.
    pub private_words: Vec<String>,
    /// Words in the header of a function outside types that only its own file can use: `static`.
    pub file_words: Vec<String>,
    /// Words in the header of a public function. If there are any, a function outside types is
    /// private unless its header has one of them.
    pub public_words: Vec<String>,
    /// Words in the header of a function that has a public word but is visible only in its own
    /// package: `pub(crate)`.
    pub restricted_words: Vec<String>,
    /// True if a method without a public word is private.
    pub private_members: bool,
    /// Words in the header of a method that other code can use. If there are any, a method without
    /// them is private: `public`, `protected`.
    pub member_words: Vec<String>,
    /// Lines after which the methods of a type are private: `private`.
    pub private_lines: Vec<String>,
    /// Lines after which the methods of a type are public again: `public`.
    pub public_lines: Vec<String>,
    /// Globs that match the paths of files that no other repository can import: `**/internal/**`.
    pub private_paths: Vec<String>,
    /// Lines of a file of a program, which no other code can import: `package main`.
    pub program_lines: Vec<String>,
    /// Beginnings of statements and values that make a file a module: `import `, `require(`. If
    /// there are any, functions outside types in other files are visible to other scripts.
    pub module_marks: Vec<String>,
    /// Texts before an expression that computes a name.
    pub computed_names: ComputedNames,
    /// Globs that match the names of functions that are unused on purpose: `_*`.
    pub unused_names: Vec<String>,
    /// Globs that match the names of files whose functions belong to each file that includes them:
    /// `*.h`.
    pub shared_files: Vec<String>,
    /// Texts before a definition by which the build selects it: `#[cfg(`.
    pub conditional_marks: Vec<String>,
    /// Texts in the header of a function or in the comment before it by which the author keeps it,
    /// although no code calls it: `//go:linkname`.
    pub kept_marks: Vec<String>,
    /// Sign with which the preprocessor puts names together: `##`. Empty if there is none.
    pub paste_sign: String,
    /// Globs that match the names of functions that the language itself or its runtime calls:
    /// `__*__`, `main`.
    pub hook_names: Vec<String>,
}

/// Texts that a function, type or file contains if it calls functions inside it by computed names.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ComputedNames {
    /// For functions, which see the functions that are nested in them: `locals()`.
    pub functions: Vec<String>,
    /// For types, which see their members: `getattr(self, `. `{type}` represents the type's name. A
    /// literal after the text is not a computed name.
    pub types: Vec<String>,
    /// For files: `globals()`.
    pub files: Vec<String>,
}

impl Api {
    /// Checks whether definitions with this name are private.
    pub fn is_private_name(&self, name: &str) -> bool {
        let mut globs = self.private_names.iter().filter_map(|glob| Glob::new(glob).ok());
        globs.any(|glob| glob.compile_matcher().is_match(name))
    }
}

/// How a type implements an interface, and which calls are dispatched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Interfaces {
    /// By naming it. Calls are dispatched through all types.
    #[default]
    Named,
    /// By having its methods. Calls are dispatched only through interfaces (Go).
    Structural,
    /// By having its methods. Calls are dispatched through all types (protocols in Python).
    Protocols,
}

/// The rules by which a method in a subtype overrides one in a base or an interface.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Dispatch {
    /// How a type implements an interface.
    pub interfaces: Interfaces,
    /// True if a method overrides only methods with as many parameters.
    pub same_parameters: bool,
    /// True if a method may override one with more parameters (JavaScript).
    pub fewer_parameters: bool,
    /// Signs that begin the body of a method, in languages in which a method of an interface without
    /// a body has to be implemented: `{`.
    pub body_signs: Vec<String>,
    /// Words before a method that has to be implemented: `abstractmethod`.
    pub abstract_marks: Vec<String>,
    /// Words before a method that does not have to be implemented: `optional`.
    pub optional_words: Vec<String>,
    /// Words in the header of a type that may leave methods without an implementation: `abstract`.
    pub open_words: Vec<String>,
    /// Words in the header of a method that has to override another one: `override`.
    pub override_marks: Vec<String>,
    /// Words in the signature of a method that overrides nothing and is not overridden: `static`.
    pub fixed_words: Vec<String>,
    /// Texts before the name in the signature of a method whose receiver is the type. Such a method
    /// overrides only methods of types, and only such methods override it: `self.`.
    pub type_method_marks: Vec<String>,
    /// Types of the library whose members are known: names of types, and the names of the members that
    /// a type inherits from each of them. Any other type outside the repository may have any member.
    pub library_bases: Vec<[Vec<String>; 2]>,
}

impl Dispatch {
    /// Checks whether a type implements an interface by having its methods.
    pub fn has_structural_interfaces(&self) -> bool {
        self.interfaces != Interfaces::Named
    }
}

/// The rules for recognizing test code, and the parts of it that a test runner runs.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tests {
    /// Globs that match the paths of test files from the root.
    pub paths: Vec<String>,
    /// Globs that match the names of tests, in `case_files`.
    pub names: Vec<String>,
    /// Globs that match the names of functions in test code that a test runner runs.
    pub cases: Vec<String>,
    /// Globs that match the paths of files in which a test runner finds tests by their names; all
    /// files if empty.
    pub case_files: Vec<String>,
    /// Globs that match the names of types in which it finds tests by their names; all types if
    /// empty. A type with a constructor does not count.
    pub case_types: Vec<String>,
    /// Globs that match the names of the bases of further such types.
    pub case_bases: Vec<String>,
    /// Globs that match the marks of such functions: an attribute, an annotation, a decorator, or
    /// the macro that the definition begins with.
    pub case_marks: Vec<String>,
    /// Globs that match those of these macros whose first argument is a type that must exist.
    pub fixture_marks: Vec<String>,
    /// Functions that take the name and the body of a test: `it("adds", () => ..)`. A name may have
    /// several parts: `Deno.test`.
    pub case_calls: Vec<String>,
    /// Names behind such a function with which it takes no test: `test.describe`, `test.step`.
    pub case_parts: Vec<String>,
    /// Whether a string that takes a body is the name of a test: `"adds" { .. }`.
    pub case_strings: bool,
    /// Kinds of nodes other than calls that begin with the name of such a function, or with such a
    /// string.
    pub case_nodes: Vec<String>,
    /// Names and marks of functions that run before the tests in the same type, block or file, and
    /// functions that take such a function (`beforeEach(() => ..)`).
    pub setups: Vec<String>,
    /// Marks of functions whose value a test runner passes to the parameters of that name in tests.
    pub fixtures: Vec<String>,
    /// Arguments of such a mark, without spaces, with which the function runs before all tests.
    pub automatic: Vec<String>,
    /// Stems of files whose fixtures apply to all files in their directory and below.
    pub shared_files: Vec<String>,
    /// Argument that makes the test runner run a test. `{path}`, `{directory}`, `{line}`,
    /// `{module}`, `{type}`, `{name}` and `{qualified}` are replaced; `{names}` represents the
    /// names, separated by `|`, of all tests that share the rest of the argument.
    pub runner: Option<String>,
    /// The same for a test whose name is a string, if the runner does not accept such names.
    pub title_runner: Option<String>,
    /// Other runners, of files that contain a certain text; the first one counts.
    pub runners: Vec<OtherRunner>,
    /// Brackets around a part of the name of a test that is known only when it runs: `${` and `}`.
    pub placeholder_brackets: Vec<[String; 2]>,
    /// Signs before a word that represents such a part: `%` and `$` in the name of a table of tests.
    pub placeholder_signs: Vec<String>,
    /// Separator between the parts of `{type}` and `{qualified}`.
    pub separator: String,
}

/// The test runner of files that contain a certain text.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OtherRunner {
    /// Text of such files, such as the name of the runner's module.
    pub contains: String,
    /// Argument in place of `runner`.
    pub argument: String,
}
