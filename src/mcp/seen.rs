//! The code that a session has already shown, so that repeated questions do not repeat it.
//!
//! **Invariant:** only code that was requested by a question is left out. `show` always prints.

use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use std::path::Path;

/// The functions whose code a session has shown.
#[derive(Debug, Default)]
pub(super) struct SeenCode(FxHashSet<u64>);

impl SeenCode {
    /// Notes that the whole code of a function was shown. Code that changes counts as new.
    pub(super) fn add(&mut self, root: &Path, path: &str, code: &[String]) {
        self.0.insert(hash(root, path, code));
    }

    /// Checks whether the whole code of a function was shown.
    pub(super) fn contains(&self, root: &Path, path: &str, code: &[String]) -> bool {
        self.0.contains(&hash(root, path, code))
    }
}

fn hash(root: &Path, path: &str, code: &[String]) -> u64 {
    let mut hasher = FxHasher::default();
    (root, path, code).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_code_is_new() {
        let (mut seen, root) = (SeenCode::default(), Path::new("/app"));
        seen.add(root, "a.py", &["x = 1".to_owned()]);
        assert!(seen.contains(root, "a.py", &["x = 1".to_owned()]));
        assert!(!seen.contains(root, "a.py", &["x = 2".to_owned()]));
        assert!(!seen.contains(root, "b.py", &["x = 1".to_owned()]));
    }
}
