//! Names that a file takes from other files without mentioning them: through star imports
//! ([`super::stars`]), and from other parts of a namespace ([`super::namespaces`]).

use super::modules::ImportTarget;
use super::names::{Entity, Names};
use super::stars::Visit;
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::parse::Symbol;

impl Names<'_> {
    /// Checks whether a file has star imports, and any of the imported modules may bind a name.
    pub(super) fn may_have_star(&self, file: FileId, name: Symbol) -> bool {
        self.stars.any(file) && self.stars.modules_binding(name).next().is_some()
    }

    /// Returns the meaning of a name that a file has through a star import. [`Names::star`] caches
    /// it.
    pub(super) fn find_star(&self, file: FileId, name: Symbol) -> Option<Entity> {
        let order = self.stars.order(file, &self.budget)?;
        // Iterates over the smaller set: the modules that may have the name, or the modules that
        // the file reaches.
        let modules_binding = self.stars.modules_binding(name).take(order.0.len() + 1).count();
        if !self.budget.take(modules_binding) {
            return None;
        }
        let mut first = None;
        if modules_binding <= order.0.len() {
            for module in self.stars.modules_binding(name) {
                let visit = order.visit(module);
                first = visit.and_then(|visit| self.earlier(first, file, module, visit, name)).or(first);
            }
        } else {
            for &(module, visit) in &order.0 {
                first = self.earlier(first, file, module, visit, name).or(first);
            }
        }
        first.map(|(_, entity)| entity)
    }

    /// Returns the meaning that a name in a module has for a file, and the time at which the walk
    /// reaches it. Returns `None` unless that is earlier than `first`.
    fn earlier(
        &self,
        first: Option<(u32, Entity)>,
        from: FileId,
        module: ImportTarget,
        visit: Visit,
        name: Symbol,
    ) -> Option<(u32, Entity)> {
        let is_earlier = |at: u32| first.is_none_or(|(best, _)| at < best);
        if !is_earlier(visit.entered) {
            return None;
        }
        let (own, below) = match module {
            ImportTarget::Directory(directory) => (self.member(Entity::Directory(directory), name), None),
            ImportTarget::Package(package) => (self.member_of_package(from, package, name), None),
            ImportTarget::File(file) => (self.own_member(file, name), Some(file)),
        };
        let below = below.filter(|_| own.is_none() && is_earlier(visit.left));
        let below = below.and_then(|file| self.member_below(file, name));
        own.map(|entity| (visit.entered, entity)).or(below.map(|entity| (visit.left, entity)))
    }

    /// Returns a member that other parts of a namespace have.
    pub(super) fn member_of_other_part(&self, part: DefinitionId, name: Symbol) -> Option<Entity> {
        let (parts, own) = (self.namespaces.parts_with(part, name), self.file_of(part));
        if parts.is_empty() || !self.budget.take(parts.len()) {
            return None;
        }
        let order = self.stars.order(own, &self.budget)?;
        let entered = |id: DefinitionId| match self.file_of(id) {
            file if file == own => 0,
            file => order.visit(ImportTarget::File(file)).map_or(u32::MAX, |visit| visit.entered),
        };
        let (_, member) = parts.iter().copied().min_by_key(|&(id, _)| entered(id))?;
        Some(Entity::Variable(member))
    }
}
