//! The only place in the Rust code that names languages. Each language has one row, with its parser
//! and its data files.
//!
//! To add a language, add a row here, its crate in `Cargo.toml`, `grammars/<name>.toml`,
//! `queries/<name>/*.scm` and `fixtures/lang/<name>.md`.

use super::query::QueryText;
use tree_sitter_language::LanguageFn;

/// A built-in language: its name, its parser, and the contents of its data files.
pub(super) struct LanguageRow {
    pub name: &'static str,
    pub parser: LanguageFn,
    pub grammar: &'static str,
    /// Contents of `definitions.scm`, `calls.scm`, `imports.scm`, `docs.scm` and
    /// `values.scm`.
    pub queries: [QueryText; 5],
}

macro_rules! query {
    ($name:literal, $file:literal) => {
        QueryText {
            path: concat!("queries/", $name, "/", $file),
            text: include_str!(concat!("../../queries/", $name, "/", $file)),
        }
    };
}

macro_rules! rows {
    ($($name:literal $parser:expr;)*) => {
        pub(super) const ROWS: &[LanguageRow] = &[$(LanguageRow {
            name: $name,
            parser: $parser,
            grammar: include_str!(concat!("../../grammars/", $name, ".toml")),
            queries: [
                query!($name, "definitions.scm"),
                query!($name, "calls.scm"),
                query!($name, "imports.scm"),
                query!($name, "docs.scm"),
                query!($name, "values.scm"),
            ],
        }),*];
    };
}

// The order matters: of languages that share a file extension (`.h`), the first row gets it, and a
// later one only gets files with one of its `markers`; if several have one, the last row gets the
// file. The index stores a language as its row number, so a new row changes the fingerprint.
rows! {
    "go" whichfn_parsers::GO;
    "java" whichfn_parsers::JAVA;
    "javascript" whichfn_parsers::JAVASCRIPT;
    "python" whichfn_parsers::PYTHON;
    "rust" whichfn_parsers::RUST;
    "c" whichfn_parsers::C;
    "cpp" whichfn_parsers::CPP;
    "csharp" whichfn_parsers::CSHARP;
    "php" whichfn_parsers::PHP;
    "ruby" whichfn_parsers::RUBY;
    "tsx" whichfn_parsers::TSX;
    "typescript" whichfn_parsers::TYPESCRIPT;
    "lua" whichfn_parsers::LUA;
    "bash" whichfn_parsers::BASH;
    "proto" whichfn_parsers::PROTO;
    "graphql" whichfn_parsers::GRAPHQL;
    "terraform" whichfn_parsers::TERRAFORM;
    "zig" whichfn_parsers::ZIG;
    "r" whichfn_parsers::R;
    "kotlin" whichfn_parsers::KOTLIN;
    "swift" whichfn_parsers::SWIFT;
    "scala" whichfn_parsers::SCALA;
    "vue" whichfn_parsers::TYPESCRIPT;
    "svelte" whichfn_parsers::TYPESCRIPT;
    "astro" whichfn_parsers::TSX;
    "dart" whichfn_parsers::DART;
    "elixir" whichfn_parsers::ELIXIR;
    "sql" whichfn_parsers::SQL;
    "haskell" whichfn_parsers::HASKELL;
    "julia" whichfn_parsers::JULIA;
    "objc" whichfn_parsers::OBJC;
}

/// File extensions of text files that contain data rather than code or prose. Such files are not
/// read, and they are counted separately.
pub(super) const DATA: &str = include_str!("../../grammars/data.toml");

/// Signs in source text that all languages share. Each language may add its own.
pub(super) const IDIOMS: &str = include_str!("../../grammars/idioms.toml");

macro_rules! frameworks {
    ($($name:literal)*) => {
        /// Contents of the files in `grammars/frameworks/`, with their names.
        pub(super) const FRAMEWORKS: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../grammars/frameworks/", $name, ".toml")))),*];
    };
}

frameworks! {
    "actix"
    "aiohttp"
    "argparse"
    "aspnet"
    "axum"
    "chi"
    "clap"
    "celery"
    "click"
    "cobra"
    "commander"
    "django"
    "echo"
    "environment"
    "events"
    "express"
    "fastapi"
    "fastify"
    "flask"
    "gin"
    "laravel"
    "nest"
    "nats"
    "net_http"
    "nextjs"
    "optparse"
    "queues"
    "rails"
    "rest_framework"
    "rocket"
    "sinatra"
    "spring"
    "spring_events"
    "sql_csharp"
    "sql_go"
    "sql_java"
    "sql_javascript"
    "sql_php"
    "sql_python"
    "sql_ruby"
    "sql_rust"
    "symfony"
    "typer"
    "utoipa"
}
