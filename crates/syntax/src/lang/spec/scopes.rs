//! `[scopes]`, `[containers]`, `[types]` and `[uses]`: how names are looked up and used, and the types
//! of the library.

use serde::Deserialize;
use std::collections::BTreeMap;

/// Node kinds that determine how a name inside them is used.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Uses {
    /// Imports: `import_statement`.
    pub imports: Vec<String>,
    /// Leaves that name types, and nodes around the names of types.
    pub types: Vec<String>,
    /// Nodes around base types, directly or in a list.
    pub bases: Vec<String>,
    /// Decorators, annotations and attributes.
    pub decorators: Vec<String>,
    /// Entries of objects, maps, struct literals and patterns, whose first child is a key.
    pub keys: Vec<KeyEntry>,
    /// Attributes of elements, whose first child is a member of the first parameter of the component.
    pub attributes: Vec<String>,
    /// Nodes around such entries whose first child is the object or type that has the keys.
    pub key_owners: Vec<String>,
    /// True if a member may be written without its type, where the code around it determines the
    /// type: `.red`.
    pub bare_members: bool,
    /// Nodes whose first child is a name that they declare.
    pub declarations: Vec<String>,
}

/// A kind of node whose first child is a key.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum KeyEntry {
    /// Everywhere.
    Kind(String),
    /// Only directly inside a node of another kind.
    Inside {
        /// Kind of the node.
        kind: String,
        /// Kind of the node around it.
        inside: String,
    },
}

/// A node that runs code only if a condition holds: `if_statement`, `assert_statement`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guard {
    /// Kind of the node.
    pub kind: String,
    /// Field of the condition; by default, the first child that is neither before it nor in a field.
    pub condition: Option<String>,
    /// Field of the code that runs if the condition is true.
    pub then: Option<String>,
    /// Field of the code that runs if the condition is false.
    pub otherwise: Option<String>,
    /// Additional code that runs only if the condition is true.
    #[serde(default)]
    pub also: GuardedPlace,
}

/// The place of code that runs only if a condition is true, outside the fields of the node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GuardedPlace {
    /// There is no other code.
    #[default]
    None,
    /// The first child of the node, before the condition: `a if b else c`.
    Before,
    /// The statements after the node: `assert`.
    After,
    /// The node around it: the comprehension around an `if`.
    Around,
}

/// The built-in types of a language with overloads, and their conversions.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Types {
    /// Type of a comparison.
    pub boolean: String,
    /// Operators whose result is a `boolean`.
    pub comparisons: Vec<String>,
    /// Types of the result of arithmetic, from the narrowest to the widest. An operation has the
    /// widest type of its operands, and at least the first of these types.
    pub arithmetic: Vec<String>,
    /// Type of the operations that have an operand of this type.
    pub text: String,
    /// Type of the literal that represents no object.
    pub null: String,
    /// Types without `null`.
    pub primitives: Vec<String>,
    /// Types that every object has.
    pub top: Vec<String>,
    /// The types that a type converts to implicitly, the preferred one first.
    pub conversions: BTreeMap<String, Vec<String>>,
    /// Types of the results of members of objects outside the repository, and the names of these
    /// members: `int` and `length`. `[]` after a type means an array.
    pub results: BTreeMap<String, Vec<String>>,
    /// Members with a result of the type that they are called on, or of the object's type.
    pub own_results: Vec<String>,
    /// Members with a result of the type of their first argument (`requireNonNull`).
    pub argument_results: Vec<String>,
    /// Types that no type converts to unless `conversions` contains it.
    pub closed: Vec<String>,
    /// Types whose objects are functions (`Func`). `{interface}` stands for the interfaces and traits
    /// of the repository with one method, `{type}` for its types without members (delegates).
    pub functions: Vec<String>,
    /// Names in place of a declared type that mean the type of the value (`var`).
    pub inferred: Vec<String>,
    /// Label of parameters whose arguments have none, in languages in which calls pass arguments by
    /// labels (`_` in Swift); empty in all others.
    pub unlabeled: String,
    /// Types that a variadic parameter declares are arrays (C#), not their elements.
    pub variadic_arrays: bool,
    /// Types of `closed` that also have the members of the object that they point to (`Box` in
    /// Rust).
    pub pointers: Vec<String>,
    /// True if types of the repository may convert to each other in ways that the grammar file
    /// cannot describe (constructors, conversion operators).
    pub user_conversions: bool,
}

