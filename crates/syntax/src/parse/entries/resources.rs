//! Resources: several routes of one registration.

use super::super::extract::Extractor;
use super::handlers::{Handler, type_node};
use super::mounts::Mounted;
use super::names;
use super::site::{Site, SiteArgument, is_name, literal, split_name};
use crate::lang::{Argument, EntryRule, Registers};
use crate::tree::Node;
use whichfn_text::prefix;

/// Maximum number of bytes after a resource in which the calls that limit its routes are looked for.
const MAX_CALLS_AFTER: usize = 1_024;

impl<'a, 't> Extractor<'a, 't> {
    /// Adds the routes of a resource, and a prefix for what is registered inside.
    pub(super) fn resource(
        &mut self,
        rule: &'a EntryRule,
        site: &Site<'a, 't>,
        object: Option<&'a str>,
        paths: Vec<String>,
    ) -> bool {
        // `Route::resource("users", Users::class)->only(["index"])`
        let after = prefix(self.source.get(site.node.end()..).unwrap_or_default(), MAX_CALLS_AFTER);
        let chain = after.split(';').next().filter(|_| after.trim_start().starts_with("->"));
        let limits = |key: &str| {
            let text = self.site_value(site, &Argument::Named(key.to_owned())).map(|one| one.text);
            let chained = chain.and_then(|chain| chain.split_once(&format!("->{key}(")));
            let text = text.or_else(|| chained.and_then(|(_, rest)| rest.split(')').next()));
            text.map(|text| text.split(|c| !is_name(c)).map(str::to_owned).collect::<Vec<_>>())
        };
        let (only, except) = (limits("only"), limits("except").unwrap_or_default());
        let owner = rule.handler.iter().find_map(|one| self.site_value(site, one));
        let mut modules = self.around(site.node.start()).map_or(Vec::new(), |around| around.modules.clone());
        modules.extend(self.modules_of(rule, site));
        let controller = self.owner_of(rule, site);
        let param = rule.param.as_ref().and_then(|name| self.site_value(site, &Argument::Named(name.clone())));
        let param = param.and_then(|one| literal(one.text)).map_or("id", |(name, _)| name);
        let segment = rule.segment.iter().find_map(|one| self.site_value(site, one));
        let segment = segment.and_then(|one| self.path_text(one.text));
        for (at, name) in paths.iter().enumerate() {
            let nested = rule.nesting.map(|sign| nested_path(name, sign));
            let path = segment.as_ref().or(nested.as_ref()).unwrap_or(name);
            let named = if rule.plural { names::plural(name) } else { name.clone() };
            let type_name = controller.clone().unwrap_or_else(|| names::type_path(&modules, &named, &rule.suffix));
            let singular = names::singular(split_name(name).1);
            for [method, rest, action] in &rule.actions {
                if only.as_ref().is_some_and(|only| !only.contains(action)) || except.contains(action) {
                    continue;
                }
                let name = action.clone();
                let handlers = vec![match owner.and_then(|owner| Some((owner.node?, literal(owner.text)))) {
                    Some((node, None)) if name.is_empty() => Handler::Value(node),
                    Some((node, None)) => Handler::MemberOf { owner: type_node(node), name },
                    Some((_, Some((owner, _)))) => Handler::Member { owner: owner.to_owned(), name },
                    None => Handler::Member { owner: type_name.clone(), name },
                }];
                let rest = rest.replace(":id", &format!(":{param}")).replace("{singular}", &format!("{{{singular}}}"));
                let path = names::joined(path, &rest);
                self.add(Registers::Route, site, method.clone(), path, object, handlers);
            }
            if let Some(node) = owner.and_then(|owner| owner.node).filter(|_| rule.mounts) {
                self.mount_type(site, object, path, node);
            }
            // A block belongs to each of several resources; it is read for the first.
            if rule.inside && at == 0 {
                let nested = match rule.actions.iter().any(|[_, rest, _]| rest.contains(':')) {
                    true => format!("{path}/:{singular}_{param}"),
                    false => path.clone(),
                };
                let param = if rule.plural { "" } else { param };
                self.enter_group(rule, site, &nested, Some((path.clone(), type_name)), param);
            }
        }
        !paths.is_empty()
    }

    /// Adds the resources of an array: each key is a path, and its value the type of the handlers.
    pub(super) fn resources(&mut self, rule: &'a EntryRule, site: &Site<'a, 't>, object: Option<&'a str>) -> bool {
        let pairs: Vec<_> = site.arguments.iter().filter_map(|one| Some((one.key?, *one))).collect();
        for (path, value) in &pairs {
            let value = SiteArgument { key: None, ..*value };
            let site = Site { arguments: vec![value; 2], ..site.clone() };
            self.resource(rule, &site, object, vec![(*path).to_owned()]);
        }
        !pairs.is_empty()
    }

    /// Adds the path of a resource as a prefix for the routes in its type.
    fn mount_type(&mut self, site: &Site<'a, 't>, object: Option<&'a str>, path: &str, of_type: Node<'t>) {
        let (scope, position) = (site.scope, site.node.start());
        let front = object.map_or(String::new(), |object| self.prefix(object, scope, position, 0));
        let around = object.and_then(|object| self.group_at(object, scope, position)).map(|group| group.id);
        let id = self.add_mount(site.node, site.place, around.unwrap_or(scope), names::joined(&front, path));
        self.entries.mounts.push(Mounted { id, place: site.place, scope, objects: vec![Handler::Value(of_type)] });
    }
}

/// Returns the path of a resource inside others, with their parameters: `photos/{photo}/comments` for
/// `photos.comments`.
fn nested_path(name: &str, sign: char) -> String {
    let mut parts: Vec<String> = name.split(sign).map(str::to_owned).collect();
    let last = parts.len() - 1;
    for part in &mut parts[..last] {
        *part = format!("{part}/{{{}}}", names::singular(part));
    }
    parts.join("/")
}
