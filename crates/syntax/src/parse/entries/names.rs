//! The names of entries, and the calls of their handlers.

use super::super::extract::Extractor;
use super::Found;
use super::groups::Group;
use super::handlers::Handler;
use crate::ids::LocalId;
use crate::lang::Registers;
use crate::tree::Node;
use rustc_hash::FxHashSet;
use whichfn_text::{COMPLETE_PATH, joined_route, route_path};

/// Maximum number of prefixes in a row.
pub(super) const MAX_PREFIXES: usize = 8;
/// Maximum length of a name in bytes.
const MAX_NAME: usize = 120;

/// Joins a prefix and a path as they are written.
pub(super) fn joined(front: &str, path: &str) -> String {
    joined_route(front, path)
}

/// Returns the name of the type that a path or a word names: `Admin::UsersController` is
/// `UsersController`, and so is `admin/users` with the suffix `Controller`.
pub(super) fn type_name(text: &str, suffix: &str) -> String {
    let last = text.rsplit(['/', '\\', ':', '.']).find(|part| !part.is_empty()).unwrap_or(text);
    let mut name: String = last
        .split(['_', '-'])
        .flat_map(|word| {
            let mut letters = word.chars();
            letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>())
        })
        .collect();
    if !name.ends_with(suffix) {
        name.push_str(suffix);
    }
    name
}

/// Returns the path of the type that a path or a word names inside modules: `Admin::UsersController`.
pub(super) fn type_path(modules: &[String], text: &str, suffix: &str) -> String {
    let (front, last) = text.trim_matches('/').rsplit_once('/').unwrap_or(("", text));
    let inside = front.split('/').filter(|part| !part.is_empty()).map(|part| type_name(part, ""));
    let mut parts: Vec<String> = modules.iter().cloned().chain(inside).collect();
    parts.push(type_name(last, suffix));
    parts.join("::")
}

/// Returns a name in lower case with dashes between its words: `AddUser` and `add_user` are
/// `add-user`.
pub(super) fn dashed(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
        out.extend(c.to_lowercase().map(|c| if c == '_' { '-' } else { c }));
    }
    out
}

/// Returns the singular of a plural.
pub(super) fn singular(name: &str) -> String {
    name.strip_suffix("ies")
        .map_or_else(|| name.strip_suffix('s').unwrap_or(name).to_owned(), |stem| format!("{stem}y"))
}

/// Returns the plural of a singular.
pub(super) fn plural(name: &str) -> String {
    let stem = name.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'i', 'o', 'u']));
    match stem {
        Some(stem) => format!("{stem}ies"),
        None if ["ch", "sh", "x", "ss"].iter().any(|end| name.ends_with(end)) => format!("{name}es"),
        None => format!("{}s", name.trim_end_matches('s')),
    }
}