/// The scope in which a top-level name is visible without an import.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Only in its own file (Python, JavaScript, Rust).
    #[default]
    File,
    /// In all files of its directory (Go).
    Directory,
    /// In all files of its directory, and in all files that declare the same package (Java, where
    /// the tests of a package are in another directory).
    Package,
    /// In the whole repository (C, C++, C#, PHP, Ruby).
    Repository,
}

/// What the name of a base type's object is (`super`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SuperForm {
    /// The object itself; a call of it calls the constructor of the base type.
    #[default]
    Object,
    /// A function that returns the object (Python).
    Function,
    /// The method of the base type that has the same name as the one around it (Ruby).
    Method,
}

/// Where the members of a type are visible by their plain names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlainMembers {
    /// Nowhere, not even in the type: an enum variant may have the name of the type that it contains
    /// (Rust).
    Nowhere,
    /// In the declarations of the type.
    #[default]
    Declarations,
    /// In the body of the type, outside methods (Python).
    Body,
    /// In its methods, too.
    Methods,
    /// In its declarations; those of an interface wherever the interface is visible (the methods of a
    /// class in Haskell).
    Interfaces,
}

/// What a decorator or modifier says about a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Marker {
    /// It has no receiver: `staticmethod`.
    Static,
    /// Its receiver is the type: `classmethod`.
    Class,
    /// Its result is the value of the member: `property`.
    Property,
    /// It is another method of such a member, whose name `{name}` represents: first the one that an
    /// assignment to the member calls (`{name}.setter`).
    Accessor,
    /// It describes one way to call the function with the same name that follows: `overload`.
    Stub,
}

