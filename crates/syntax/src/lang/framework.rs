//! Frameworks as data: which calls, decorators, annotations and files of a framework register a
//! route or a command (`grammars/frameworks/*.toml`).
//!
//! `grammars/frameworks/README.md` describes every field.

use globset::GlobSet;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::collections::BTreeMap;

/// What a registration registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Registers {
    /// A route: a method and a path.
    Route,
    /// A command or subcommand.
    Command,
    /// An option of a command.
    Flag,
    /// Nothing by itself, but a prefix for what is registered on the object that the call returns,
    /// in the type that the annotation is on, or inside the call.
    Group,
    /// A prefix for what is registered on another object.
    Mount,
    /// The handler of a command that was registered before.
    Handler,
    /// A resource: one route for each of `actions`.
    Resource,
    /// Nothing by itself, but the method and path of the decorated function, wherever it is registered.
    Template,
    /// A name of another kind, which `tag` states: an event, a task, the tables of a query.
    Name,
}

/// Location of a value among the arguments of a registration.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Argument {
    /// Position among the arguments without a name, starting at 0; negative from the end.
    Position(i32),
    /// Name of an argument that is passed by name, or of an entry of an object literal. After a
    /// dot, the name of a call earlier in the chain, whose first argument is the value.
    Named(String),
}

