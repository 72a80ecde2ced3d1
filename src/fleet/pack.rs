//! Packs repositories into shards.
//!
//! Small repositories are bundled in the given order. A repository above the limit is sliced, and
//! each slice is packed into a separate shard. Everything that determines a shard's bytes and its
//! name is known before parsing, so a shard that already exists is not built again.
//!
//! **Cost:** memory use is the same as for building the largest member; the disk temporarily
//! contains a shard and its members, twice the final size.

use super::name::{check_name, in_file_name, slice_id};
use super::slices::{asked_slices, slices};
use super::survey::{Survey, changed};
use super::work_folder::WorkFolder;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use whichfn_check::described_head;
use whichfn_index::index::{Progress, build_in_folder};
use whichfn_index::source::Sources;
use whichfn_index::store::{Fingerprint, MemberRecord, PackedMember, SHARD_SUFFIX, Shard, shard_key, write_shard};
use whichfn_syntax::ids::FileId;
use whichfn_syntax::lang::Registry;
use whichfn_system::error::{Error, Kind, Result};

/// Maximum number of lines in a shard: one process can answer quickly for this many lines.
pub const LINES: u64 = 2_000_000;

/// A repository to pack.
#[derive(Debug, Clone)]
pub struct RepositoryToPack {
    /// Absolute path of its root.
    pub root: PathBuf,
    /// Its name, unique among all repositories.
    pub name: String,
    /// Its revision; `None` to take it from git.
    pub revision: Option<String>,
    /// Languages that it assigns to its files, indexed by globs over paths from the root.
    pub languages: BTreeMap<String, String>,
}

/// The repositories to pack, with the options.
#[derive(Debug, Clone)]
pub struct PackRequest {
    /// Repositories in the order in which they are bundled.
    pub repositories: Vec<RepositoryToPack>,
    /// Folder that receives the shards.
    pub into: PathBuf,
    /// Maximum number of lines in a shard.
    pub lines: u64,
    /// Directories, relative to the root of the single repository, that become separate slices; the
    /// rest is another slice.
    pub slices: Vec<String>,
    /// Maximum size of an indexed file in bytes.
    pub max_size: u64,
}

/// A finished shard at its final path.
#[derive(Debug, Clone)]
pub struct PackedShard {
    /// File name of the shard.
    pub file: String,
    /// Key of its content; see [`shard_key`].
    pub key: String,
    /// True if it was built by this run, false if it already existed.
    pub is_built: bool,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Records of its members.
    pub members: Vec<MemberRecord>,
}

/// A member before it is built.
struct MemberDraft<'a> {
    repository: &'a RepositoryToPack,
    registry: Rc<Registry>,
    id: String,
    survey: Survey,
    record: MemberRecord,
}

/// Packs repositories, and calls `packed` with each shard as soon as it is at its final path.
///
/// # Errors
/// Returns an error if a name is invalid or used twice, a repository cannot be read or changes
/// while it is packed, the folder cannot be written, or `packed` fails.
pub fn pack(
    request: &PackRequest,
    progress: &dyn Progress,
    mut packed: impl FnMut(PackedShard) -> Result<()>,
) -> Result<()> {
    check(request)?;
    std::fs::create_dir_all(&request.into).map_err(|cause| Error::io(Kind::Path, "make", &request.into, &cause))?;
    let builtin = Rc::new(Registry::builtin()?);
    let fingerprint = Fingerprint::new(builtin.digest(), request.max_size);
    let packing = Packing { into: &request.into, fingerprint, progress };
    let (mut bundle, mut lines) = (Vec::new(), 0);
    for repository in &request.repositories {
        progress.looking();
        let registry = match repository.languages.is_empty() {
            true => Rc::clone(&builtin),
            false => Rc::new(Registry::with_assigned(&repository.languages)?),
        };
        let survey = Survey::read(&repository.root, &registry, request.max_size)?;
        let draft = |id, survey| MemberDraft::new(repository, Rc::clone(&registry), id, survey);
        let slices = slices_of(request, &survey)?;
        if !bundle.is_empty() && (slices.len() > 1 || lines + survey.lines() > request.lines) {
            packed(packing.shard(&std::mem::take(&mut bundle))?)?;
            lines = 0;
        }
        if slices.len() > 1 {
            for (number, slice) in slices.iter().enumerate() {
                let id = slice_id(&repository.name, number + 1);
                packed(packing.shard(&[draft(id, survey.part(slice))])?)?;
            }
            continue;
        }
        lines += survey.lines();
        bundle.push(draft(repository.name.clone(), survey));
    }
    if bundle.is_empty() { Ok(()) } else { packed(packing.shard(&bundle)?) }
}