/// The rules for resolving names.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scopes {
    /// True if the first parameter of a method is the receiver.
    pub receiver_parameter: bool,
    /// True if a call of an unqualified name refers to a definition or import of the file, even if
    /// a local value has the same name (`let entries = entries()`).
    pub calls_skip_values: bool,
    /// True if a call of a value may also refer to the definition or import of the file with its
    /// name, because few objects can be called (`val config: Config` and `fun config()` in Kotlin).
    pub calls_see_items: bool,
    /// Names that refer to the receiver.
    pub receivers: Vec<String>,
    /// True if types get members by implementing traits (Rust). Then
    /// - the receiver of a method always has the type around the method, so the objects of calls add
    ///   nothing to it;
    /// - traits that a file defines or imports may add members to objects of library types;
    /// - a member of an extension without bases takes precedence over members with the same name in
    ///   extensions with bases (inherent methods and trait methods);
    /// - a type may implement one trait several times, with different type arguments, and the
    ///   arguments of a call select the implementation (`From`). The declared type of an object then
    ///   determines its members.
    pub traits: bool,
    /// True if a call of a member that is an object of its own type creates such an object
    /// (variants of an enum).
    pub variants_create: bool,
    /// Method of the value of a field that a read of the field calls, if the value has one; empty if the
    /// language has none. The read then has the method's result (`__get__` in Python).
    pub field_getter: String,
    /// Member of an implementation that is the type of the object to which an object points; empty
    /// if the language has none. The object has the members of that type, too (`Target` in Rust).
    pub dereference: String,
    /// Method of an iterator that returns its next element; empty if the language has none.
    pub next: String,
    /// Text before the name of a member in the name of the variable that stores it (`_clock` for the
    /// property `clock` in Objective-C). Empty if the language has no such variables.
    pub storage_prefix: String,
    /// Name of the method that an assignment to a member calls, where `{name}` represents the name of
    /// the member, and `{Name}` the name with a capital letter (`setClock:` for `self.clock = x`).
    /// Empty if an assignment calls no method of another name.
    pub setter: String,
    /// Members of the receiver whose value is its type (`class`).
    pub type_members: Vec<String>,
    /// Names that refer to the enclosing type.
    pub self_types: Vec<String>,
    /// Names, or calls of names, that refer to the receiver as an object of its base type.
    pub supers: Vec<String>,
    /// What such a name is.
    pub super_form: SuperForm,
    /// Decorators or modifiers of methods, by their effect.
    pub markers: BTreeMap<Marker, Vec<String>>,
    /// Functions that each type has (`private`): in the body of a type, a plain name of this kind means
    /// no function outside types. With `messages`.
    pub type_functions: Vec<String>,
    /// True if extensions may add members to library types. Every file sees them, unless
    /// `imported_extensions` is set.
    pub extends_libraries: bool,
    /// True if only the file itself sees what it imports, unless it shares the import (`export`,
    /// `global using`). A file then sees an extension only if it is in the same file, in the package
    /// of the file or one around that, or in a file or package that is imported.
    pub own_imports: bool,
    /// True if a file sees an extension outside of types only if it is in the file's package, or if
    /// the file imports its name or all names of its package.
    pub imported_extensions: bool,
    /// Packages whose names every file imports: `kotlin.collections`.
    pub default_imports: Vec<String>,
    /// True if the head of a type may declare a constructor, which the type itself represents. The
    /// constructors of base types do not create its objects.
    pub header_constructors: bool,
    /// Members of a type that a call of its name calls, unless it creates an object (`apply` in
    /// Scala).
    pub factories: Vec<String>,
    /// Members that copy an object, whose named arguments are the fields with new values (`copy` in
    /// Kotlin).
    pub copies: Vec<String>,
    /// Names of constructors. `{type}` represents the name of the type.
    pub constructors: Vec<String>,
    /// Members of a type that stand for the type, so that a call of one creates an object (`new` in
    /// Ruby) and its members are those of the type (`Companion` in Kotlin).
    pub instantiators: Vec<String>,
    /// Built-in functions whose first argument is a type, and that create an object of that type
    /// (`new` and `make` in Go).
    pub allocators: Vec<String>,
    /// Built-in functions whose result is an object of the type in their second argument
    /// (`setmetatable`).
    pub metatable_setters: Vec<String>,
    /// True if types are values, so that a declared type may be a variable (`const Self = @This()`), and
    /// a file is a type, whose members are the names at its top level (Zig).
    pub type_values: bool,
    /// Members that are called when an object is called. `{type}` means that a call of the receiver
    /// (`this(...)`) calls a constructor.
    pub callables: Vec<String>,
    /// True if a call sends a message to an object (Ruby). Then
    /// - a call reaches only functions with the name that it writes: a value is called by one of
    ///   `callables` (`handler.call`);
    /// - a call of a member may read a field with its name (`attr_reader`);
    /// - a type has methods of its own, apart from those of its objects, which may have the same names
    ///   (`def self.run`);
    /// - all definitions of a type, in any file, are parts of it.
    pub messages: bool,
    /// Members of a function that call it (`Invoke`, `apply`).
    pub invokers: Vec<String>,
    /// Members of a function that call it with their first argument as the receiver (`call`).
    pub rebinders: Vec<String>,
    /// Members of a function that call it with the elements of a list as arguments (`apply`).
    pub appliers: Vec<String>,
    /// True if a function and a local variable may share a name, and a call means the function.
    pub functions_apart: bool,
    /// True if the functions of a trait run on objects of the types that mix it in, and call their
    /// members (PHP, Ruby).
    pub mixins: bool,
    /// Name of the trait inside a trait with whose functions that trait extends the types that mix it
    /// in (`ClassMethods`, by convention).
    pub type_mixin: String,
    /// Beginnings of statements that make the names in another module or type visible: `using`. If
    /// empty, any code may see the names in a module.
    pub opening_words: Vec<String>,
    /// True if a type and a function or variable may share a name, and a declared type or `new`
    /// means the type.
    pub types_apart: bool,
    /// True if several functions in one scope may share a name, and the arguments of a call select
    /// one of them.
    pub overloads: bool,
    /// True if the functions of a base type with the same name are overloads, too.
    pub inherited_overloads: bool,
    /// True if the types of nearly all variables are declared, and a variable refers only to
    /// objects of its declared type. A name that a file does not see is then foreign even if
    /// another file defines it.
    pub declared_types: bool,
    /// True if the language checks declared types, so a variable with a declared type contains only
    /// objects of that type. With `declared_types`, it always does.
    pub declared_bounds: bool,
    /// True if an alias of a type is the type itself, which may be declared in any file (`typedef` in
    /// C).
    pub typedefs: bool,
    /// True if a variable of a struct type only holds objects of that type, because structs have no
    /// subtypes (C, Go).
    pub exact_structs: bool,
    /// Functions of the language's library to which a repository may add methods (`length` in Julia).
    /// A call of their plain names is not linked.
    pub library_functions: Vec<String>,
    /// Where the members of a type are visible by their plain names.
    pub plain_members: PlainMembers,
    /// Names of the parameters of a function without a name that declares none (`it` in Kotlin).
    pub implicit_parameters: Vec<String>,
    /// Nodes inside functions with names of their own: a name that is declared in such a node is
    /// visible only there.
    pub blocks: Vec<String>,
    /// Last children of such nodes that do not see the names (`else`).
    pub block_ends: Vec<String>,
    /// Declarations whose names the whole function sees, even if they are in a block (`var` in
    /// JavaScript).
    pub hoisted: Vec<String>,
    /// Declarations whose names are visible only after them, and hide earlier ones of the same
    /// block (`let` in Rust).
    pub sequential: Vec<String>,
    /// Nodes that run code only if a condition holds. In this code, a name whose type the condition
    /// tests has that type.
    pub guards: Vec<Guard>,
    /// True if the value of a declaration does not see the declared name: the value of `x := x.y`
    /// refers to another `x`.
    pub values_outside: bool,
    /// The scope in which a top-level name is visible without an import.
    pub visibility: Visibility,
    /// True if names of the own package take precedence over star imports.
    pub package_first: bool,
    /// True if a name that no file of the repository binds or declares refers to a library (`Vec`
    /// in Rust, `process` in JavaScript). Its members are never guessed by name.
    pub foreign_names: bool,
    /// True if a declared type that the repository does not define belongs to a library. The
    /// members of its objects are never guessed by name.
    pub foreign_types: bool,
    /// True if an object literal implements the declared types of the variables that it reaches
    /// (TypeScript), so its members are members of these types, and a declared type may name a
    /// value (`typeof value`).
    pub structural_types: bool,
    /// Names of built-in types. A call of their members never refers to a method of the repository.
    pub builtin_types: Vec<String>,
    /// Namespaces of libraries, to which a repository may add names: `std`.
    pub libraries: Vec<String>,
    /// True if several functions with one name are usually alternatives for different systems, of
    /// which a program contains one (C). The paths of files, and the branches of an `#if`, name the
    /// systems.
    pub system_variants: bool,
    /// Names of the members of the language's built-in types. If an object's type is unknown, an
    /// access to such a member is not linked.
    pub common_members: Vec<String>,
    /// Names of the members that every object has, even if its type does not declare them.
    pub object_members: Vec<String>,
}

