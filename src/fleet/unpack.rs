//! Installs a repository from a shard as the ordinary index of a checkout, so that an index built
//! elsewhere need not be built again.
//!
//! **Cost:** the index is copied; then the first refresh of the checkout reads and hashes each
//! file, and parses the files that differ.

use super::name::repository_of;
use crate::engine::Engine;
use std::path::Path;
use whichfn_index::index::{Options, Progress};
use whichfn_index::store::{Fingerprint, Layout, MemberRecord, Shard, ShardMember, damaged_member};
use whichfn_syntax::lang::Registry;
use whichfn_system::error::{Error, Kind, Result};
use whichfn_text::path_from_text;

/// Result of unpacking a member.
#[derive(Debug, Clone)]
pub struct Unpacked {
    /// Record of the member in the shard.
    pub record: MemberRecord,
    /// Number of parsed files: files in the checkout that differ from the shard.
    pub parsed: usize,
    /// True if the index was built from scratch, because the shard was packed with a different file
    /// size limit.
    pub is_built: bool,
}

/// Installs a member of a shard as the index of a checkout below `index_dir`, replacing any
/// existing index, and brings it up to date.
///
/// # Errors
/// Returns an error if the shard has no such member, the member is damaged, a slice, or another
/// repository, or the index cannot be written.
pub fn unpack(
    shard: &Path,
    id: &str,
    root: &Path,
    index_dir: &Path,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Unpacked> {
    let fingerprint = Fingerprint::new(Registry::builtin()?.digest(), options.max_size);
    let shard = Shard::open(shard, &fingerprint)?;
    let member = member(&shard, id)?;
    member.verify().map_err(|_| damaged_member(&shard.path, id))?;
    check_same_repository(member, root)?;
    let layout = Layout::new(index_dir, root);
    layout.check_owner()?;
    if let Some(writing) = layout.lock(|_| true)? {
        let folder = writing.begin()?;
        member.unpack(root, &folder)?;
        writing.publish(&folder)?;
    }
    let engine = Engine::open(root, index_dir, options, progress)?;
    let report = engine.status().report;
    Ok(Unpacked { record: member.record.clone(), parsed: report.parsed, is_built: report.built })
}

fn member<'s>(shard: &'s Shard, id: &str) -> Result<&'s ShardMember> {
    if let Some((_, error)) = shard.damaged.iter().find(|(record, _)| record.id == id) {
        return Err(error.clone());
    }
    let all = &shard.members;
    let Some(member) = all.iter().find(|member| member.record.id == id) else {
        let ids: Vec<&str> = all.iter().map(|member| &*member.record.id).collect();
        let next = format!("it has {}", ids.join(", "));
        return Err(Error::new(Kind::Usage, format!("{} does not contain {id}", shard.path.display()), next));
    };
    if repository_of(id) != id {
        let what = format!("{id} is a slice of {}, not the index of a whole checkout", member.record.repository);
        return Err(Error::new(Kind::Usage, what, "index the checkout itself"));
    }
    Ok(member)
}

/// Rejects a member without a file of the checkout: it is the index of another repository.
fn check_same_repository(member: &ShardMember, root: &Path) -> Result<()> {
    let graph = &member.generation.graph;
    let mut files = graph.file_ids().map(|file| root.join(path_from_text(graph.path(file))));
    if member.record.files == 0 || files.any(|file| file.is_file()) {
        return Ok(());
    }
    let what = format!("{} does not contain any file of {}", root.display(), member.record.id);
    Err(Error::new(Kind::Usage, what, "pass the checkout of this repository with --root, or a different member"))
}
