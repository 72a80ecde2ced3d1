//! The catalog of a fleet: the shard from which each member is served, and the groups that may see
//! it.
//!
//! Members that are not listed are not served: a member that is stored in a shard but not listed
//! for it has been replaced by one in a later shard. Permissions are resolved here, before anything
//! is counted or ranked.

use super::name::{check_name, repository_of};
use globset::{GlobBuilder, GlobMatcher};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use whichfn_index::store::{MemberRecord, SHARD_SUFFIX, Shard};
use whichfn_system::error::{Error, Kind, Result};
use whichfn_system::untrusted::open_regular;

/// File name of a catalog in a folder of shards.
pub const CATALOG: &str = "fleet.json";
const VERSION: u32 = 1;

/// A shard that is served.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CatalogShard {
    /// Its file name in the catalog's folder.
    pub file: String,
    /// Ids of the members that are served from it.
    pub members: Vec<String>,
}

/// Data about a repository in addition to its index.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CatalogRepository {
    /// The revision that is served; empty if unknown.
    #[serde(default)]
    pub revision: String,
    /// The team that owns the repository.
    #[serde(default)]
    pub team: Option<String>,
    /// Groups whose members may see the repository; if empty, all callers may.
    #[serde(default)]
    pub groups: Vec<String>,
    /// Number of lines in all files.
    #[serde(default)]
    pub lines: u64,
    /// Number of indexed files.
    #[serde(default)]
    pub files: u64,
    /// Number of functions, methods and macros.
    #[serde(default)]
    pub functions: u64,
}

/// A validated catalog: each member is listed once, and belongs to a listed repository.
#[derive(Debug, Clone)]
pub struct Catalog {
    folder: PathBuf,
    shards: Vec<CatalogShard>,
    repositories: BTreeMap<String, CatalogRepository>,
    /// Files of the folder that should be shards but cannot be read, with the errors; empty if a
    /// catalog file exists.
    pub unreadable: Vec<(String, Error)>,
}

/// The scope of a request, and the groups of the caller. An empty list does not restrict, except
/// for `groups`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FleetScope {
    /// Globs of repository names, one of which must match: `flask`, `org/*`.
    pub repositories: Vec<String>,
    /// Teams, one of which must own the repository.
    pub teams: Vec<String>,
    /// Groups of the caller. A caller without groups sees only the repositories that are open to
    /// all.
    pub groups: Vec<String>,
}

/// The visible part of a shard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisibleShard {
    /// Its file name.
    pub file: String,
    /// The path of the file.
    pub path: PathBuf,
    /// Ids of members, in the catalog's order; never empty.
    pub members: Vec<String>,
}

#[derive(Deserialize)]
struct CatalogFile {
    version: u32,
    shards: Vec<CatalogShard>,
    #[serde(default)]
    repositories: BTreeMap<String, CatalogRepository>,
}

/// A shard of a folder.
struct ListedShard {
    file: String,
    modified: Option<SystemTime>,
    members: Vec<MemberRecord>,
}

/// Files that should be shards but cannot be read, with the errors.
type Unreadable = Vec<(String, Error)>;

/// Returns the shards of a folder, and files that should be shards but cannot be read.
fn shards_of(folder: &Path) -> Result<(Vec<ListedShard>, Unreadable)> {
    let entries = std::fs::read_dir(folder).map_err(|cause| Error::io(Kind::Path, "read", folder, &cause))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == SHARD_SUFFIX) && path.is_file());
    files.sort();
    if files.is_empty() {
        let what = format!("{} contains no shards", folder.display());
        return Err(Error::new(Kind::Path, what, "pack repositories into it, or pass the folder of shards"));
    }
    let (mut listed, mut unreadable) = (Vec::new(), Vec::new());
    for path in &files {
        let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let modified = path.metadata().and_then(|meta| meta.modified()).ok();
        match Shard::list(path) {
            Ok(members) => listed.push(ListedShard { file, modified, members }),
            Err(error) => unreadable.push((file, error)),
        }
    }
    Ok((listed, unreadable))
}

impl Catalog {
    /// Reads the catalog in a folder of shards.
    ///
    /// Without a catalog file, all members of all shards are visible to all callers. Of a
    /// repository that was packed more than once, the member in the shard that was written last is
    /// served.
    ///
    /// # Errors
    /// Same as [`Self::read`]; also if the folder cannot be read or contains no shard, or when
    /// a repository is in slices and was packed more than once.
    pub fn of_folder(folder: &Path) -> Result<Self> {
        let catalog = folder.join(CATALOG);
        if catalog.symlink_metadata().is_ok() {
            return Self::read(&catalog);
        }
        let (mut listed, unreadable) = shards_of(folder)?;
        // The shard that was packed last is served.
        listed.sort_by(|a, b| (a.modified, &a.file).cmp(&(b.modified, &b.file)));
        let mut served: BTreeMap<String, usize> = BTreeMap::new();
        for (number, shard) in listed.iter().enumerate() {
            let unsliced = shard.members.iter().filter(|member| member.id == member.repository);
            served.extend(unsliced.map(|member| (member.id.clone(), number)));
        }
        for (number, shard) in listed.iter_mut().enumerate() {
            shard.members.retain(|member| served.get(&member.id).is_none_or(|&last| last == number));
        }
        listed.sort_by(|a, b| a.file.cmp(&b.file));
        let mut found =
            Self { folder: folder.to_owned(), shards: Vec::new(), repositories: BTreeMap::new(), unreadable };
        for ListedShard { file, members, .. } in listed {
            for member in &members {
                let known = found.repositories.entry(member.repository.clone()).or_default();
                known.revision.clone_from(&member.revision);
                known.lines += member.lines;
                known.files += member.files as u64;
                known.functions += member.functions as u64;
            }
            if !members.is_empty() {
                found.shards.push(CatalogShard { file, members: members.into_iter().map(|one| one.id).collect() });
            }
        }
        found.checked().map_err(|wrong| {
            let next = "remove outdated shards, or write a catalog that lists the shards to serve";
            Error::new(Kind::Usage, format!("{}: {wrong}", folder.display()), next)
        })
    }

