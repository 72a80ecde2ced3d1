//! Locates the user's folders by the conventions of the operating system: the cache for indexes,
//! and the folder for settings.

use std::path::PathBuf;

/// A kind of folder that each user has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserFolder {
    /// Folder for data that can be rebuilt: `XDG_CACHE_HOME`, or else `~/.cache`
    /// (`~/Library/Caches` on macOS).
    Cache,
    /// Folder for data that cannot be rebuilt without the network: `XDG_DATA_HOME`, or else
    /// `~/.local/share` (`~/Library/Application Support` on macOS).
    Data,
    /// Folder for settings: `XDG_CONFIG_HOME`, or else `~/.config` (`~/Library/Application Support`
    /// on macOS).
    Settings,
}

/// Returns the default folder for indexes, or `None` if the system specifies no cache folder.
pub fn default_index_dir() -> Option<PathBuf> {
    user_folder(UserFolder::Cache).map(|dir| dir.join("whichfn"))
}

/// Returns the path of a user folder, or `None` if the environment variables that determine it are
/// not set.
pub fn user_folder(folder: UserFolder) -> Option<PathBuf> {
    let (variable, mac, unix) = match folder {
        UserFolder::Cache => ("XDG_CACHE_HOME", "Library/Caches", ".cache"),
        UserFolder::Data => ("XDG_DATA_HOME", "Library/Application Support", ".local/share"),
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
