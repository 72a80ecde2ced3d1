//! Path words that name the operating system or processor that a file is for. The names are in
//! `platforms.txt`.

use std::collections::BTreeSet;

/// Returns the words of a path, in order, without the names of operating systems and processors.
pub fn without_platform(path: &str) -> impl Iterator<Item = &str> {
    words(path).filter(|word| platform(word).is_none())
}

/// Returns the operating systems and processors that a path names.
pub fn platforms_of(path: &str) -> BTreeSet<&'static str> {
    words(path).filter_map(platform).collect()
}

/// Returns the operating systems and processors that a path names, each as one bit.
pub fn platform_bits(path: &str) -> u128 {
    let bit = |word| all().position(|platform| platform.eq_ignore_ascii_case(word)).map_or(0, |at| 1 << (at % 128));
    words(path).map(bit).fold(0, |bits, bit| bits | bit)
}

fn words(path: &str) -> impl Iterator<Item = &str> {
    path.split(|c: char| !c.is_alphanumeric())
}

fn platform(word: &str) -> Option<&'static str> {
    all().find(|platform| platform.eq_ignore_ascii_case(word))
}

fn all() -> impl Iterator<Item = &'static str> {
    let lines = include_str!("platforms.txt").lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_systems_and_processors_in_paths() {
        assert_eq!(without_platform("src/Unix/tcp-x86.h").collect::<Vec<_>>(), ["src", "tcp", "h"]);
        assert_eq!(platforms_of("src/Unix/tcp-x86.h"), BTreeSet::from(["unix", "x86"]));
        assert_eq!(platform_bits("src/Unix/tcp-x86.h"), platform_bits("unix") | platform_bits("x86"));
        assert_eq!(platform_bits("src/tcp.h"), 0);
        assert!(all().count() <= 128, "each platform has a bit of its own");
    }
}
