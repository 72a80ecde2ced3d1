//! The names of entries, and the calls of their handlers.

use super::super::extract::Extractor;
use super::super::facts::Definition;
use super::{Found, Group, Handler};
use crate::ids::LocalId;
use crate::lang::Registers;
use whichfn_text::{joined_route, route_path};

/// Maximum number of prefixes in a row.
const MAX_PREFIXES: usize = 8;
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

impl<'a, 't> Extractor<'a, 't> {
    /// Names the entries, and records the calls of their handlers.
    pub(in crate::parse) fn finish_entries(&mut self) {
        self.add_file_routes();
        let mut found = std::mem::take(&mut self.entries.found);
        for (key, position, handler) in std::mem::take(&mut self.entries.later) {
            let bound = |one: &&mut Found<'a, 't>| one.bound == Some(key) && one.position < position;
            if let Some(command) = found.iter_mut().rev().find(bound) {
                command.handlers.push(handler);
            }
        }
        // The name of a flag contains the name of its command.
        let mut commands: Vec<(LocalId, String)> = Vec::new();
        for one in found.iter().filter(|one| one.registers != Registers::Flag) {
            let name = self.entry_name(one);
            if let (Registers::Command, [Handler::Definition(handler), ..]) = (one.registers, &one.handlers[..]) {
                commands.push((*handler, name.clone()));
            }
            self.name_entry(one.id, name);
        }
        for one in found.iter().filter(|one| one.registers == Registers::Flag) {
            let decorated = match one.handlers.first() {
                Some(Handler::Definition(id)) => commands.iter().find(|(handler, _)| handler == id),
                _ => None,
            };
            let front = decorated.map_or_else(|| self.command_prefix(one), |(_, name)| name.clone());
            let name = [&front, " ", &one.path].concat();
            self.name_entry(one.id, name.trim().to_owned());
        }
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
        (definition.qualified_name, definition.name) = (name.clone(), name);
    }

    fn entry_name(&self, one: &Found<'a, 't>) -> String {
        if one.registers == Registers::Command {
            let own = one.path.split_whitespace().next().unwrap_or_default();
            let front = one.object.map_or(String::new(), |object| self.prefix(object, one, 0));
            // The mount of the command itself.
            let function = self.definitions[one.scope].name.as_str();
            let mounted = one.bound.and_then(|key| self.mount_of(key)).or_else(|| self.mount_of(function));
            let mounted = mounted.filter(|_| front.is_empty());
            let front = mounted.and_then(|mount| mount.parent).map_or(front, |parent| self.prefix(parent, one, 0));
            return [&front, " ", own].concat().trim().to_owned();
        }
        let of_type = self.type_prefix(one);
        let front = one.object.map_or(String::new(), |object| self.prefix(object, one, 0));
        let front = joined(&self.function_prefix(one), &front);
        let front = joined(self.entries.prefix, &front);
        let path = joined(&joined(&joined(&front, &one.around), &of_type), &one.path);
        format!("{} {}", one.method, route_path(&path))
    }

    /// Returns the prefix of the type around a handler.
    fn type_prefix(&self, one: &Found<'a, 't>) -> String {
        let Some(Handler::Definition(handler)) = one.handlers.first() else { return String::new() };
        let of_type = self.definitions[*handler].parent;
        let Some(prefix) = self.entries.types.get(&of_type) else { return String::new() };
        let name = self.definitions[of_type].name.trim_end_matches("Controller");
        prefix.replace("[controller]", name).replace("[action]", &self.definitions[*handler].name)
    }

    /// Returns the prefix of a mount of what the function around an entry returns:
    /// `nest("/api", routes())`.
    fn function_prefix(&self, one: &Found<'a, 't>) -> String {
        let (mut at, mut prefix) = (one.scope, String::new());
        for _ in 0..MAX_PREFIXES {
            let Definition { name, parent, .. } = &self.definitions[at];
            let mount = self.entries.mounts.iter().find(|mount| !name.is_empty() && mount.key == name);
            if let Some(mount) = mount.filter(|mount| mount.scope != at) {
                prefix = joined(&mount.prefix, &prefix);
                // The mount itself may be in a function that is mounted.
                at = mount.scope;
            } else if at == LocalId::FILE {
                break;
            } else {
                at = *parent;
            }
        }
        prefix
    }

    /// Returns the name of the command that a flag was registered on.
    fn command_prefix(&self, one: &Found<'a, 't>) -> String {
        one.object.map_or(String::new(), |object| self.prefix(object, one, 0))
    }

    /// Returns the prefix of what is registered on a variable.
    fn prefix(&self, key: &str, one: &Found<'a, 't>, depth: usize) -> String {
        if depth > MAX_PREFIXES {
            return String::new();
        }
        let (group, mount) = (self.group_of(key, one), self.mount_of(key));
        let parent = mount.and_then(|mount| mount.parent).or_else(|| group.and_then(|group| group.parent));
        let front =
            parent.filter(|parent| *parent != key).map_or(String::new(), |parent| self.prefix(parent, one, depth + 1));
        let own = group.map_or("", |group| group.prefix.as_str());
        if group.is_some_and(|group| group.is_command) {
            // A command that is not below another one is the program itself.
            let own = if parent.is_some() { own } else { "" };
            return [&front, " ", own].concat().trim().to_owned();
        }
        joined(&joined(&front, mount.map_or("", |mount| &mount.prefix)), own)
    }

    /// Returns the group that a variable is bound to where an entry is registered: the last one
    /// before it, or else the first one.
    fn group_of(&self, key: &str, one: &Found<'a, 't>) -> Option<&Group<'a>> {
        let is_seen = |scope: LocalId| {
            let mut at = one.scope;
            loop {
                if at == scope {
                    return true;
                }
                if at == LocalId::FILE {
                    return false;
                }
                at = self.definitions[at].parent;
            }
        };
        let mut all = self.entries.groups.iter().filter(|group| group.key == key && is_seen(group.scope));
        let first = all.next()?;
        let before = |group: &&Group<'a>| group.position < one.position;
        Some(all.filter(before).last().unwrap_or(first))
    }

    fn mount_of(&self, key: &str) -> Option<&Group<'a>> {
        self.entries.mounts.iter().find(|mount| mount.key == key && !key.is_empty())
    }
}