/// A rule for calls, decorators, annotations and object literals.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntryRule {
    /// Last parts of the callee's name.
    pub names: Vec<String>,
    /// True if the name of the callee may also end in one of the names: a derived type.
    #[serde(default)]
    pub derived: bool,
    /// Word in front of a name that is no route or command (`EVENT`).
    #[serde(default)]
    pub tag: String,
    /// True if the first argument that is an SQL statement contains the names: its tables.
    #[serde(default)]
    pub tables: bool,
    /// Last parts of what is before the name; any if empty.
    #[serde(default)]
    pub receivers: Vec<String>,
    /// What matches register.
    pub registers: Registers,
    /// Method of a route; `NAME` for the callee's name in capital letters.
    pub method: Option<String>,
    /// Arguments with the methods of a route, in the order in which they are tried.
    #[serde(default)]
    pub methods: Vec<Argument>,
    /// Arguments with the path, the name or the prefix, in the order in which they are tried.
    #[serde(default)]
    pub path: Vec<Argument>,
    /// True if the path is that of the route whose function the receiver names: `@users.mapping.patch`.
    #[serde(default)]
    pub same_path: bool,
    /// True if each argument of a macro is a handler whose own annotation has the method and the path, or
    /// gets a prefix.
    #[serde(default)]
    pub each: bool,
    /// True if each positional argument after the path is another path.
    #[serde(default)]
    pub more: bool,
    /// True if each key of an array is a path, with its handler as the value.
    #[serde(default)]
    pub pairs: bool,
    /// Character between the names of a resource and of one inside it: `photos.comments`.
    pub nesting: Option<char>,
    /// Path that adds nothing to a prefix: `/` if a router below `/users` has the path `/users`.
    pub empty: Option<String>,
    /// Arguments with a prefix of the path: the scope that a route is chained on.
    #[serde(default)]
    pub base: Vec<Argument>,
    /// The path as the framework completes it, with `PATH` for what is written (`{pk}/PATH/`).
    pub form: Option<String>,
    /// Path if there is no such argument; `NAME` for the name of the decorated definition.
    pub default: Option<String>,
    /// True if a path must start with a slash.
    #[serde(default)]
    pub rooted: bool,
    /// Arguments with the handler; without any, the handler is the decorated definition.
    #[serde(default)]
    pub handler: Vec<Argument>,
    /// True if the registration itself is the answer, because there is no handler (a redirect).
    #[serde(default)]
    pub itself: bool,
    /// True if the handler is a chain of calls with the name of a method, each with its own handler
    /// (`get(list).post(create)`).
    #[serde(default)]
    pub chained: bool,
    /// Arguments with the object that a mount gives a prefix, or a prefix and a handler string.
    #[serde(default)]
    pub child: Vec<Argument>,
    /// Calls of which the child of a mount must be one (`include`).
    #[serde(default)]
    pub calls: Vec<String>,
    /// Ends that are removed from the child of a mount (`.urls`).
    #[serde(default)]
    pub strip: Vec<String>,
    /// True if the prefix of a mount replaces the prefix of the object, unless there is none.
    #[serde(default)]
    pub replaces: bool,
    /// True if the prefix applies to what is registered inside the call.
    #[serde(default)]
    pub inside: bool,
    /// True if the object of a group, or the handler of a route, has no effect before another place mounts
    /// it: a blueprint.
    #[serde(default)]
    pub mounted: bool,
    /// True if the beginning of a path is not known without the prefix of the type around the handler.
    #[serde(default)]
    pub in_type: bool,
    /// Starts of a path that is complete, so that the prefix of the type does not apply: `/`, `~/`.
    #[serde(default)]
    pub complete: Vec<String>,
    /// True if annotations of a function are one route: one has the method, and another one the path.
    #[serde(default)]
    pub joined: bool,
    /// Receivers that are not an object with a prefix: the module of the framework.
    #[serde(default)]
    pub roots: Vec<String>,
    /// Calls of which one must be earlier in the chain (`Flags`).
    #[serde(default)]
    pub chain: Vec<String>,
    /// True if the rule applies only to decorators and annotations.
    #[serde(default)]
    pub annotation: bool,
    /// Arguments of which one must be present (`long`), or have a value (`detail=True`).
    #[serde(default)]
    pub requires: Vec<String>,
    /// Texts in the file that show that the names mean something else.
    #[serde(default)]
    pub unless: Vec<String>,
    /// True if the path is the first string anywhere in the argument.
    #[serde(default)]
    pub first: bool,
    /// Text in front of a flag that is written without it.
    #[serde(default)]
    pub prefix: String,
    /// Arguments with the command that a flag belongs to.
    #[serde(default)]
    pub under: Vec<Argument>,
    /// True if each variant of a decorated type is a command.
    #[serde(default)]
    pub variants: bool,
    /// True if the annotation is on a field, whose name is the default.
    #[serde(default)]
    pub field: bool,
    /// Arguments with the object that a group is registered on, if it is not the receiver: `Api(blueprint)`.
    #[serde(default)]
    pub on_object: Vec<Argument>,
    /// Types of which the type around a group is derived from one; the prefix is that of the type.
    #[serde(default)]
    pub extends: Vec<String>,
    /// True if a group follows the path of the resource around it, without its parameter.
    #[serde(default)]
    pub of_resource: bool,
    /// Paths that add nothing inside a part of a resource, because they are the names of its functions.
    #[serde(default)]
    pub silent: Vec<String>,
    /// Argument that moves a route to the resource around it: `on: :collection`, `on: :member`.
    pub on: Option<String>,
    /// Arguments with the path of a resource, if it is not its name (`path: "s"`).
    #[serde(default)]
    pub segment: Vec<Argument>,
    /// Arguments with the type of the handler, or of the handlers inside a group (`controller: :users`).
    #[serde(default)]
    pub owner: Vec<Argument>,
    /// Argument with the name of a resource's parameter (`param: :slug`).
    pub param: Option<String>,
    /// True if the functions of a resource belong to a type with the plural of its name.
    #[serde(default)]
    pub plural: bool,
    /// True if the path of a resource is also a prefix for the routes in its type.
    #[serde(default)]
    pub mounts: bool,
    /// Arguments with a module of the types in handlers (`namespace :admin`, `scope module: :admin`).
    #[serde(default)]
    pub module: Vec<Argument>,
    /// Arguments with the name of the function, if the handler is named by the path
    /// (`action: :destroy`).
    #[serde(default)]
    pub function: Vec<Argument>,
    /// Function of a type that is the handler if the type itself is registered: `__invoke`.
    pub invoked: Option<String>,
    /// Separators between the type and the function in a handler that is a string (`users#show`).
    pub separator: Option<String>,
    /// What is added to the type in such a string (`Controller`).
    #[serde(default)]
    pub suffix: String,
    /// Routes of a resource: method, path after the resource's path, and function; the type itself
    /// if its name is empty.
    #[serde(default)]
    pub actions: Vec<[String; 3]>,
    /// Calls around the handler that return the handler itself, whose object is the handler
    /// (`View.as_view()`).
    #[serde(default)]
    pub views: Vec<String>,
    /// True if the functions of a decorated type that are named like a method are the handlers.
    #[serde(default)]
    pub type_methods: bool,
    /// What the framework writes before or after a method: `Mapping` in `GetMapping`, `_service` in
    /// `get_service`.
    #[serde(default)]
    pub affixes: Vec<String>,
    /// What represents the name of the annotated type, without `suffix`, in a prefix
    /// (`[controller]`).
    pub type_word: Option<String>,
    /// What represents the name of the function in the prefix of its type (`[action]`).
    pub function_word: Option<String>,
}

