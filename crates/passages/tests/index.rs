//! The index follows the files, whatever happens to its folder.

use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use whichfn_passages::{FileText, PassageHit, PassageIndex, PassageQuery, TextFile};

/// Texts of files, indexed by path, and a folder for their index.
pub struct Texts {
    files: BTreeMap<String, String>,
    folder: tempfile::TempDir,
}

impl Texts {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        Self { files, folder: tempfile::tempdir().expect("no error") }
    }

    fn listed(&self) -> Vec<TextFile> {
        let hash =
            |text: &str| text.bytes().fold(7, |hash: u128, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
        self.files.iter().map(|(path, text)| TextFile { path: path.clone(), hash: hash(text) }).collect()
    }

    pub fn open(&self) -> PassageIndex {
        self.open_in(&self.folder.path().join("text"))
    }

    /// Returns the best passages for a query.
    pub fn search(&self, index: &PassageIndex, query: &PassageQuery, limit: usize) -> Vec<PassageHit> {
        index.search(query, limit, &|_| true, &|path| self.files.get(path).cloned()).expect("no error")
    }

    fn open_in(&self, folder: &Path) -> PassageIndex {
        let read = |path: &str| Some(FileText { text: self.files.get(path)?.clone(), is_cut: false });
        PassageIndex::open(folder, &self.listed(), &read, &|_, _| {}).expect("no error")
    }
}

fn answers(index: &PassageIndex, texts: &Texts) -> Vec<String> {
    let queries = ["red blue", "green", "\"red blue\" OR docs", "bl* path:a"]
        .map(|query| PassageQuery::parse(query).expect("no error"));
    let hits = queries.iter().flat_map(|query| texts.search(index, query, 20));
    hits.map(|hit| format!("{hit:?}")).collect()
}

#[test]
fn only_changed_files_are_read_again() {
    let mut texts = Texts::new(&[("a.md", "red"), ("b.md", "blue"), ("c.md", "green")]);
    assert_eq!(texts.open().refreshed_files, 3);
    assert_eq!(texts.open().refreshed_files, 0);
    texts.files.insert("b.md".to_owned(), "red and blue".to_owned());
    texts.files.remove("c.md");
    let index = texts.open();
    assert_eq!((index.refreshed_files, index.len()), (1, 2));
}

#[test]
fn a_damaged_index_is_rebuilt() {
    let texts = Texts::new(&[("a.md", "red"), ("b.md", "blue red")]);
    let expected = answers(&texts.open(), &texts);
    let folder = texts.folder.path().join("text");
    let kept = texts.folder.path().join("kept");
    fs::rename(&folder, &kept).expect("no error");
    for entry in fs::read_dir(&kept).expect("no error").flatten() {
        let bytes = fs::read(entry.path()).expect("no error");
        let half = bytes[..bytes.len() / 2].to_vec();
        for damaged in [Some(half), Some(b"x".repeat(bytes.len())), Some(Vec::new()), None] {
            fs::remove_dir_all(&folder).ok();
            fs::create_dir(&folder).expect("no error");
            fs::read_dir(&kept).expect("no error").flatten().for_each(|one| {
                fs::copy(one.path(), folder.join(one.file_name())).expect("no error");
            });
            let file = folder.join(entry.file_name());
            match &damaged {
                Some(bytes) => fs::write(&file, bytes).expect("no error"),
                None => fs::remove_file(&file).expect("no error"),
            }
            assert_eq!(answers(&texts.open(), &texts), expected, "{file:?}");
        }
    }
}

#[test]
fn a_file_in_the_place_of_another_is_noticed() {
    let texts = Texts::new(&[("a.md", "red"), ("b.md", "blue red"), ("docs/c.md", "# Green\ngreen and blue")]);
    let expected = answers(&texts.open(), &texts);
    let folder = texts.folder.path().join("text");
    let part = |ending: &str| {
        let mut files = fs::read_dir(&folder).expect("no error").flatten().map(|one| one.path());
        files.find(|path| path.extension().is_some_and(|own| own == ending)).expect("a part of a segment")
    };
    let endings = ["fieldnorm", "pos", "idx", "store", "fast", "term"];
    for (place, content) in endings.iter().flat_map(|place| endings.iter().map(move |content| (place, content))) {
        if place != content {
            fs::copy(part(content), part(place)).expect("no error");
            assert_eq!(answers(&texts.open(), &texts), expected, "{content:?} in place of {place:?}");
            assert_eq!(texts.open().refreshed_files, 0, "it is built again only once");
        }
    }
}

