//! Reads the imports in one file: the parts of the path, the imported name, and the variable that
//! it is bound to.

use super::facts::{Import, Symbol, SymbolicValue, symbol};
use super::value::{Alias, MAX_DEPTH, Values};
use crate::ids::{LocalId, VariableId};
use crate::lang::{ExpressionForm, Relative};
use crate::tree::Node;

/// Maximum number of earlier imports among which one around a name is looked for.
const MAX_OPENED: usize = 16;
/// Maximum number of those that may have the name.
const MAX_AROUND: usize = 4;

/// An import of all members of a value: `import token._` in Scala, if `token` is a name of the code
/// around the import and not a package or a file.
pub(super) struct OpenedValue {
    scope: LocalId,
    /// Offset of the import; names before it do not see the members.
    start: usize,
    /// Offset of the end of the block around the import.
    end: usize,
    number: usize,
    first: Symbol,
    path: Vec<String>,
}

impl<'a, 't> Values<'a, 't> {
    /// Finds the imports of members of values, after all names were declared.
    pub(super) fn find_opened_values(&mut self) {
        for OpenedValue { scope, start, end, number, first, path } in std::mem::take(&mut self.opened) {
            let variable = self.look_up(scope, first, number).filter(|variable| {
                let is_inside = self.flow.variables[*variable].scope != LocalId::FILE;
                is_inside && !self.imported.contains_key(variable)
            });
            if let Some(variable) = variable {
                let front = self.add(SymbolicValue::Variable(variable));
                let members = path[1..].iter();
                let object = members.fold(front, |object, part| self.add(SymbolicValue::Access(object, symbol(part))));
                self.opened_values.push((start, end, object));
            }
        }
        self.opened_values.sort_unstable_by_key(|&(start, ..)| start);
    }

    /// Returns the value of a name that the file does not bind, if it may be a member of a value whose
    /// members are imported at this place: the member, or what the name means otherwise.
    pub(super) fn opened_member(&mut self, node: Node<'t>, free: &SymbolicValue) -> Option<SymbolicValue> {
        let SymbolicValue::Free { symbol, .. } = *free else { return None };
        let before = self.opened_values.partition_point(|&(start, ..)| start <= node.start());
        let last = self.opened_values[..before].iter().rev().take(MAX_OPENED);
        let around = last.filter(|&&(_, end, _)| node.start() < end).take(MAX_AROUND);
        let members: Vec<_> = around.map(|&(_, _, object)| SymbolicValue::Access(object, symbol)).collect();
        let all = std::iter::once(free.clone()).chain(members.iter().cloned());
        (!members.is_empty()).then(|| SymbolicValue::Any(all.map(|one| self.add(one)).collect()))
    }

    pub fn import(
        &mut self,
        scope: LocalId,
        node: Node<'t>,
        path: Option<Node<'t>>,
        name: Option<Node<'t>>,
        alias: Option<Node<'t>>,
        all: bool,
    ) {
        let modules = &self.language.spec.modules;
        // `using Base::close` in a type names what the type inherits.
        if modules.include && name.is_some() && self.is_type(scope) {
            return;
        }
        if let Some(path) = path.filter(|path| !all && self.language.meaning(path.kind()).path_name) {
            return self.alias(node, path, name, alias);
        }
        if let Some(name) = path.filter(|_| self.language.meaning(node.kind()).module_file) {
            let outer = self.modules_around(node, name);
            if let Some(current) = modules.current.first().filter(|_| !outer.is_empty()) {
                let text = self.text(name);
                let path = [current.as_str()].into_iter().chain(outer).chain([text]).map(str::to_owned).collect();
                let variable = self.declare(scope, text);
                self.imported.insert(variable, self.flow.imports.len());
                self.flow.imports.push(Import {
                    path,
                    level: 0,
                    name: None,
                    variable: Some(variable),
                    is_shared: false,
                    line: name.first_line() as u32 + 1,
                });
                return;
            }
        }
        let line = name.or(alias).or(path).unwrap_or(node).first_line() as u32 + 1;
        let text = path.map_or("", |path| self.path_text(path));
        let (level, text) = relative_level(modules.relative, text.trim_matches(['"', '\'', '<', '>', '`']));
        let mut parts = self.prefixes(node);
        parts.extend(owned(modules.split(text)));
        if modules.root_files.is_empty() && parts.first().is_some_and(|first| modules.roots.contains(first)) {
            parts.remove(0);
        }
        let mut name = name.map(|n| self.text(n).trim_matches(['"', '\'']).to_owned());
        if modules.path_ends_in_name && !all && name.is_none() {
            // `use a::{self}` names the module itself.
            if parts.last().is_some_and(|last| modules.current.contains(last)) && parts.len() > 1 {
                parts.pop();
            }
            name = parts.pop();
        }
        let bound = match (&alias, &name) {
            (Some(alias), _) => Some(self.text(*alias).to_owned()),
            (None, Some(name)) => Some(name.clone()),
            (None, None) => {
                let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
                modules.bound_name(&parts).map(str::to_owned)
            }
        };
        let binds_top =
            !all && alias.is_none() && name.is_none() && modules.relative == Relative::Dots && parts.len() > 1;
        let is_included = modules.include && name.is_none() && alias.is_none();
        let variable = if all || is_included { None } else { bound.map(|b| self.declare(scope, &b)) };
        if binds_top {
            parts.truncate(1);
        }
        if let Some(first) = parts.first().filter(|_| all && level == 0 && modules.path_ends_in_name) {
            let (first, end) = (symbol(first), node.parent().map_or(usize::MAX, Node::end));
            let path = parts.clone();
            self.opened.push(OpenedValue { scope, start: node.start(), end, number: node.number(), first, path });
        }
        if let Some(variable) = variable {
            self.imported.insert(variable, self.flow.imports.len());
        }
        self.flow.imports.push(Import { path: parts, level, name, variable, is_shared: false, line });
    }

