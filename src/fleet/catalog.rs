//! The catalog of a fleet: the shard from which each member is served, and the groups that may see
//! it.
//!
//! Members that are not listed are not served: a member that is stored in a shard but not listed
//! for it has been replaced by a member in a later shard. Permissions are resolved here, before
//! anything is counted or ranked.

use super::name::{check_name, repository_of};
use super::typed_question::TypedQuestion;
use globset::{GlobBuilder, GlobMatcher};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use whichfn_index::store::{MemberRecord, SHARD_SUFFIX, Shard};
use whichfn_search::answer::RepositoryOf;
use whichfn_system::error::{Error, Kind, Result};
use whichfn_system::untrusted::open_regular;

/// File name of a catalog in a folder of shards.
pub const CATALOG: &str = "fleet.json";
const VERSION: u32 = 1;

/// A shard that is served.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CatalogShard {
    /// File name of the shard in the catalog's folder.
    pub file: String,
    /// Ids of the members that are served from the shard.
    pub members: Vec<String>,
}

/// Data about a repository in addition to its index.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CatalogRepository {
    /// Revision that is served; empty if unknown.
    pub revision: String,
    /// The team that owns the repository.
    pub team: Option<String>,
    /// Groups whose members may see the repository; if empty, every caller may see it.
    pub groups: Vec<String>,
    /// Number of lines in all files.
    pub lines: u64,
    /// Number of indexed files.
    pub files: u64,
    /// Number of functions, methods and macros.
    pub functions: u64,
}

/// A validated catalog: each member is listed once, and belongs to a listed repository.
#[derive(Debug, Clone)]
pub struct Catalog {
    folder: PathBuf,
    shards: Vec<CatalogShard>,
    repositories: BTreeMap<String, CatalogRepository>,
    /// Files in the folder that should be shards but cannot be read, with the errors; empty if a
    /// catalog file exists.
    pub unreadable: Vec<(String, Error)>,
}

/// The visible part of a shard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisibleShard {
    /// Its file name.
    pub file: String,
    /// Its visible members, in the catalog's order; never empty.
    pub members: Vec<VisibleMember>,
}

/// A visible member of a shard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisibleMember {
    /// Id of the member.
    pub id: String,
    /// Repository and revision of the member.
    pub origin: RepositoryOf,
}

#[derive(Deserialize)]
struct CatalogFile {
    version: u32,
    shards: Vec<CatalogShard>,
    #[serde(default)]
    repositories: BTreeMap<String, CatalogRepository>,
}

/// Returns the paths of the shards in a folder.
fn shards_of(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).map_err(|cause| Error::io(Kind::Path, "read", folder, &cause))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == SHARD_SUFFIX) && path.is_file());
    if files.is_empty() {
        let what = format!("{} contains no shards", folder.display());
        return Err(Error::new(
            Kind::Path,
            what,
            "pack repositories into it, or pass the folder that contains the shards",
        ));
    }
    files.sort();
    Ok(files)
}

impl Catalog {
    /// Reads the catalog in a folder of shards.
    ///
    /// Without a catalog file, all members of all shards are visible to all callers. If a
    /// repository was packed more than once, the member in the newest shard is served.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Self::read`], if the folder cannot be read or
    /// contains no shards, or if a repository in slices was packed more than once.
    pub fn of_folder(folder: &Path) -> Result<Self> {
        let catalog = folder.join(CATALOG);
        if catalog.symlink_metadata().is_ok() {
            return Self::read(&catalog);
        }
        let mut found = Self {
            folder: folder.to_owned(),
            shards: Vec::new(),
            repositories: BTreeMap::new(),
            unreadable: Vec::new(),
        };
        let mut listed: Vec<(Option<SystemTime>, String, Vec<MemberRecord>)> = Vec::new();
        for path in shards_of(folder)? {
            let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let modified = path.metadata().and_then(|meta| meta.modified()).ok();
            match Shard::list(&path) {
                Ok(members) => listed.push((modified, file, members)),
                Err(error) => found.unreadable.push((file, error)),
            }
        }
        // The newest shard that contains a repository serves it.
        listed.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
        let mut served: BTreeMap<String, usize> = BTreeMap::new();
        for (number, (.., members)) in listed.iter().enumerate() {
            let unsliced = members.iter().filter(|member| member.id == member.repository);
            served.extend(unsliced.map(|member| (member.id.clone(), number)));
        }
        for (number, (.., members)) in listed.iter_mut().enumerate() {
            members.retain(|member| served.get(&member.id).is_none_or(|&last| last == number));
        }
        listed.sort_by(|a, b| a.1.cmp(&b.1));
        for (_, file, members) in listed {
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
        // Another user may have written to the folder. Only a regular file is read, because reading
        // a pipe could block.
        let text = open_regular(path).and_then(std::io::read_to_string);
        let text = text.map_err(|cause| Error::io(Kind::Usage, "read", path, &cause))?;
        let wrong = |what: &str| {
            let next = "correct the catalog, or generate it again";
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
                // Its groups would be unknown.
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

    /// Returns the members that are in the scopes of a question and visible to the client, grouped
    /// by shard in the catalog's order.
    ///
    /// # Errors
    /// Returns an error if a glob for repository names is invalid.
    pub fn visible(&self, question: &TypedQuestion) -> Result<Vec<VisibleShard>> {
        let globs = question.repos.iter().map(|pattern| glob(pattern)).collect::<Result<Vec<_>>>()?;
        let visible = |id: &String| {
            let name = repository_of(id);
            let repository = self.repositories.get(name)?;
            let is_in_scope = globs.is_empty() || globs.iter().any(|glob| glob.is_match(name));
            let origin = RepositoryOf { repository: name.to_owned(), revision: repository.revision.clone() };
            (repository.is_open_to(&question.groups) && repository.is_of(&question.teams) && is_in_scope)
                .then(|| VisibleMember { id: id.clone(), origin })
        };
        let shards = self.shards.iter().map(|shard| VisibleShard {
            file: shard.file.clone(),
            members: shard.members.iter().filter_map(visible).collect(),
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

/// Compiles a glob for names: `*` matches anything but a slash, `**` matches anything.
fn glob(pattern: &str) -> Result<GlobMatcher> {
    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
    glob.map(|glob| glob.compile_matcher()).map_err(|cause| {
        let what = format!("{pattern:?} is not a valid repository pattern: {}", cause.kind());
        Error::new(Kind::Usage, what, "use a name with * as a wildcard: django*")
    })
}