    /// Reads a catalog file; its shards are in the same folder.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is not a catalog, or contradicts itself.
    pub fn read(path: &Path) -> Result<Self> {
        // Others may have written to the folder: only a regular file is read, so that a pipe cannot
        // block.
        let text = open_regular(path).and_then(std::io::read_to_string);
        let text = text.map_err(|cause| Error::io(Kind::Usage, "read", path, &cause))?;
        let wrong = |what: &str| {
            let next = "correct it, or generate it again";
            Error::new(Kind::Usage, format!("{} is not a valid catalog: {what}", path.display()), next)
        };
        let file: CatalogFile = serde_json::from_str(&text).map_err(|cause| wrong(&cause.to_string()))?;
        if file.version != VERSION {
            return Err(wrong(&format!("its version is {}, but this program reads {VERSION}", file.version)));
        }
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        let (shards, repositories, unreadable) = (file.shards, file.repositories, Vec::new());
        Self { folder, shards, repositories, unreadable }.checked().map_err(|what| wrong(&what))
    }

    /// Validates the catalog and returns it; the error describes the first problem.
    fn checked(self) -> std::result::Result<Self, String> {
        for name in self.repositories.keys() {
            check_name(name).map_err(|error| error.what().to_owned())?;
        }
        let (mut files, mut members) = (BTreeMap::new(), BTreeMap::new());
        for (number, shard) in self.shards.iter().enumerate() {
            let file = &shard.file;
            if file.is_empty() || file.contains(['/', '\\']) || file.chars().any(char::is_control) || file == ".." {
                return Err(format!("{file:?} is not the name of a file in the same folder"));
            }
            if files.insert(file, number).is_some() {
                return Err(format!("{file} is listed twice"));
            }
            for id in &shard.members {
                if let Some(other) = members.insert(id, file) {
                    return Err(format!("{id} is in both {other} and {file}"));
                }
                let repository = repository_of(id);
                if id != repository && self.shards.iter().any(|shard| shard.members.iter().any(|one| one == repository))
                {
                    return Err(format!("{repository} is listed both as a whole and in slices"));
                }
                // The groups that may see the repository would be unknown.
                if !self.repositories.contains_key(repository_of(id)) {
                    return Err(format!("{id} of {file} belongs to no listed repository"));
                }
            }
        }
        Ok(self)
    }

    /// Returns all served shards, in order.
    pub fn shards(&self) -> &[CatalogShard] {
        &self.shards
    }

    /// Returns the path of a shard.
    pub fn path_of(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    /// Returns the data about a repository.
    pub fn repository(&self, name: &str) -> Option<&CatalogRepository> {
        self.repositories.get(name)
    }

    /// Returns all repositories by name.
    pub fn repositories(&self) -> &BTreeMap<String, CatalogRepository> {
        &self.repositories
    }

    /// Returns the members in a scope that its caller may see, grouped by shard in the catalog's
    /// order; shards without any are omitted.
    ///
    /// # Errors
    /// Returns an error if a glob is invalid.
    pub fn visible(&self, scope: &FleetScope) -> Result<Vec<VisibleShard>> {
        let globs = scope.repositories.iter().map(|pattern| glob(pattern)).collect::<Result<Vec<_>>>()?;
        let sees = |id: &String| {
            let name = repository_of(id);
            let Some(repository) = self.repositories.get(name) else { return false };
            let is_asked = globs.is_empty() || globs.iter().any(|glob| glob.is_match(name));
            repository.is_open_to(&scope.groups) && repository.is_of(&scope.teams) && is_asked
        };
        let shards = self.shards.iter().map(|shard| VisibleShard {
            file: shard.file.clone(),
            path: self.path_of(&shard.file),
            members: shard.members.iter().filter(|id| sees(id)).cloned().collect(),
        });
        Ok(shards.filter(|shard| !shard.members.is_empty()).collect())
    }
}

impl CatalogRepository {
    /// Checks whether one of these groups may see the repository.
    pub fn is_open_to(&self, groups: &[String]) -> bool {
        self.groups.is_empty() || self.groups.iter().any(|group| groups.contains(group))
    }

    /// Checks whether one of these teams owns the repository; true if no teams are given.
    fn is_of(&self, teams: &[String]) -> bool {
        teams.is_empty() || self.team.as_ref().is_some_and(|team| teams.contains(team))
    }
}

/// Compiles a glob of names: `*` matches anything but a slash, `**` matches anything.
fn glob(pattern: &str) -> Result<GlobMatcher> {
    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
    glob.map(|glob| glob.compile_matcher()).map_err(|cause| {
        let what = format!("{pattern:?} is not a valid repository pattern: {}", cause.kind());
        Error::new(Kind::Usage, what, "use a name with * as a wildcard: django*")
    })
}