impl<'a, 't> Extractor<'a, 't> {
    /// Names the entries, and records the calls of their handlers.
    pub(in crate::parse) fn finish_entries(&mut self, root: Node<'t>) {
        self.add_file_routes(root);
        let mut found = std::mem::take(&mut self.entries.found);
        for (key, position, handler) in std::mem::take(&mut self.entries.later) {
            let bound = |one: &&mut Found<'a, 't>| one.bound == Some(key) && one.position < position;
            if let Some(command) = found.iter_mut().rev().find(bound) {
                command.handlers.push(handler);
            }
        }
        // The name of a flag contains the name of its command.
        let mut commands: Vec<(LocalId, String, bool)> = Vec::new();
        for one in found.iter().filter(|one| one.registers != Registers::Flag) {
            let name = self.entry_name(one);
            if let (Registers::Command, [Handler::Definition(handler), ..]) = (one.registers, &one.handlers[..]) {
                commands.push((*handler, name.clone(), one.object.is_some()));
            }
            self.name_entry(one.id, name);
            if one.is_complete {
                self.definitions[one.id].qualified_name.push(COMPLETE_PATH);
            }
        }
        for one in found.iter().filter(|one| one.registers == Registers::Flag) {
            let decorated = match one.handlers.first() {
                Some(Handler::Definition(id)) => commands.iter().find(|(handler, ..)| handler == id),
                _ => None,
            };
            // The flags of a program have no command in front.
            let front = match decorated {
                Some((_, name, true)) => name.clone(),
                Some(_) => String::new(),
                None if !one.around.is_empty() => one.around.replace('/', " "),
                None => self.command_prefix(one),
            };
            let name = [&front, " ", &one.path].concat();
            self.name_entry(one.id, name.trim().to_owned());
        }
        let groups = std::mem::take(&mut self.entries.groups);
        let keys: FxHashSet<&str> = groups.iter().map(|group| group.key).collect();
        let functions = self.definitions.iter().filter(|one| one.kind.is_function());
        let functions: FxHashSet<(LocalId, String)> = functions
            .filter(|one| keys.contains(one.name.as_str()))
            .map(|one| (one.parent, one.name.clone()))
            .collect();
        for Group { id, key, scope, visible, is_member, is_assumed, .. } in groups {
            if !is_member && !is_assumed && !functions.contains(&(scope, key.to_owned())) {
                self.values.bind_entry(scope, key, visible, id);
            }
        }
        for (scope, target, id) in std::mem::take(&mut self.entries.members) {
            self.values.bind_target(scope, target, id);
        }
        for mounted in std::mem::take(&mut self.entries.mounts) {
            for object in mounted.objects {
                // Only an imported object can have a prefix in another file.
                if matches!(object, Handler::Object(name) if !self.values.is_imported(mounted.scope, name)) {
                    continue;
                }
                let line = self.definitions[mounted.id].line;
                self.values.entry_handler(mounted.id, mounted.scope, mounted.place, object, line);
            }
        }
        self.keep_handlers(&mut found);
        for one in found {
            for handler in one.handlers {
                self.values.entry_handler(one.id, one.scope, one.place, handler, self.definitions[one.id].line);
            }
        }
    }

    fn name_entry(&mut self, id: LocalId, mut name: String) {
        if name.len() > MAX_NAME {
            let end = (0..=MAX_NAME).rev().find(|&at| name.is_char_boundary(at)).unwrap_or(0);
            name.truncate(end);
        }
        let definition = &mut self.definitions[id];
        // The qualified name of a route with an empty path keeps it.
        definition.name = if name.ends_with(' ') { format!("{name}/") } else { name.clone() };
        definition.qualified_name = name;
    }

    fn entry_name(&self, one: &Found<'a, 't>) -> String {
        if one.registers == Registers::Command {
            let own = one.path.split_whitespace().next().unwrap_or_default();
            let front = one.object.map_or(String::new(), |object| self.prefix(object, one.scope, one.position, 0));
            return [&front, " ", own].concat().trim().to_owned();
        }
        let of_type = if one.is_complete { String::new() } else { self.type_prefix(one) };
        let front = one.object.map_or(String::new(), |object| self.prefix(object, one.scope, one.position, 0));
        let front = joined(self.entries.prefix, &front);
        let path = joined(&joined(&joined(&front, &one.around), &of_type), &one.path);
        if path.is_empty() { format!("{} ", one.method) } else { format!("{} {}", one.method, route_path(&path)) }
    }

    /// Returns the prefix of the type around a handler.
    fn type_prefix(&self, one: &Found<'a, 't>) -> String {
        let Some(Handler::Definition(handler)) = one.handlers.first() else { return String::new() };
        let of_type = self.definitions[*handler].parent;
        let Some((prefix, rule)) = self.entries.types.get(&of_type) else { return String::new() };
        let word = rule.function_word.as_ref();
        word.map_or(prefix.clone(), |word| prefix.replace(word.as_str(), &self.definitions[*handler].name))
    }

    /// Returns the name of the command that a flag was registered on.
    fn command_prefix(&self, one: &Found<'a, 't>) -> String {
        one.object.map_or(String::new(), |object| self.prefix(object, one.scope, one.position, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::plural;

    #[test]
    fn a_singular_has_a_plural() {
        for (one, several) in [
            ("user", "users"),
            ("category", "categories"),
            ("api_key", "api_keys"),
            ("transfer_match", "transfer_matches"),
            ("box", "boxes"),
            ("address", "addresses"),
            ("preferences", "preferences"),
        ] {
            assert_eq!(plural(one), several);
        }
    }
}
