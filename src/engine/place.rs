//! Where a person's files lie by the convention of the system: indexes in the cache, settings beside other programs' settings.

use std::path::PathBuf;

/// A folder that each person has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserFolder {
    /// What can be made anew: `XDG_CACHE_HOME`, else `~/.cache`; `~/Library/Caches` on a Mac.
    Cache,
    /// Settings: `XDG_CONFIG_HOME`, else `~/.config`; `~/Library/Application Support` on a Mac.
    Settings,
}

/// Where the program keeps indexes unless told otherwise; none where the system names no cache.
pub fn default_index_dir() -> Option<PathBuf> {
    user_folder(UserFolder::Cache).map(|dir| dir.join("whichfn"))
}

/// A person's folder; none where neither its variable nor `HOME` is set.
pub fn user_folder(folder: UserFolder) -> Option<PathBuf> {
    let (variable, mac, unix) = match folder {
        UserFolder::Cache => ("XDG_CACHE_HOME", "Library/Caches", ".cache"),
        UserFolder::Settings => ("XDG_CONFIG_HOME", "Library/Application Support", ".config"),
    };
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(dir) = set(variable).filter(|dir| dir.is_absolute()) {
        return Some(dir);
    }
    if cfg!(windows) {
        return set("LOCALAPPDATA");
    }
    let home = set("HOME")?;
    Some(home.join(if cfg!(target_os = "macos") { mac } else { unix }))
}
