//! Checks that a fleet gives the same answers as one index, however its repositories are
//! distributed over shards. A missing or hidden repository has no influence, and an answer that
//! lacks a shard reports that.

use super::support::{PLAY, checkout, packed};
use crate::support::env::Env;
use proptest::prelude::*;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use whichfn::fleet::{Catalog, LINES, TypedQuestion, answer_json, ask};
use whichfn_index::index::Options;
use whichfn_index::store::{Fingerprint, Shard};
use whichfn_syntax::lang::Registry;
use whichfn_testing::Case;

/// Twelve small repositories, one for each of eleven languages and one more, each packed into its own
/// shard.
struct Twelve {
    env: Env,
    names: Vec<String>,
}

/// Languages whose fixtures are the repositories of the fleet.
const ELEVEN: [&str; 11] =
    ["c", "cpp", "csharp", "go", "java", "javascript", "php", "python", "ruby", "rust", "typescript"];

fn twelve() -> &'static Twelve {
    static TWELVE: OnceLock<Twelve> = OnceLock::new();
    TWELVE.get_or_init(|| {
        let env = Env::new();
        let mut names: Vec<String> = Vec::new();
        for case in Case::all("lang").iter().filter(|case| ELEVEN.contains(&case.name().as_str())) {
            case.write_to(&env.outside("sources").join(case.name()));
            names.push(case.name());
        }
        checkout(&env, "sources/play", PLAY);
        names.push("play".to_owned());
        Twelve { env, names }
    })
}

impl Twelve {
    fn source(&self, name: &str) -> PathBuf {
        self.env.outside("sources").join(name)
    }

    /// Packs bundles of these repositories into a new folder.
    fn bundled(&self, folder: &str, bundles: &[Vec<&str>]) -> PathBuf {
        let into = self.env.outside(folder);
        for bundle in bundles.iter().filter(|bundle| !bundle.is_empty()) {
            packed(&bundle.iter().map(|name| self.source(name)).collect::<Vec<_>>(), &into, LINES);
        }
        into
    }

    /// Packs all repositories into `shards` shards.
    fn shared_out(&self, shards: usize) -> PathBuf {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        let bundles: Vec<Vec<&str>> = names.chunks(names.len().div_ceil(shards)).map(<[&str]>::to_vec).collect();
        self.bundled(&format!("in-{shards}"), &bundles)
    }
}

/// Returns descriptions, questions, keywords, names, a trace, a message, words that no repository
/// contains, and words that all contain.
fn questions() -> Vec<String> {
    let set = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/questions.jsonl");
    let cases = whichfn::eval::read_cases(&set).expect("questions");
    let others = [
        "Session.renew",
        "session_expire",
        "File \"sound/play.py\", line 5, in play",
        "ValueError: the session has no token",
        "frobnicate the zorgle",
        "tone of a song",
        "test that a session expires",
        "get",
        "Session",
        "sessionExpire",
        "session/token",
        "sound/tone.py",
    ];
    cases.iter().map(|case| case.query.clone()).chain(others.map(str::to_owned)).collect()
}

fn question_of(question: &str) -> TypedQuestion {
    TypedQuestion { question: question.to_owned(), ..TypedQuestion::default() }
}

fn registry() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(|| Registry::builtin().expect("languages"))
}

fn opened(folder: &Path) -> (Catalog, Vec<Shard>) {
    let catalog = Catalog::of_folder(folder).expect("a catalog");
    let wanted = Fingerprint::new(registry().digest(), Options::default().max_size);
    let open = |shard: &whichfn::fleet::CatalogShard| Shard::open(&catalog.path_of(&shard.file), &wanted);
    let shards = catalog.shards().iter().map(|shard| open(shard).expect("a shard")).collect();
    (catalog, shards)
}

/// Returns the answer of a fleet, without times and shards.
fn answered(fleet: &(Catalog, Vec<Shard>), typed: TypedQuestion) -> Value {
    let (catalog, shards) = fleet;
    let typed = typed.read();
    let visible = catalog.visible(&typed).expect("visible");
    let answer = ask(typed.into_question(), &visible, shards, registry()).expect("an answer");
    let missing = answer.shards.as_ref().expect("shards").missing.clone();
    assert_eq!(missing, Vec::<String>::new());
    without_times(answer_json(&answer))
}

fn without_times(mut answer: Value) -> Value {
    for of in ["query_ms", "shards", "index", "root"] {
        answer.as_object_mut().expect("an object").remove(of);
    }
    answer
}