#[test]
fn a_rebuilt_index_answers_like_before() {
    let texts = Texts::new(&[("a.md", "red"), ("b.md", "blue red")]);
    let expected = answers(&texts.open(), &texts);
    let read = |path: &str| Some(FileText { text: texts.files.get(path)?.clone(), is_cut: false });
    let folder = texts.folder.path().join("text");
    let rebuilt = PassageIndex::rebuild(&folder, &texts.listed(), &read, &|_, _| {}).expect("no error");
    assert_eq!((rebuilt.refreshed_files, answers(&rebuilt, &texts)), (2, expected));
}

#[test]
fn an_up_to_date_index_is_only_read() {
    let texts = Texts::new(&[("a.md", "red"), ("b.md", "blue red")]);
    texts.open();
    let listed = || -> BTreeMap<_, _> {
        let entries = fs::read_dir(texts.folder.path().join("text")).expect("no error").flatten();
        entries.map(|one| (one.path(), fs::read(one.path()).expect("no error"))).collect()
    };
    let before = listed();
    // Neither the program's lock nor one of tantivy's is created.
    fs::remove_file(texts.folder.path().join("text/LOCK")).expect("no error");
    assert_eq!(texts.open().refreshed_files, 0);
    let after = listed();
    assert!(before.iter().filter(|(path, _)| !path.ends_with("LOCK")).eq(after.iter()));
}

#[test]
fn without_a_folder_the_index_is_in_memory() {
    let texts = Texts::new(&[("a.md", "red"), ("b.md", "blue red")]);
    let expected = answers(&texts.open(), &texts);
    // A file in place of the parent folder: it can be neither read nor created, even by root.
    fs::write(texts.folder.path().join("file"), "").expect("no error");
    assert_eq!(answers(&texts.open_in(&texts.folder.path().join("file/text")), &texts), expected);
}

#[test]
fn processes_may_update_the_index_at_the_same_time() {
    let texts = Texts::new(&[("a.md", "red"), ("b.md", "blue red")]);
    let expected = answers(&texts.open_in(&texts.folder.path().join("other")), &texts);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..5).for_each(|_| assert_eq!(answers(&texts.open(), &texts), expected)));
        }
    });
}

#[test]
fn a_file_that_changed_meanwhile_is_left_out() {
    let texts = Texts::new(&[("a.md", "red"), ("b.md", "blue")]);
    let read = |path: &str| (path == "a.md").then(|| FileText { text: "red".to_owned(), is_cut: false });
    let folder = texts.folder.path().join("text");
    let index = PassageIndex::open(&folder, &texts.listed(), &read, &|_, _| {}).expect("no error");
    assert_eq!(index.len(), 1);
    assert_eq!(texts.open().refreshed_files, 1);
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_the_index() {
    use std::os::unix::fs::PermissionsExt;
    let texts = Texts::new(&[("a.md", "red")]);
    texts.open();
    let folder = texts.folder.path().join("text");
    let mode = |path: &Path| fs::metadata(path).expect("no error").permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    for entry in fs::read_dir(&folder).expect("no error").flatten() {
        assert_eq!(mode(&entry.path()), 0o600, "{:?}", entry.path());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]
    /// After any edits, the answers are those of an index that is built from scratch.
    #[test]
    fn an_updated_index_answers_like_a_new_one(
        edits in prop::collection::vec((0..6_usize, prop::option::of("(# )?((red|blue|green|docs) ?\n?){1,12}")), 1..14)
    ) {
        let mut texts = Texts::new(&[("a.md", "red blue"), ("b/a.md", "# green\nred")]);
        for (file, text) in edits {
            let path = format!("{}.md", ["a", "b/a", "docs/c", "d", "e", "f"][file]);
            match text {
                Some(text) => drop(texts.files.insert(path, text)),
                None => drop(texts.files.remove(&path)),
            }
            let updated = answers(&texts.open(), &texts);
            let fresh = tempfile::tempdir().expect("no error");
            prop_assert_eq!(updated, answers(&texts.open_in(&fresh.path().join("text")), &texts));
        }
    }
}
