//! Locations of a user's files by the convention of the system: indexes in the cache, settings
//! among the settings of other programs.

use std::path::PathBuf;

/// A folder that each user has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserFolder {
    /// Data that can be rebuilt: `XDG_CACHE_HOME`, else `~/.cache`; `~/Library/Caches` on macOS.
    Cache,
    /// Settings: `XDG_CONFIG_HOME`, else `~/.config`; `~/Library/Application Support` on macOS.
    Settings,
}

/// Returns the default folder for indexes; `None` if the system specifies no cache folder.
pub fn default_index_dir() -> Option<PathBuf> {
    user_folder(UserFolder::Cache).map(|dir| dir.join("whichfn"))
}

/// Returns a folder of the user; `None` if neither its variable nor `HOME` is set.
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