#[test]
fn the_function_with_a_literal_text_is_first() {
    let env = Env::new();
    let named = |name: &str, files: &[(&str, &str)]| checkout(&env, &format!("sources/{name}"), files);
    let folders = [
        named(
            "store",
            &[("store.py", "def load(path):\n    raise ValueError(f\"cannot open {path}: the store is locked\")\n")],
        ),
        named(
            "report",
            &[(
                "open.py",
                "def open_locked_store(path):\n    \"\"\"Opens a locked store, which cannot be open.\"\"\"\n",
            )],
        ),
        named("play", PLAY),
    ];
    for shards in [1, 3] {
        let into = env.outside(format!("literals-{shards}"));
        for folders in folders.chunks(folders.len().div_ceil(shards)) {
            packed(folders, &into, LINES);
        }
        let message = "ValueError: cannot open /etc/app.toml: the store is locked";
        let run = env.run(&["fleet", "ask", "--json", "--shards", &into.to_string_lossy(), message]).found();
        assert_eq!(run.json()["results"][0]["name"], "load", "{shards} shards");
    }
}

#[test]
fn what_a_question_names_exactly_is_first_whatever_its_kind() {
    let env = Env::new();
    let store = "LIMIT = 8\n\n\nclass Store:\n    size = 1\n\n    def save(self, item):\n        return item\n";
    let shop = "def limit_of(store):\n    return store.size\n\n\nclass Limits:\n    pass\n";
    let folders = [
        checkout(&env, "sources/store", &[("store.py", store)]),
        checkout(&env, "sources/shop", &[("shop.py", shop)]),
        checkout(&env, "sources/play", PLAY),
    ];
    for shards in [1, 3] {
        let into = env.outside(format!("names-{shards}"));
        for folders in folders.chunks(folders.len().div_ceil(shards)) {
            packed(folders, &into, LINES);
        }
        let into = into.to_string_lossy();
        for (question, first) in [
            ("Store", "Store"),
            ("LIMIT", "LIMIT"),
            ("limits", "Limits"),
            ("Store.size", "size"),
            ("Store/Save", "save"),
            ("shop.py", "shop.py"),
        ] {
            let found = env.run(&["fleet", "ask", "--json", "--shards", &into, question]).found().json();
            assert_eq!(found["results"][0]["name"], first, "{question} in {shards} shards");
            assert!(found["results"][0]["repository"].is_string(), "{found}");
        }
        let functions = env.run(&["fleet", "ask", "--json", "--shards", &into, "--kind", "function", "LIMIT"]);
        assert_eq!(functions.found().json()["results"][0]["name"], "limit_of", "a kind limits the answer");
    }
}

#[test]
fn the_answer_does_not_depend_on_the_distribution_of_repositories() {
    let fleets = [1, 4, 12].map(|shards| opened(&twelve().shared_out(shards)));
    assert_eq!(fleets.each_ref().map(|(catalog, _)| catalog.shards().len()), [1, 4, 12]);
    for question in questions() {
        let [one, four, each] = fleets.each_ref().map(|fleet| answered(fleet, question_of(&question)));
        assert_eq!(one, four, "{question}");
        assert_eq!(one, each, "{question}");
    }
}

#[test]
fn a_fleet_of_one_repository_answers_as_the_program_does_in_it() {
    let twelve = twelve();
    let fleet = opened(&twelve.shared_out(4));
    // Each question starts the program, so each repository gets only a part of the questions.
    for (number, name) in twelve.names.iter().enumerate() {
        for question in questions().iter().skip(number % 6).step_by(6) {
            let mut ours = answered(&fleet, TypedQuestion { repos: vec![name.clone()], ..question_of(question) });
            let place = twelve.source(name);
            let place = place.to_string_lossy();
            let mut theirs = without_times(twelve.env.run(&["ask", "--json", "-q", question, &place]).json());
            for answer in [&mut ours, &mut theirs] {
                forget(answer, &["repository", "revision", "next"]);
            }
            assert_eq!(ours, theirs, "{name}: {question}");
        }
    }
}