/// A rule for files whose location is the path of a route.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileRule {
    /// Directory that the path is relative to.
    pub directory: String,
    /// Names of the files, without their ending; any if empty.
    #[serde(default)]
    pub stems: Vec<String>,
    /// True if the name of the file is the last part of the path.
    #[serde(default)]
    pub stem_in_path: bool,
    /// First parts of the path of which one is required; any if empty.
    #[serde(default)]
    pub only: Vec<String>,
    /// First parts of paths that are no routes.
    #[serde(default)]
    pub except: Vec<String>,
    /// True if a path with a capital letter outside its parameters is no route: the file of a
    /// component.
    #[serde(default)]
    pub lower: bool,
    /// Method of the route of the file's default export; `None` if each function with the name of a
    /// method is a route.
    pub method: Option<String>,
}

/// How the language of a file route exports a function.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exports {
    /// Text before the function that a file exports as its only value.
    pub default: String,
    /// Name of that value in an import.
    pub default_name: String,
    /// Text before a list of exported names, which ends with a brace.
    pub list: String,
    /// Texts before the name of a value that is declared where it is exported, at the start of a line.
    pub values: Vec<String>,
    /// Words at the start of a value that is declared where it is exported.
    pub declared: Vec<String>,
}

/// A rule for names that follow a fixed text, such as environment variables.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadRule {
    /// Languages that the rule applies to; all of the file if empty.
    #[serde(default)]
    pub languages: Vec<String>,
    /// Word in front of the name (`ENV`).
    pub tag: String,
    /// Texts of which one is before the name.
    pub before: Vec<String>,
    /// True if the name has no quotes (`process.env.PORT`).
    #[serde(default)]
    pub bare: bool,
}

