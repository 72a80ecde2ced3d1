//! What a registration registers: its paths, methods and flags.

use super::super::extract::Extractor;
use super::handlers::Handler;
use super::site::{Site, literal, literals, split_name};
use super::tables::tables;
use super::{MAX_AROUND, PAIR, names};
use crate::ids::LocalId;
use crate::lang::{Argument, EntryRule, ExpressionForm, FlowKind, Registers};
use crate::tree::Node;
use whichfn_text::{ANY_METHOD, HTTP_METHODS, UNKNOWN_SEGMENTS};

/// Maximum number of arguments that may be an SQL statement.
const MAX_STATEMENTS: usize = 4;
/// Ends of the names of variables with a path.
const PATH_WORDS: [&str; 5] = ["path", "prefix", "base", "root", "url"];

impl<'a, 't> Extractor<'a, 't> {
    /// Returns the paths, commands or prefixes of a registration as the framework completes them,
    /// after the path that it is chained on.
    pub(super) fn based_paths(&self, rule: &EntryRule, site: &Site<'a, 't>, decorated: Option<LocalId>) -> Vec<String> {
        if rule.same_path {
            return self.path_of_receiver(site).into_iter().collect();
        }
        let mut paths = self.paths(rule, site, decorated);
        if rule.more {
            paths.extend(self.more_paths(rule, site));
        }
        for path in paths.iter_mut().filter(|path| Some(path.as_str()) == rule.empty.as_deref()) {
            path.clear();
        }
        if let Some(form) = &rule.form {
            paths.iter_mut().for_each(|path| *path = form.replace("PATH", path));
        }
        let base = rule.base.iter().find_map(|one| self.site_value(site, one)).and_then(|one| self.path_text(one.text));
        match base {
            Some(base) => paths.iter().map(|path| names::joined(&base, path)).collect(),
            None => paths,
        }
    }

    /// Returns the path of the route of the same type whose function the receiver of a call starts with.
    fn path_of_receiver(&self, site: &Site<'a, 't>) -> Option<String> {
        let function = site.object().split('.').next()?;
        let is_it = |handler: &Handler<'a, 't>| {
            let Handler::Definition(id) = handler else { return false };
            let one = &self.definitions[*id];
            one.name == function && one.parent == self.type_around(site.scope)
        };
        let same = self.entries.found.iter().rev().find(|one| one.handlers.iter().any(is_it))?;
        Some(same.path.clone())
    }

    /// Returns the paths in the positional arguments after the first path.
    fn more_paths(&self, rule: &EntryRule, site: &Site<'a, 't>) -> Vec<String> {
        let Some(Argument::Position(first)) = rule.path.first() else { return Vec::new() };
        let rest = site.arguments.iter().filter(|one| one.key.is_none()).skip(*first as usize + 1);
        let is_path = |path: &String| path.starts_with('/') || rule.registers == Registers::Resource;
        rest.map_while(|one| self.path_text(one.text)).filter(is_path).collect()
    }

    /// Returns the paths, commands or prefixes of a registration.
    pub(super) fn paths(&self, rule: &EntryRule, site: &Site<'a, 't>, decorated: Option<LocalId>) -> Vec<String> {
        let is_plain = |one: &&Argument| !matches!(one, Argument::Named(name) if name == PAIR);
        let argument = rule.path.iter().filter(is_plain).find_map(|one| self.site_value(site, one));
        if rule.registers == Registers::Flag {
            return self.flag(rule, site).into_iter().collect();
        }
        if rule.tables {
            let arguments = site.arguments.iter().take(MAX_STATEMENTS);
            return arguments.map(|one| self.tables_in(one.text)).find(|names| !names.is_empty()).unwrap_or_default();
        }
        let own_name = decorated.map(|id| self.definitions[id].name.clone());
        let default = || match rule.default.as_deref() {
            Some("NAME") => own_name.map(|name| name.trim_matches('_').replace('_', "-").to_lowercase()),
            Some("FUNCTION") => own_name,
            other => other.map(str::to_owned),
        };
        // `get "/users" => "users#index"`
        let first = site.arguments.first().and_then(|one| one.key);
        if let Some(key) = first.filter(|_| argument.is_none() && rule.path.contains(&Argument::Named(PAIR.to_owned())))
        {
            return vec![key.to_owned()];
        }
        let Some(argument) = argument else { return default().into_iter().collect() };
        let text = argument.text.trim_start();
        if rule.first {
            return literals(text).first().map(|text| (*text).to_owned()).into_iter().collect();
        }
        let found = match text.starts_with(['[', '{', '(']) || text.starts_with("new") {
            true => literals(text).into_iter().map(str::to_owned).collect(),
            false => {
                let bound = self.loop_values(text, site.node.start());
                match bound.is_empty() {
                    true => self.path_text(text).into_iter().collect::<Vec<_>>(),
                    false => bound.into_iter().map_while(|bound| self.path_with(text, Some(bound))).collect(),
                }
            }
        };
        let flow = argument.node.map_or(0, |node| self.language.meaning(node.kind()).flow);
        let is_nothing = flow & FlowKind::Nothing.bit() != 0;
        // A prefix that is computed is not known.
        let is_prefix = matches!(rule.registers, Registers::Group | Registers::Mount);
        if is_prefix && found.is_empty() && (literal(text).is_some() || !is_nothing && is_computed_prefix(rule, text)) {
            return vec![UNKNOWN_SEGMENTS.to_owned()];
        }
        let has_method = |path: &str| path.split_once(' ').is_some_and(|(method, _)| HTTP_METHODS.contains(&method));
        let is_rooted = |path: &str| path.starts_with(['/', '*', '^']) || path.starts_with(UNKNOWN_SEGMENTS);
        let is_path = |path: &String| !rule.rooted || path.is_empty() || is_rooted(path) || has_method(path);
        let found: Vec<String> = found.into_iter().filter(is_path).collect();
        if !found.is_empty() || literal(text).is_some() {
            return found;
        }
        // `@DeleteMapping(Paths.USERS)`
        let is_unknown = rule.registers == Registers::Route && rule.default.is_some() && !is_nothing;
        if is_unknown { vec![UNKNOWN_SEGMENTS.to_owned()] } else { default().into_iter().collect() }
    }