/// Removes keys at any depth.
fn forget(value: &mut Value, keys: &[&str]) {
    match value {
        Value::Object(fields) => {
            fields.retain(|key, _| !keys.contains(&key.as_str()));
            fields.values_mut().for_each(|value| forget(value, keys));
        }
        Value::Array(items) => items.iter_mut().for_each(|value| forget(value, keys)),
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn random_distributions_yield_the_same_answer(shares in prop::collection::vec(0..5usize, 12), at in 0..50usize) {
        let twelve = twelve();
        let mut bundles = vec![Vec::new(); 5];
        for (name, share) in twelve.names.iter().zip(&shares) {
            bundles[*share].push(name.as_str());
        }
        let name: Vec<String> = shares.iter().map(usize::to_string).collect();
        let fleet = opened(&twelve.bundled(&format!("shares-{}", name.join("")), &bundles));
        let whole = opened(&twelve.shared_out(1));
        let questions = questions();
        let question = &questions[at % questions.len()];
        prop_assert_eq!(answered(&fleet, question_of(question)), answered(&whole, question_of(question)));
    }
}

#[test]
fn scopes_apply_before_statistics_are_counted() {
    let twelve = twelve();
    let all = opened(&twelve.shared_out(4));
    let two = opened(&twelve.bundled("two", &[vec!["go", "rust"]]));
    for question in questions().iter().step_by(4) {
        let scoped = answered(&all, question_of(&format!("repo:go repo:rust {question}")));
        let plain = answered(&two, question_of(&question.split_whitespace().collect::<Vec<_>>().join(" ")));
        assert_eq!(scoped["results"], plain["results"], "{question}");
    }
    let by_language = answered(&all, TypedQuestion { languages: vec!["go".into()], ..question_of("session") });
    let languages: BTreeSet<&str> =
        by_language["results"].as_array().expect("results").iter().filter_map(|one| one["language"].as_str()).collect();
    assert_eq!(languages, BTreeSet::from(["go"]));
    let by_path = answered(&all, question_of("path:sound/tone.py tone of a song"));
    assert!(by_path["results"].as_array().expect("results").iter().all(|one| one["path"] == "sound/tone.py"));
}

/// Writes a catalog next to the shards, which allows only one group to see the closed repositories.
fn write_catalog(folder: &Path, closed: &[&str]) {
    let found = Catalog::of_folder(folder).expect("a catalog");
    let shards: Vec<Value> =
        found.shards().iter().map(|shard| serde_json::json!({"file": shard.file, "members": shard.members})).collect();
    let groups = |name: &str| if closed.contains(&name) { vec!["inner"] } else { Vec::new() };
    let repositories: BTreeMap<&String, Value> = found
        .repositories()
        .keys()
        .map(|name| (name, serde_json::json!({"revision": "r1", "groups": groups(name)})))
        .collect();
    let catalog = serde_json::json!({"version": 1, "shards": shards, "repositories": repositories});
    std::fs::write(folder.join("fleet.json"), catalog.to_string()).expect("written");
}

#[test]
fn a_hidden_repository_is_in_no_result_and_no_count() {
    let twelve = twelve();
    let folder = twelve.bundled("hidden", &[vec!["c", "go", "java"], vec!["python", "rust"]]);
    write_catalog(&folder, &["go", "rust"]);
    let closed = opened(&folder);
    let without = opened(&twelve.bundled("without", &[vec!["c"], vec!["java", "python"]]));
    let with = opened(&twelve.bundled("with", &[vec!["c", "go", "java", "python", "rust"]]));
    for question in questions() {
        let seen = answered(&closed, question_of(&question));
        assert_eq!(seen, answered(&without, question_of(&question)), "{question}");
        let inner = TypedQuestion { groups: vec!["inner".into()], ..question_of(&question) };
        assert_eq!(answered(&closed, inner), answered(&with, question_of(&question)), "{question}");
    }
}

#[test]
fn a_missing_shard_is_named_and_the_others_answer() {
    let twelve = twelve();
    let folder = twelve.bundled("gone", &[vec!["c", "go"], vec!["python", "rust"]]);
    let (catalog, mut shards) = opened(&folder);
    shards.retain(|shard| shard.members.iter().any(|member| member.record.id == "python"));
    let rest = opened(&twelve.bundled("rest", &[vec!["python", "rust"]]));
    for question in questions().iter().step_by(5) {
        let typed = question_of(question).read();
        let visible = catalog.visible(&typed).expect("visible");
        let answer = ask(typed.into_question(), &visible, &shards, registry()).expect("an answer");
        let told = answer.shards.clone().expect("shards");
        assert_eq!((told.asked, told.answered, told.missing.len()), (2, 1, 1), "{question}");
        assert_eq!(without_times(answer_json(&answer)), answered(&rest, question_of(question)), "{question}");
    }
}

#[test]
fn the_command_shows_the_repository_of_an_answer() {
    let twelve = twelve();
    let folder = twelve.shared_out(4);
    let folder = folder.to_string_lossy();
    let shown = twelve.env.run(&["fleet", "ask", "--shards", &folder, "the", "tone", "of", "a", "song"]).found();
    assert!(shown.out.starts_with("play/sound/tone.py:1  tone  function"), "{}", shown.out);
    twelve.env.run(&["fleet", "ask", "--shards", &folder, "repo:nowhere", "tone"]).nothing();
    twelve.env.run(&["fleet", "ask", "--shards", &folder, "--lang", "klingon", "tone"]).failed(&["klingon"]);
    twelve.env.run(&["fleet", "ask", "--shards", "nowhere", "tone"]).failed(&["nowhere"]);
}

#[test]
fn a_fleet_reads_an_issue_from_a_file_or_from_standard_input() {
    let twelve = twelve();
    let folder = twelve.shared_out(4);
    let folder = folder.to_string_lossy();
    let file = twelve.env.outside("issue.md");
    std::fs::write(&file, "repo:nowhere\n\nplay(song) has no tone").expect("written");
    let ask = ["fleet", "ask", "--json", "--shards", &folder, "--issue"];
    let place = file.to_string_lossy();
    let from_file = twelve.env.run(&[&ask[..], &[&place]].concat()).json();
    assert_eq!(from_file["asked_as"], "issue");
    assert_eq!(from_file["results"][0]["name"], "play", "a word in an issue is not a scope");
    let piped = twelve.env.run_with(&[&ask[..], &["-"]].concat(), |command| {
        command.write_stdin(std::fs::read(&file).expect("read"));
    });
    assert_eq!(without_times(piped.json()), without_times(from_file));
    twelve.env.run(&[&ask[..], &[&place, "tone"]].concat()).stderr_contains(&["--issue", "cannot be used with"]);
}

#[test]
fn the_latest_pack_is_served_without_a_catalog() {
    let env = Env::new();
    let folder = env.outside("shards");
    let play = checkout(&env, "play", PLAY);
    packed(std::slice::from_ref(&play), &folder, LINES);
    std::thread::sleep(std::time::Duration::from_millis(20));
    std::fs::write(play.join("sound/carillon.py"), "def carillon(bells):\n    return bells\n").expect("written");
    packed(std::slice::from_ref(&play), &folder, LINES);
    let fleet = opened(&folder);
    assert_eq!(fleet.0.shards().len(), 1);
    assert_eq!(answered(&fleet, question_of("carillon"))["results"][0]["path"], "sound/carillon.py");
    packed(&[play], &folder, 3);
    let refused = Catalog::of_folder(&folder).expect_err("whole and in slices");
    assert!(refused.what().contains("whole and in slices"), "{refused}");
}

#[test]
fn a_damaged_member_is_skipped_and_the_others_answer() {
    let twelve = twelve();
    let folder = twelve.bundled("torn", &[vec!["go", "rust"]]);
    let file = std::fs::read_dir(&folder).expect("folder").next().expect("a shard").expect("an entry").path();
    let bytes = std::fs::read(&file).expect("read");
    // The name of the first member's first shown file: the texts of a member follow its links.
    let at = tar_entry(&bytes, "0/texts");
    let mut torn = bytes;
    torn[at..at + 8].iter_mut().for_each(|byte| *byte ^= 0xff);
    std::fs::write(&file, torn).expect("written");
    let alone = opened(&twelve.bundled("rust-alone", &[vec!["rust"]]));
    let (catalog, shards) = opened(&folder);
    for question in questions().iter().step_by(6) {
        let typed = question_of(question).read();
        let visible = catalog.visible(&typed).expect("visible");
        let answer = ask(typed.into_question(), &visible, &shards, registry()).expect("an answer");
        let missing = answer.shards.clone().expect("shards").missing;
        let told = without_times(answer_json(&answer));
        let is_short = told == answered(&alone, question_of(question));
        assert!(missing.is_empty() || is_short && missing[0].ends_with(": go"), "{question}: {missing:?}");
    }
}

/// Returns the offset of the content of a tar entry.
fn tar_entry(bytes: &[u8], name: &str) -> usize {
    let head = bytes.chunks(512).position(|head| head.starts_with(name.as_bytes())).expect("an entry");
    512 * (head + 1)
}