/// Returns the slices of a repository; at most one if the repository stays whole.
fn slices_of(request: &PackRequest, survey: &Survey) -> Result<Vec<Vec<usize>>> {
    match request.slices.is_empty() {
        true if survey.lines() <= request.lines => Ok(Vec::new()),
        true => Ok(slices(&survey.paths(), request.lines)),
        false => asked_slices(&survey.paths(), &request.slices, request.lines),
    }
}

fn check(request: &PackRequest) -> Result<()> {
    if !request.slices.is_empty() && request.repositories.len() > 1 {
        let what = format!("slices need a single repository, but there are {}", request.repositories.len());
        return Err(Error::new(Kind::Usage, what, "pack the sliced repository in a separate command"));
    }
    let mut names = BTreeSet::new();
    for RepositoryToPack { name, root, .. } in &request.repositories {
        check_name(name)?;
        if !names.insert(name) {
            let what = format!("two repositories are called {name}; the second is in {}", root.display());
            return Err(Error::new(Kind::Usage, what, "give each repository a different name"));
        }
    }
    Ok(())
}

impl<'a> MemberDraft<'a> {
    fn new(repository: &'a RepositoryToPack, registry: Rc<Registry>, id: String, survey: Survey) -> Self {
        let revision = repository.revision.clone().or_else(|| described_head(&repository.root)).unwrap_or_default();
        let record = MemberRecord {
            id: id.clone(),
            repository: repository.name.clone(),
            revision,
            tree: survey.tree(&repository.languages),
            ..MemberRecord::default()
        };
        Self { repository, registry, id, survey, record }
    }
}

/// Settings shared by all shards of a run.
struct Packing<'a> {
    into: &'a Path,
    fingerprint: Fingerprint,
    progress: &'a dyn Progress,
}

impl Packing<'_> {
    /// Builds a shard of these members, unless it already exists.
    fn shard(&self, drafts: &[MemberDraft<'_>]) -> Result<PackedShard> {
        let key = shard_key(&self.fingerprint, drafts.iter().map(|draft| (&*draft.id, &*draft.record.tree)));
        let first = drafts.first().map(|draft| in_file_name(&draft.id)).unwrap_or_default();
        let stem = format!("{first}-{key}");
        let file = format!("{stem}.{SHARD_SUFFIX}");
        let place = self.into.join(&file);
        let found =
            |is_built, bytes, members| PackedShard { file: file.clone(), key: key.clone(), is_built, bytes, members };
        if let Some((bytes, members)) = self.in_place(&place, drafts) {
            return Ok(found(false, bytes, members));
        }
        let work = WorkFolder::take(self.into.join(format!(".{stem}.unfinished")))?;
        // Another process may have built it while this one waited for the lock.
        if let Some((bytes, members)) = self.in_place(&place, drafts) {
            return Ok(found(false, bytes, members));
        }
        let mut members = Vec::with_capacity(drafts.len());
        for (number, draft) in drafts.iter().enumerate() {
            members.push(self.member(draft, &work, number)?);
        }
        let bytes = write_shard(&place, &work.empty(&file)?, &self.fingerprint, &members)?;
        Ok(found(true, bytes, members.into_iter().map(|member| member.record).collect()))
    }

    /// Returns the size and the members of an existing shard, with the current revisions; `None` if
    /// it is missing or damaged.
    fn in_place(&self, place: &Path, drafts: &[MemberDraft<'_>]) -> Option<(u64, Vec<MemberRecord>)> {
        let shard = Shard::open(place, &self.fingerprint).ok()?;
        // A user may pack again because a shard is damaged, so check it: reading takes a hundredth
        // of the time of building.
        if shard.members.iter().any(|member| member.verify().is_err()) {
            return None;
        }
        let members = shard.members.into_iter().map(|member| member.record).zip(drafts);
        let members: Vec<_> = members
            .filter(|(record, draft)| record.id == draft.id && record.tree == draft.record.tree)
            .map(|(record, draft)| MemberRecord { revision: draft.record.revision.clone(), ..record })
            .collect();
        (members.len() == drafts.len()).then_some((place.metadata().ok()?.len(), members))
    }

    /// Builds a member in one folder inside the work folder, and writes its parts into another.
    fn member(&self, draft: &MemberDraft<'_>, work: &WorkFolder, number: usize) -> Result<PackedMember> {
        let (root, survey, folder) = (&draft.repository.root, &draft.survey, work.empty("index")?);
        let built = build_in_folder(root, &survey.scan(), &draft.registry, self.fingerprint, &folder, self.progress)?;
        survey.check(root, &built.manifest)?;
        let sources = Sources::new(root, &built);
        let text = |number: usize| {
            let file = FileId::new(number);
            sources.bytes(file).ok_or_else(|| changed(root, built.graph.path(file)))
        };
        PackedMember::new(&built, draft.record.clone(), work.empty(&number.to_string())?, text)
    }
}