impl Scopes {
    /// Checks whether an unqualified name inside a method may refer to a member of its type.
    pub fn implicit_members(&self) -> bool {
        self.plain_members == PlainMembers::Methods
    }

    /// Returns the decorators or modifiers with an effect.
    pub fn markers(&self, effect: Marker) -> &[String] {
        self.markers.get(&effect).map_or(&[], Vec::as_slice)
    }

    /// Checks whether constructors have the name of their type.
    pub fn names_constructors_like_types(&self) -> bool {
        self.constructors.iter().any(|constructor| constructor == OWN_TYPE)
    }

    /// Checks whether a function with the given name is a constructor of the type `owner`.
    pub fn is_constructor(&self, name: &str, owner: &str) -> bool {
        self.constructors.iter().any(|one| if one == OWN_TYPE { owner == name } else { one == name })
    }
}

/// Stands for the name of the type in a list of constructors.
const OWN_TYPE: &str = "{type}";

/// Members of library types that hold other values (lists, iterators, options, smart pointers). An
/// object that holds values is not distinguished from them. If a type of the repository has a
/// member of the same name, that member counts instead.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Containers {
    /// Members whose result is the object or its elements (`iter`, `unwrap`).
    pub same: Vec<String>,
    /// Members and functions whose result also holds their arguments (`Some`, `Box::new`, `chain`).
    pub wrappers: Vec<String>,
    /// Functions whose result holds the members of the object literals in their arguments
    /// (`Object.values`).
    pub openers: Vec<String>,
    /// Members that add their arguments to the object (`push`).
    pub fillers: Vec<String>,
    /// Members that pass the elements to the closures in their arguments (`for_each`).
    pub visitors: Vec<String>,
    /// Members whose result is that of the closures in their arguments (`map`).
    pub mappers: Vec<String>,
    /// Members of a type whose result is an object of the type, or holds some (`default`, `valueOf`).
    pub makers: Vec<String>,
}
