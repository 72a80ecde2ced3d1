//! Versions of the index format and content. They determine whether two indexes of the same tree
//! are equal. History:
//!
//! - FORMAT 1, CONTENT 1: the first versions.
//! - FORMAT 2: the manifest contains the checksum of the text index.
//! - CONTENT 2: `self`, `this` and `cls` are not indexed.
//! - FORMAT 3: a file's record contains the digest of the facts that linking uses.
//! - FORMAT 4: adds the words of blocks, line ends and skeletons; facts and syntax trees are
//!   packed.
//! - FORMAT 5: adds the words of definitions, as numbers in the word-vector table, whose digest is
//!   in the fingerprint.
//! - FORMAT 6: files are sealed with a checksum per block, and with a seal that the manifest
//!   contains.
//! - FORMAT 7: the manifest counts the calls that linking omitted; CONTENT 3: a C++ namespace is
//!   the union of its parts.
//! - FORMAT 8: the stamp of a file contains its inode and the time of its last change of any kind;
//!   times before 1970 are possible.
//! - FORMAT 9: adds the total lengths of fields.
//! - FORMAT 10: the graph and its facts are stored in a base, an overlay and links.
//! - FORMAT 11: facts omit the data that is in the graph file, and symbols have eight bytes.
//! - FORMAT 12: postings of words are stored in the base and the overlay; no text index.
//! - FORMAT 13: adds each definition's lengths of the fields that are derived from calls.
//! - FORMAT 14: facts are flat tables that linking reads in place.
//! - FORMAT 15: kinds and test marks are stored with the links.
//! - FORMAT 16: adds the depths of definitions and call sites in their syntax trees.
//! - FORMAT 17: adds the definitions sorted by name.
//! - FORMAT 18: adds the messages that files exchange during linking; CONTENT 4: files exchange
//!   these messages in rounds.
//! - CONTENT 5: a different table of word vectors.
//! - CONTENT 6: adds JavaScript members that a call names.
//! - FORMAT 19: adds pairs of a declaration and a definition that it documents; CONTENT 7: adds
//!   documented declarations.
//! - FORMAT 20: adds the package or import path that a file declares; CONTENT 8: adds Go import
//!   paths, and Rust modules and fields.
//! - CONTENT 9: adds doc comments before an empty line, and plain comments above private Rust
//!   functions.
//! - CONTENT 10: files with a string that ends in `<<` are no longer mistaken for files with
//!   endless heredocs.
//! - FORMAT 21: messages between files in the encoding of postcard.
//! - FORMAT 22: adds the bases of types, the types of definitions outside their bodies, declared
//!   types of parameters and results, types of literals, test marks in the facts that linking uses,
//!   and constants, variables, fields and enum variants.
//! - CONTENT 11: adds calls in macro arguments, parts of patterns, type parameters, object
//!   literals, properties, mixins and the import paths of more manifests. A parameter of a test has
//!   the value of the fixture with its name.
//! - CONTENT 12: calls of overloads select one of them by the types of their arguments.
//! - CONTENT 13: adds definitions in macro calls, types of Rust literals and built-in types,
//!   elements of containers, types that aliases stand for, C and C++ declarations that macros hide,
//!   names that `using` imports, extension methods, parts of types, types with null, variables of
//!   blocks, types in strings and comments, and the definitions after a C macro in place of
//!   declarations.
//! - CONTENT 14: adds re-exports of CommonJS modules, C++ namespace aliases, and Go calls with type
//!   arguments.
//! - CONTENT 15: text about parameters (`Annotated[.., Doc("..")]`) is documentation.
//! - CONTENT 16: `-ise` is read as `-ize`, and escapes in Python strings are not words; plain
//!   comments document functions that are visible in their package only; functions in a block of
//!   tests are tests.
//! - CONTENT 17: adds languages, components, notebooks, and entries (routes and commands); imports
//!   between JavaScript and TypeScript; signatures have no trailing comma.
//! - CONTENT 18: adds environment variables, events, tasks and SQL tables as entries, types whose names
//!   are paths through modules that no file defines, and `this` in Vue components; an alias in Elixir
//!   applies to the rest of its block; of a file without a language, at most 1 MiB is indexed.
//! - FORMAT 23: adds the marks of private definitions to the facts that linking uses; CONTENT 19: calls
//!   are not linked to definitions that they cannot use; adds routes of objects and actions of Django
//!   REST routers, pages of Next.js, PUT routes of Rails resources, redirects and the flags of Ruby's
//!   OptionParser, prefixes of mounted applications and Actix scopes, and no routes with a computed
//!   path; the condition of a pattern and other forms that a grammar cannot read are rewritten.
//! - CONTENT 20: adds routes with the prefixes of base classes, routers in members, of derived types and
//!   in arguments, exported values of Next.js, routes of loops over lists and of utoipa-axum; a default
//!   export may be imported by its name; adds calls of definitions by their full paths (Java, Kotlin,
//!   Scala), calls of functions with the name of a value (Kotlin), and definitions in forms that were
//!   not read before; a text ends with a line break for the parser.
//! - CONTENT 21: adds routes with the prefixes of annotations, of routers in variables and results of
//!   functions, of namespaces, and of groups without a variable; the files of modules inside a file of
//!   Rust are linked; adds the unknown parts of prefixes; adds names of packages in several
//!   folders, and extensions of objects in scope (Kotlin); calls are linked only to extensions that their
//!   file sees; adds closures after calls in declarations (Swift), default exports that a call wraps, and
//!   definitions in more forms; lists are not functions.
//! - FORMAT 24: the manifest contains the calls that are not linked by language, and whether indexing
//!   was interrupted; CONTENT 22: adds calls by symbols and texts, infix calls, calls with type arguments
//!   (Kotlin), objects without arguments (C++), behaviours (Elixir), arguments (Zig) and names of
//!   arguments (`:key => value` in Ruby); no member of a built-in type is linked by its name; at the
//!   step limit, calls that follow from declarations are linked.
//! - FORMAT 25: adds imports that other files share, and messages about sets of too many objects;
//!   CONTENT 23: what too many calls share links none of them; adds members that imports take out of
//!   types, and imports of extensions; the name of the root is that of its package.
//! - CONTENT 24: adds tests in blocks without a name, calls of operators, keys of constant objects in
//!   JavaScript and TypeScript, the values of fields in literals, by name and by position, the
//!   members of object literals and maps that a computed name reads, structs without a name, types
//!   of C fields, and values of Go variables outside functions; a variable of a struct type holds
//!   only such objects in C and Go.
//! - FORMAT 26: stores the calls of operators in a table of their own; stores messages and the
//!   facts for linking in columns, compressed.
//! - CONTENT 25: adds keys of default exports and of Lua tables, calls on literals of extended library
//!   types, files without a package in several source folders, values after a named field, and the
//!   types of later results and of derived and inherited constructors.
//! - FORMAT 27: stores whether a definition is a property, reads of members, and two more reasons of
//!   calls.
//! - CONTENT 26: adds reads of properties, functions that a library is given, tables of dozens of
//!   functions, functions in variables of function types, references to methods, types that a test
//!   finds, values of modules that others export again, setters and other names of methods in Ruby,
//!   aliases of types in Scala and Kotlin, and members that Scala imports of values.
//! - CONTENT 27: adds members for the starts of the names of methods; functions are tests by their
//!   names only in the files in which a runner looks for them; protocols of Python are interfaces;
//!   setters of properties.
//! - CONTENT 28: adds reads of descriptors, and `__hash__` of keys, in Python; sets of objects of all
//!   kinds contain fewer functions.

use crate::wordvec::WordTable;

/// Version of the format. It changes when the meaning of bytes in an index file changes.
pub const FORMAT: u32 = 27;
/// Version of the content. It changes when the same source produces different content, for example
/// because of a new tokenizer or other extraction rules.
pub const CONTENT: u32 = 28;

/// All inputs except the source files that determine the contents of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Fingerprint {
    /// Value of [`FORMAT`] in the program that wrote the index.
    pub format: u32,
    /// Value of [`CONTENT`] in the program that wrote the index.
    pub content: u32,
    /// Digest of the grammars and queries.
    pub languages: u64,
    /// Digest of the word-vector table, which maps numbers to words.
    pub words: u64,
    /// Maximum size of an indexed file in bytes.
    pub max_size: u64,
}

impl Fingerprint {
    /// Returns the fingerprint of this build with the given settings.
    pub fn new(languages: u64, max_size: u64) -> Self {
        Self { format: FORMAT, content: CONTENT, languages, words: WordTable::builtin().digest(), max_size }
    }
}