/// A framework: a file in `grammars/frameworks/`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Framework {
    /// Languages that the rules apply to.
    pub languages: Vec<String>,
    /// Texts of which a file must contain one near its start: the imports of the framework. A name
    /// does not end in such a text, unless it starts with a star: `Router()` is not in `useRouter()`.
    #[serde(default)]
    pub imports: Vec<String>,
    /// Globs for paths that the rules apply to without an import.
    #[serde(default)]
    pub paths: Vec<String>,
    /// Prefixes of all routes in a file, by the end of its path.
    #[serde(default)]
    pub prefixes: BTreeMap<String, String>,
    /// Variables that hold the application itself, whose paths have no prefix: their names, or the text
    /// after the name in their declaration (`NAME *gin.Engine`); `*` for all.
    #[serde(default)]
    pub applications: Vec<String>,
    /// Rules for calls, decorators, annotations and object literals.
    #[serde(default)]
    pub entries: Vec<EntryRule>,
    /// End of the name of an annotation's type that is left out where it is used: `Attribute`. An
    /// annotation of the repository on a type may have a prefix.
    pub annotation_end: Option<String>,
    /// Types of routers: a function whose result is one may return the router of another function.
    #[serde(default)]
    pub passed_on: Vec<String>,
    /// Start of the names of functions of the repository that extend routers: `users.MapUsers()` registers
    /// routes on `users`.
    pub extended: Option<String>,
    /// Words of which the signature of a handler contains one. A function of the file without any is no
    /// handler if it is passed together with others.
    #[serde(default)]
    pub signatures: Vec<String>,
    /// Operator that joins strings, in addition to `+`.
    pub concat: Option<char>,
    /// Functions that call their argument for each element of a list: `forEach`.
    #[serde(default)]
    pub loops: Vec<String>,
    /// Rules for files.
    #[serde(default)]
    pub files: Vec<FileRule>,
    /// How such files export their functions.
    #[serde(default)]
    pub exports: Exports,
    /// Names of variables with the parsed arguments of a program: `args` in `args.port`.
    #[serde(default)]
    pub values: Vec<String>,
    /// Functions that take the name of a flag and return its value: `get_flag`.
    #[serde(default)]
    pub getters: Vec<String>,
    /// Rules for names after a fixed text, which apply without an import.
    #[serde(default)]
    pub reads: Vec<ReadRule>,
    /// Globs of `paths`.
    #[serde(skip)]
    pub(super) path_globs: GlobSet,
    /// Indexes of the rules for each name.
    #[serde(skip)]
    pub(super) by_name: FxHashMap<String, Vec<usize>>,
    /// Ends of the names of derived types, each with the index of its rule.
    #[serde(skip)]
    pub(super) derived: Vec<(String, usize)>,
}

/// Number of bytes at the start of a file that are searched for imports.
const IMPORTS: usize = 1 << 14;

impl Framework {
    /// Fills the tables that are computed from the file.
    pub(super) fn compiled(mut self, path_globs: GlobSet) -> Self {
        self.path_globs = path_globs;
        for (at, rule) in self.entries.iter().enumerate() {
            for name in &rule.names {
                self.by_name.entry(name.clone()).or_default().push(at);
                if rule.derived {
                    self.derived.push((name.clone(), at));
                }
            }
        }
        self
    }

    /// Returns the usual prefix of all routes in a file.
    pub fn prefix_of_file(&self, path: &str) -> Option<&str> {
        let prefix = self.prefixes.iter().find(|(end, _)| path.ends_with(end.as_str()));
        prefix.map(|(_, prefix)| prefix.as_str())
    }

    /// Checks whether a file uses the framework.
    pub fn is_used(&self, path: &str, source: &str) -> bool {
        let start = &source.as_bytes()[..source.len().min(IMPORTS)];
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
        let imports = |text: &String| {
            let (text, is_end) = text.strip_prefix('*').map_or((text.as_str(), false), |text| (text, true));
            let is_free = is_end || !text.as_bytes().first().is_some_and(is_part);
            let is_whole = |at: usize| is_free || !start[..at].last().is_some_and(is_part);
            memchr::memmem::find_iter(start, text.as_bytes()).any(is_whole)
        };
        self.path_globs.is_match(path) || self.imports.iter().any(imports)
    }

    /// Returns the rules for calls, decorators and annotations with the given name.
    pub fn rules<'r>(&'r self, name: &'r str) -> impl Iterator<Item = &'r EntryRule> {
        let own = self.by_name.get(name).into_iter().flatten();
        let is_derived = |end: &String| name.len() > end.len() && name.ends_with(end.as_str());
        let derived = self.derived.iter().filter(move |(end, _)| is_derived(end)).map(|(_, at)| at);
        own.chain(derived).filter_map(|&at| self.entries.get(at))
    }
}