    /// Returns the names of the modules of the file around the declaration of a module, outermost first.
    /// `name` is the name in the declaration.
    fn modules_around(&self, node: Node<'t>, name: Node<'t>) -> Vec<&'a str> {
        let around = std::iter::successors(node.parent(), |node| node.parent()).take(MAX_DEPTH);
        let modules = around.filter(|around| around.kind() == node.kind());
        let is_name = |child: &Node<'t>| child.kind() == name.kind();
        let names = modules.filter_map(|module| module.named_children().find(is_name));
        let mut names: Vec<&str> = names.map(|name| self.text(name)).collect();
        names.reverse();
        names
    }

    /// Records an alias of a module, which applies to the rest of the block around it.
    fn alias(&mut self, node: Node<'t>, path: Node<'t>, name: Option<Node<'t>>, alias: Option<Node<'t>>) {
        let qualifier = &self.language.spec.head.qualifier;
        let mut whole = self.whole_path(path);
        if let Some(name) = name {
            whole = format!("{whole}{qualifier}{}", self.text(name));
        }
        let last = whole.rsplit(qualifier.as_str()).next().unwrap_or_default();
        let alias = symbol(alias.map_or(last, |alias| self.text(alias)));
        let end = node.parent().map_or(usize::MAX, Node::end);
        self.aliases.entry(alias).or_default().push(Alias { start: node.start(), end, whole });
    }

    /// Returns the text of an import path, whose parts may be separate nodes of one field.
    fn path_text(&self, path: Node<'t>) -> &'a str {
        let is_part = |next: &Node<'t>| self.language.spec.modules.path_parts && next.field() == path.field();
        let last = path.later_siblings().take_while(is_part).last().unwrap_or(path);
        self.source.get(path.start()..last.end()).unwrap_or_default()
    }

    /// Returns the variable of a name that is written with its path, as if the file imported it:
    /// the path is absolute (`\App\Clock`) or starts with an imported name (`Time\Clock`). Returns
    /// `None` for all other paths.
    pub(super) fn imported_path(&mut self, node: Node<'t>) -> Option<VariableId> {
        let (modules, text) = (&self.language.spec.modules, self.text(node));
        let separator = modules.separators.first().filter(|_| modules.path_ends_in_name)?;
        if let Some(&known) = self.by_name.get(&(LocalId::FILE, symbol(text))) {
            return Some(known);
        }
        let parts = owned(modules.split(text));
        let mut parts = parts.into_iter().map(|part| part.trim().to_owned()).filter(|part| !part.is_empty());
        let mut path = Vec::new();
        if !text.starts_with(separator.as_str()) {
            let front = self.by_name.get(&(LocalId::FILE, symbol(&parts.next()?)))?;
            let import = &self.flow.imports[*self.imported.get(front)?];
            path.extend(import.path.iter().chain(&import.name).cloned());
        }
        path.extend(parts);
        let name = path.pop().filter(|_| !path.is_empty())?;
        let variable = self.declare(LocalId::FILE, text);
        let (name, line) = (Some(name), node.first_line() as u32 + 1);
        self.flow.imports.push(Import { path, level: 0, name, variable: Some(variable), is_shared: false, line });
        Some(variable)
    }

    /// Imports the module in a string in a line (`include("app.urls")`), and returns a variable that no name
    /// refers to.
    pub(super) fn import_module(&mut self, text: &str, line: u32) -> VariableId {
        let modules = &self.language.spec.modules;
        let (level, text) = relative_level(modules.relative, text);
        let path = owned(modules.split(text));
        let variable = self.declare_unseen(LocalId::FILE, text);
        self.flow.imports.push(Import { path, level, name: None, variable: Some(variable), is_shared: false, line });
        variable
    }

    /// Returns the path prefixes from the `use` lists around an import (`use a::{b::{c}}`),
    /// outermost first.
    fn prefixes(&self, node: Node<'t>) -> Vec<String> {
        let modules = &self.language.spec.modules;
        let mut parts = Vec::new();
        if modules.prefixes.is_empty() {
            return parts;
        }
        let mut at = node.parent();
        while let Some(around) = at {
            if let Some(front) = self.language.meaning(around.kind()).import_prefix {
                let front = front.child_of(around).map(|n| owned(modules.split(self.text(n))));
                parts.splice(0..0, front.unwrap_or_default());
            } else if parts.len() > MAX_DEPTH || self.language.meaning(around.kind()).form != ExpressionForm::Other {
                break;
            }
            at = around.parent();
        }
        parts
    }
}

fn owned(parts: Vec<&str>) -> Vec<String> {
    parts.into_iter().map(str::to_owned).collect()
}

fn relative_level(relative: Relative, text: &str) -> (u8, &str) {
    match relative {
        Relative::None => (0, text),
        Relative::Dots => {
            let rest = text.trim_start_matches('.');
            ((text.len() - rest.len()).min(255) as u8, rest)
        }
        Relative::Path => {
            let (mut level, mut rest) = (0u8, text);
            loop {
                if let Some(tail) = rest.strip_prefix("./") {
                    (level, rest) = (level.max(1), tail);
                } else if let Some(tail) = rest.strip_prefix("../") {
                    (level, rest) = (level.max(1).saturating_add(1), tail);
                } else if rest == "." {
                    return (level.max(1), "");
                } else if rest == ".." {
                    return (level.max(1).saturating_add(1), "");
                } else {
                    return (level, rest);
                }
            }
        }
    }
}
