//! The grammars of this build. Each grammar is generated C code, in a crate or in a folder of this
//! crate.

/// A parser, and where its C code is.
pub struct Grammar {
    /// Name of the constant in this crate.
    pub constant: &'static str,
    /// Name of the crate, which is this crate or a dependency of it.
    pub package: &'static str,
    /// Folder of `parser.c`, relative to the folder of the crate.
    pub folder: &'static str,
    /// Path of the crate's own parser, whose tables are not compressed. `None` for grammars of this
    /// crate.
    pub plain: Option<&'static str>,
}

const fn grammar(constant: &'static str, package: &'static str, folder: &'static str, plain: &'static str) -> Grammar {
    Grammar { constant, package, folder, plain: Some(plain) }
}

/// A grammar in a folder of this crate.
const fn own(constant: &'static str, folder: &'static str) -> Grammar {
    Grammar { constant, package: env!("CARGO_PKG_NAME"), folder, plain: None }
}

/// All grammars, in alphabetical order.
pub const GRAMMARS: &[Grammar] = &[
    grammar("BASH", "tree-sitter-bash", "src", "tree_sitter_bash::LANGUAGE"),
    grammar("C", "tree-sitter-c", "src", "tree_sitter_c::LANGUAGE"),
    grammar("CPP", "tree-sitter-cpp", "src", "tree_sitter_cpp::LANGUAGE"),
    grammar("CSHARP", "tree-sitter-c-sharp", "src", "tree_sitter_c_sharp::LANGUAGE"),
    grammar("DART", "tree-sitter-dart-orchard", "src", "tree_sitter_dart_orchard::LANGUAGE"),
    grammar("ELIXIR", "tree-sitter-elixir", "src", "tree_sitter_elixir::LANGUAGE"),
    grammar("GO", "tree-sitter-go", "src", "tree_sitter_go::LANGUAGE"),
    grammar("GRAPHQL", "tree-sitter-graphql", "src", "tree_sitter_graphql::LANGUAGE"),
    grammar("HASKELL", "tree-sitter-haskell", "src", "tree_sitter_haskell::LANGUAGE"),
    grammar("JAVA", "tree-sitter-java", "src", "tree_sitter_java::LANGUAGE"),
    grammar("JAVASCRIPT", "tree-sitter-javascript", "src", "tree_sitter_javascript::LANGUAGE"),
    grammar("JULIA", "tree-sitter-julia", "src", "tree_sitter_julia::LANGUAGE"),
    grammar("KOTLIN", "tree-sitter-kotlin-ng", "src", "tree_sitter_kotlin_ng::LANGUAGE"),
    grammar("LUA", "tree-sitter-lua", "src", "tree_sitter_lua::LANGUAGE"),
    grammar("OBJC", "tree-sitter-objc", "src", "tree_sitter_objc::LANGUAGE"),
    grammar("PHP", "tree-sitter-php", "php/src", "tree_sitter_php::LANGUAGE_PHP"),
    grammar("PROTO", "tree-sitter-proto", "src", "tree_sitter_proto::LANGUAGE"),
    grammar("PYTHON", "tree-sitter-python", "src", "tree_sitter_python::LANGUAGE"),
    grammar("R", "tree-sitter-r", "src", "tree_sitter_r::LANGUAGE"),
    grammar("RUBY", "tree-sitter-ruby", "src", "tree_sitter_ruby::LANGUAGE"),
    grammar("RUST", "tree-sitter-rust", "src", "tree_sitter_rust::LANGUAGE"),
    grammar("SCALA", "tree-sitter-scala", "src", "tree_sitter_scala::LANGUAGE"),
    own("SQL", "sql/src"),
    grammar("SWIFT", "tree-sitter-swift", "src", "tree_sitter_swift::LANGUAGE"),
    grammar("TERRAFORM", "tree-sitter-hcl", "src", "tree_sitter_hcl::LANGUAGE"),
    grammar("TSX", "tree-sitter-typescript", "tsx/src", "tree_sitter_typescript::LANGUAGE_TSX"),
    grammar("TYPESCRIPT", "tree-sitter-typescript", "typescript/src", "tree_sitter_typescript::LANGUAGE_TYPESCRIPT"),
    grammar("ZIG", "tree-sitter-zig", "src", "tree_sitter_zig::LANGUAGE"),
];
