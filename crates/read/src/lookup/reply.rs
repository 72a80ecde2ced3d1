//! Finds the functions that a model's reply names, in revisions and in plain lists.
//!
//! **Invariant:** a name resolves to a function that was shown, or to no function.

use super::candidates::Candidates;
use super::offline::CANDIDATES;
use whichfn_memory::{Path, PathPart, Rejection, RejectionReason, Revision};

/// Returns the key of the candidate that a path refers to.
pub(super) fn candidate_key(path: &Path) -> Option<&str> {
    match path.parts() {
        [PathPart::Key(attribute), PathPart::Key(key), ..] if attribute == CANDIDATES => Some(key),
        _ => None,
    }
}

/// Returns a revision under the key with which its function was shown. Rejects the revision if the
/// function was not shown.
pub(super) fn known(candidates: &Candidates<'_>, revision: Revision) -> std::result::Result<Revision, Rejection> {
    let refuse = |message: &str| Rejection {
        what: revision.path.to_string(),
        reason: RejectionReason::Place,
        message: message.to_owned(),
    };
    let Some(key) = candidate_key(&revision.path) else {
        return Err(refuse("the path must name one function: $.candidate_functions['NAME']"));
    };
    let Some(id) = candidates.find(key) else {
        return Err(refuse("either no function or several functions with this name were shown"));
    };
    let parts = revision.path.parts().iter().enumerate();
    let name = candidates.key(id).unwrap_or_default();
    let path = parts.map(|(at, part)| if at == 1 { PathPart::Key(name.clone()) } else { part.clone() }).collect();
    Ok(Revision { path, ..revision })
}

/// Returns the keys that a reply contains, in the order of the reply and without repetitions.
pub(super) fn named(reply: &str, keys: &[String]) -> Vec<String> {
    let mut longest_first: Vec<&String> = keys.iter().collect();
    longest_first.sort_by_key(|key| std::cmp::Reverse(key.len()));
    let (mut left, mut places) = (reply.to_owned(), Vec::new());
    for key in longest_first {
        let is_whole = |at: usize| {
            let part = |c: char| c.is_alphanumeric() || c == '_';
            !left[..at].ends_with(part) && !left[at + key.len()..].starts_with(part)
        };
        let found = left.match_indices(key.as_str()).map(|(at, _)| at).find(|&at| is_whole(at));
        places.extend(found.map(|at| (at, key)));
        // Mask the longer name, so that `a.rs:new` inside `lib/a.rs:new` does not match.
        left = left.replace(key.as_str(), &"_".repeat(key.len()));
    }
    places.sort();
    places.into_iter().map(|(_, key)| key.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rustc_hash::FxHashSet;

    #[test]
    fn returns_names_in_the_order_of_the_reply() {
        let keys = ["a.rs:new", "lib/a.rs:new", "renew", "new"].map(str::to_owned);
        for (reply, expected) in [
            (r#"["renew", "lib/a.rs:new", "a.rs:new"]"#, &["renew", "lib/a.rs:new", "a.rs:new"][..]),
            ("lib/a.rs:new, and of course lib/a.rs:new; renew", &["lib/a.rs:new", "renew"]),
            ("renewal, new_one, anew", &[]),
            ("1. `new`\n2. `renew`\n3. `new`", &["new", "renew"]),
            ("", &[]),
        ] {
            assert_eq!(named(reply, &keys), expected, "{reply}");
        }
    }

    proptest! {
        #[test]
        fn returns_only_known_keys_once(
            reply in "[ab./:é \"]{0,60}",
            keys in prop::collection::btree_set("[ab./:é]{1,4}", 0..8),
        ) {
            let keys: Vec<String> = keys.into_iter().collect();
            let mut named = named(&reply, &keys);
            let count = named.len();
            named.sort();
            named.dedup();
            prop_assert_eq!(named.len(), count);
            prop_assert!(named.iter().all(|name| keys.contains(name) && reply.contains(name.as_str())));
        }

        /// Keys that are not part of one another, as in a JSON list, are all read in order.
        #[test]
        fn reads_a_json_list(mut numbers in prop::collection::vec(0..30u8, 0..12)) {
            let keys: Vec<String> = (0..30).map(|n| format!("src/{n}.rs:Type.new_{n}")).collect();
            let reply = serde_json::json!(numbers.iter().map(|&n| &keys[n as usize]).collect::<Vec<_>>()).to_string();
            let mut seen = FxHashSet::default();
            numbers.retain(|&n| seen.insert(n));
            let expected: Vec<String> = numbers.iter().map(|&n| keys[n as usize].clone()).collect();
            prop_assert_eq!(named(&reply, &keys), expected);
        }
    }
}
