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
// later one only gets files with one of its `markers`. The index stores a language as its row
// number, so a new row changes the fingerprint.
rows! {
    "go" tree_sitter_go::LANGUAGE;
    "java" tree_sitter_java::LANGUAGE;
    "javascript" tree_sitter_javascript::LANGUAGE;
    "python" tree_sitter_python::LANGUAGE;
    "rust" tree_sitter_rust::LANGUAGE;
    "c" tree_sitter_c::LANGUAGE;
    "cpp" tree_sitter_cpp::LANGUAGE;
    "csharp" tree_sitter_c_sharp::LANGUAGE;
    "php" tree_sitter_php::LANGUAGE_PHP;
    "ruby" tree_sitter_ruby::LANGUAGE;
    "tsx" tree_sitter_typescript::LANGUAGE_TSX;
    "typescript" tree_sitter_typescript::LANGUAGE_TYPESCRIPT;
    "lua" tree_sitter_lua::LANGUAGE;
    "bash" tree_sitter_bash::LANGUAGE;
    "proto" tree_sitter_proto::LANGUAGE;
    "graphql" tree_sitter_graphql::LANGUAGE;
    "terraform" tree_sitter_hcl::LANGUAGE;
    "zig" tree_sitter_zig::LANGUAGE;
    "r" tree_sitter_r::LANGUAGE;
    "kotlin" tree_sitter_kotlin_ng::LANGUAGE;
    "swift" tree_sitter_swift::LANGUAGE;
    "scala" tree_sitter_scala::LANGUAGE;
    "vue" tree_sitter_typescript::LANGUAGE_TYPESCRIPT;
    "svelte" tree_sitter_typescript::LANGUAGE_TYPESCRIPT;
    "astro" tree_sitter_typescript::LANGUAGE_TSX;
    "dart" tree_sitter_dart_orchard::LANGUAGE;
    "elixir" tree_sitter_elixir::LANGUAGE;
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
    "queues"
    "rails"
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
}