    /// Returns the tables of the SQL statement that an argument is: a constant, or several strings.
    fn tables_in(&self, argument: &str) -> Vec<String> {
        let names = self.path_text(argument).map(|text| tables(&text)).unwrap_or_default();
        let is_text = argument.starts_with(['"', '\'', '`', '(']) || literal(argument).is_some();
        if names.is_empty() && is_text { tables(&literals(argument).join(" ")) } else { names }
    }

    /// Returns the name of the field that an annotation is on, with dashes.
    fn field_name(&self, site: &Site<'a, 't>) -> Option<String> {
        let is_name = |node: &Node<'t>| self.language.meaning(node.kind()).form == ExpressionForm::Name;
        let around = site.node.parent()?;
        let is_other = |node: &Node<'t>| {
            let meaning = self.language.meaning(node.kind());
            node.is_named() && !meaning.attribute && meaning.words.is_none()
        };
        let field = around.later_siblings().find(is_other)?;
        Some(names::dashed(self.text(field.named_children().find(is_name)?)))
    }

    /// Returns the flag that a registration adds, after the command that its field belongs to.
    fn flag(&self, rule: &EntryRule, site: &Site<'a, 't>) -> Option<String> {
        let positional = site.arguments.iter().filter(|one| one.key.is_none() && rule.path.is_empty());
        let keyed = rule.path.iter().filter_map(|one| self.site_value(site, one));
        let known: Vec<&str> = keyed.chain(positional.copied()).flat_map(|one| literals(one.text)).collect();
        if rule.prefix.is_empty() {
            return flag_in(&known);
        }
        let own = known.first().map(|name| (*name).to_owned());
        let name = own.or_else(|| self.field_name(site).filter(|_| rule.field)).filter(|name| !name.is_empty())?;
        let mut around = std::iter::successors(site.node.parent(), |node| node.parent()).take(MAX_AROUND * 2);
        let command = around.find_map(|node| self.entries.variants.get(&node.number()));
        Some(command.map_or(String::new(), |command| format!("{command} ")) + &rule.prefix + &name)
    }

    /// Returns the methods of a route; one empty text for other entries.
    pub(super) fn methods(&self, rule: &EntryRule, site: &Site<'a, 't>) -> Vec<String> {
        if !matches!(rule.registers, Registers::Route | Registers::Template) {
            return vec![String::new()];
        }
        let all = rule.methods.contains(&Argument::Named("*".to_owned()));
        let listed = match all {
            true => Some(site.arguments.iter().flat_map(|one| methods_in(one.text, &rule.affixes)).collect()),
            false => rule
                .methods
                .iter()
                .find_map(|one| self.site_value(site, one))
                .map(|one| methods_in(one.text, &rule.affixes)),
        };
        if let Some(listed) = listed.filter(|listed| !listed.is_empty()) {
            return listed;
        }
        match rule.method.as_deref() {
            Some("NAME") => {
                let name = methods_in(site.name, &rule.affixes);
                if name.is_empty() { vec![ANY_METHOD.to_owned()] } else { name }
            }
            Some(method) => vec![method.to_owned()],
            None => vec![ANY_METHOD.to_owned()],
        }
    }
}

/// Checks whether an expression that is no string computes the prefix of a group or mount. In a rule whose
/// argument may also be something else (`app.use(authenticate, users)`), its name has to be that of a path.
fn is_computed_prefix(rule: &EntryRule, text: &str) -> bool {
    if !rule.rooted {
        return true;
    }
    let last = split_name(text).1;
    let is_constant = last.len() > 1 && last.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    is_constant || PATH_WORDS.iter().any(|word| last.to_ascii_lowercase().ends_with(word))
}

/// Returns the HTTP methods among the words of a text: `["GET", "POST"]`, `RequestMethod.GET`. A word
/// may begin or end with any of the affixes: `http.MethodGet`, `GetMapping`, `MapGet`.
fn methods_in(text: &str, affixes: &[String]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        let word = method_of(word, affixes);
        if HTTP_METHODS.contains(&word.as_str()) && !found.contains(&word) {
            found.push(word);
        }
    }
    found
}

/// Returns a word in capital letters, without an affix.
pub(super) fn method_of(word: &str, affixes: &[String]) -> String {
    let plain = affixes
        .iter()
        .find_map(|affix| word.strip_prefix(affix.as_str()).or_else(|| word.strip_suffix(affix.as_str())));
    plain.unwrap_or(word).to_uppercase()
}

/// Returns the flag among the texts of a registration: the first that begins with two dashes, or
/// else with one.
fn flag_in(texts: &[&str]) -> Option<String> {
    // `--[no-]color` adds `--color` and `--no-color`.
    let texts: Vec<String> = texts.iter().map(|text| text.replace("--[no-]", "--")).collect();
    let words =
        || texts.iter().flat_map(|text| text.split([' ', ',', '/', '=', '|', '<', '['])).filter(|word| word.len() > 1);
    let long = words().find(|word| word.starts_with("--") && word.len() > 2);
    let flag = long.or_else(|| words().find(|word| word.starts_with('-')));
    flag.filter(|flag| !flag.contains(['{', '%'])).map(str::to_owned)
}
