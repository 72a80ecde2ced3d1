//! Tests embeddings: their storage in the index, their update after a change and their effect on
//! the results. A model that hashes words replaces a real one. The last test runs a real model if
//! the environment names one.

#![allow(clippy::print_stderr)] // prints what it skips

use crate::support::env::{Env, entries};
use serde_json::Value;
use std::path::PathBuf;
use whichfn::engine::Engine;
use whichfn_index::embed::{Choice, EmbedModel, HASHED};
use whichfn_index::index::{Options, Silent, embed, embedded_by};
use whichfn_index::store::{FileEmbeddings, Layout, embedding_key, embeddings_bytes, made_by};
use whichfn_search::relation::{FragmentUnit, Fragments, Relation, Semantic};
use whichfn_syntax::ids::{DefinitionId, FragmentId};

const OTHER: &str = "test:hash-other";
const DATES: &str = r#"def parse_date(text):
    """Read a day."""
    return text


def show_date(day):
    return str(day)
"#;
const MONEY: &str = r#"def round_coins(cents):
    """Round money to whole coins."""
    return cents
"#;
/// A word that is too long for the word index, so that only an embedding finds it.
const LONG: &str = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghij";

fn choice(model: &str) -> Choice {
    Choice { model: model.to_owned(), ort_dylib: None, downloads: PathBuf::new(), progress: false }
}

fn options(model: &str) -> Options {
    Options { embed: Some(choice(model)), ..Options::default() }
}

/// A repository and its indexes.
struct Place {
    home: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Self { home: tempfile::tempdir().expect("folder") };
        place.write("dates.py", DATES);
        place.write("money.py", MONEY);
        place.write("notes.md", "# No function here\n");
        place
    }

    fn root(&self) -> PathBuf {
        self.home.path().canonicalize().expect("folder").join("repo")
    }

    fn index(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    fn write(&self, path: &str, text: &str) {
        std::fs::create_dir_all(self.root().join(path).parent().expect("parent")).expect("directory");
        std::fs::write(self.root().join(path), text).expect("written");
    }

    fn open(&self, index: &str, options: &Options) -> Engine {
        Engine::open(&self.root(), &self.index(index), options, &Silent).expect("index")
    }

    /// Returns the number of functions that a refresh embeds.
    fn embeds(&self, model: &str) -> usize {
        self.open("index", &options(model)).status().report.embedded
    }

    /// Returns the bytes of the vectors of an index.
    fn stored(&self, engine: &Engine) -> Vec<u8> {
        std::fs::read(engine.generation().folder().join("embeddings")).expect("embeddings")
    }
}

// ---- storage

#[test]
fn a_refreshed_index_has_the_vectors_of_a_rebuilt_one() {
    let place = Place::new();
    let edits: [(&str, &str); 5] = [
        ("money.py", "def round_coins(cents):\n    return cents // 5\n"),
        ("deep/more.rs", "/// Splits a text.\npub fn split(text: &str) {}\n"),
        ("aaa.py", DATES),
        ("money.py", "# nothing\n"),
        (
            "dates.py",
            r"
# moved

def show_date(day):
    return str(day)
",
        ),
    ];
    for (path, text) in edits {
        place.write(path, text);
        let refreshed = place.open("refreshed", &options(HASHED));
        let anew = place.open("anew", &Options { force: true, ..options(HASHED) });
        assert_eq!(place.stored(&refreshed), place.stored(&anew), "after {path}");
    }
    std::fs::remove_file(place.root().join("aaa.py")).expect("removed");
    let refreshed = place.open("refreshed", &options(HASHED));
    assert_eq!(place.stored(&refreshed), place.stored(&place.open("new", &options(HASHED))), "after a removal");
}

#[test]
fn only_what_changed_is_embedded() {
    let place = Place::new();
    assert_eq!(place.embeds(HASHED), 3, "all");
    assert_eq!(place.embeds(HASHED), 0, "nothing changed");
    place.write("money.py", "def round_coins(cents):\n    return cents // 5\n");
    assert_eq!(place.embeds(HASHED), 1, "those of the changed file");
    place.write("notes.md", "# Still no function here\n");
    assert_eq!(place.embeds(HASHED), 0, "a file without functions");
}

#[test]
fn another_model_adds_its_own_vectors() {
    let place = Place::new();
    let one = place.open("index", &options(HASHED));
    let other = place.open("index", &options(OTHER));
    assert_eq!(other.status().report.embedded, 3);
    assert_eq!(other.status().report.parsed, 0, "no file is read for it");
    assert_eq!(one.generation().folder(), other.generation().folder(), "the same generation");
    assert_ne!(
        EmbedModel::find(&choice(HASHED)).expect("model").digest(),
        EmbedModel::find(&choice(OTHER)).expect("model").digest()
    );
    let vectors = other.generation().embeddings.as_ref().expect("vectors");
    assert_eq!((vectors.model(), vectors.count()), (OTHER, 3));
    assert_eq!(place.embeds(HASHED), 3, "and back");
}

#[test]
fn indexing_without_a_model_keeps_existing_vectors() {
    let place = Place::new();
    let plain = place.open("index", &Options::default());
    assert!(!plain.generation().folder().join("embeddings").exists());
    assert!(plain.generation().embeddings.is_none() && plain.status().embedded.is_none());
    assert_eq!(place.embeds(HASHED), 3);
    place.write("money.py", "def round_coins(cents):\n    return cents // 5\n");
    assert_eq!(place.open("index", &Options::default()).status().report.parsed, 1);
    assert_eq!(place.embeds(HASHED), 1, "a refresh without a model takes the vectors along");
}

#[test]
fn an_interrupted_embedding_continues() {
    let place = Place::new();
    let engine = place.open("index", &options(HASHED));
    let (generation, whole) = (engine.generation(), place.stored(&engine));
    let vectors = generation.embeddings.as_ref().expect("vectors");
    let keys = generation.manifest.files.iter().map(embedding_key);
    // Keeps two of the three files: the file with two functions, and the file without functions.
    let kept = |at: usize| -> Option<FileEmbeddings> { (at != 1).then(|| vectors.rows(at)) };
    let files: Vec<_> = keys.enumerate().map(|(at, key)| (key, kept(at))).collect();
    let digest = EmbedModel::find(&choice(HASHED)).expect("model").digest();
    let torn = embeddings_bytes(made_by(digest, 1), HASHED, vectors.dimensions(), &files);
    generation.write_embeddings(&torn).expect("written");
    let again = place.open("index", &options(HASHED));
    assert_eq!(again.status().report.embedded, 1);
    assert_eq!(place.stored(&again), whole);
}

#[test]
fn truncated_vectors_are_computed_again() {
    let place = Place::new();
    let engine = place.open("index", &options(HASHED));
    let whole = place.stored(&engine);
    for torn in [&whole[..whole.len() / 2], b"", b"something else"] {
        engine.generation().write_embeddings(torn).expect("written");
        let again = place.open("index", &options(HASHED));
        assert_eq!((again.status().report.embedded, place.stored(&again)), (3, whole.clone()));
    }
}

#[test]
fn a_file_that_changes_during_embedding_is_embedded_next_time() {
    let place = Place::new();
    let plain = place.open("index", &Options::default());
    let model = EmbedModel::find(&choice(HASHED)).expect("model");
    place.write("money.py", "def round_coins(cents):\n    return cents // 5\n");
    let layout = Layout::new(&place.index("index"), &place.root());
    let generation =
        whichfn_index::store::Generation::open(&layout, &plain.generation().manifest.fingerprint).expect("generation");
    let (generation, done) = embed(&place.root(), &layout, generation, &model, false, &Silent).expect("embedded");
    assert_eq!(done, 2, "the other file's");
    assert!(!embedded_by(&model, &generation).expect("vectors").is_complete(&generation.manifest));
    assert_eq!(place.embeds(HASHED), 1);
}

// ---- effect on ranking

#[test]
fn semantic_weights_are_cosines() {
    let place = Place::new();
    let engine = place.open("index", &options(HASHED));
    let (graph, vectors) = (&engine.generation().graph, engine.generation().embeddings.as_ref().expect("vectors"));
    let functions: Vec<DefinitionId> = graph.file_ids().flat_map(|file| graph.functions_of(file)).collect();
    let fragments = Fragments::new(graph, FragmentUnit::Definition);
    let relation = Semantic::new(&fragments, vectors);
    for &one in &functions {
        let row = relation.row(fragments.of_definition(one));
        assert!(row.windows(2).all(|two| two[0].0 < two[1].0));
        assert!((relation.own(fragments.of_definition(one)) - 1.0).abs() < 1e-6);
        for &other in &functions {
            let [a, b] = [one, other].map(|id| vectors.definition_row(graph, id).expect("row"));
            let weight =
                row.iter().find(|(at, _)| fragments.definition(*at) == other).map_or(0.0, |(_, weight)| *weight);
            assert!((weight - a.cosine_with(&b).max(0.0)).abs() < 1e-12);
            let back = relation.row(fragments.of_definition(other));
            let back = back.iter().find(|(at, _)| fragments.definition(*at) == one).map_or(0.0, |(_, weight)| *weight);
            assert_eq!(weight, back, "symmetric");
        }
    }
    assert_eq!(relation.row(FragmentId(0)), [], "a file has no vector");
    let mut alone = Fragments::new(graph, FragmentUnit::Definition);
    alone.members = (0..fragments.count()).map(|at| at == functions[0].index()).collect();
    assert_eq!(
        Semantic::new(&alone, vectors).row(fragments.of_definition(functions[0])).len(),
        1,
        "only members count"
    );
}

#[test]
fn vectors_are_those_of_the_texts() {
    let place = Place::new();
    let engine = place.open("index", &options(HASHED));
    let graph = &engine.generation().graph;
    let vectors = engine.generation().embeddings.as_ref().expect("vectors");
    let model = EmbedModel::find(&choice(HASHED)).expect("model");
    let text = "round coins\ndef round_coins(cents):\n    \"\"\"Round money to whole coins.\"\"\"\n    return cents";
    let wanted = model.embed(&[text], false).expect("vector");
    let (_, row) = vectors.all(graph).last().expect("round_coins");
    assert!(row.cosine(&wanted[0]) > 0.999, "{}", row.cosine(&wanted[0]));
}

// ---- output

fn shop() -> Env {
    let far = format!("def hidden(x):\n    return {LONG}\n");
    Env::with(&[("dates.py", DATES), ("money.py", MONEY), ("far.py", &far)])
}

fn scores(result: &Value) -> [Option<f64>; 4] {
    let of = |name: &str| result["scores"][name].as_f64();
    [result["score"].as_f64(), of("independent"), of("environment"), of("semantic")]
}

/// Three functions with the words of [`CLOSE_QUESTION`], whose scores are close.
const CLOSE: &str = "
def first(file):
    return read(file, size)


def second(file):
    return file.size(read)


def third(name):
    return size(file(read(name)))
";
const CLOSE_QUESTION: &str = "where is the size of a file read";

#[test]
fn close_answers_are_reordered_by_standardized_cosines() {
    let env = Env::with(&[("rows.py", CLOSE)]);
    let ask = |more: &[&str]| env.run(&[&[CLOSE_QUESTION, "--jsonl"], more].concat()).found().json_lines();
    let (without, with) = (ask(&[]), ask(&["--embed", HASHED]));
    for line in &with {
        let [Some(score), Some(independent), Some(environment), Some(_)] = scores(line) else { panic!("{line}") };
        assert!((score - independent - environment).abs() < 1e-3, "{line}");
    }
    let of =
        |rows: &[Value], at: usize| rows.iter().map(|row| scores(row)[at].expect("a number")).collect::<Vec<f64>>();
    let sum = |rows: &[Value]| of(rows, 0).iter().sum::<f64>();
    assert_ne!(of(&without, 0), of(&with, 0));
    assert!((sum(&without) - sum(&with)).abs() < 1e-2, "standardized cosines add up to zero");
    let explained = env.run(&[CLOSE_QUESTION, "--embed", HASHED, "--explain"]).found().out;
    assert!(explained.contains("  the embedding model\n"), "{explained}");
    assert_eq!(ask(&["--embed", HASHED, "--order", "words"]).len(), 3);
    assert_eq!(ask(&[]), without, "without a model again, all is as before");
}

#[test]
fn an_answer_with_a_clear_lead_stays_first() {
    let env = shop();
    let explained = env.run(&["round money to whole coins", "--embed", HASHED, "--explain"]).found().out;
    assert!(!explained.contains("  the embedding model\n"), "{explained}");
}

#[test]
fn embeddings_find_functions_without_a_common_word() {
    let env = shop();
    env.run(&[LONG]).nothing();
    assert_eq!(env.ask(&[LONG, "--embed", HASHED, "-k", "1"]), ["hidden"]);
    env.run(&[LONG, "--embed", HASHED, "--path", "money.py", "--kind", "type"]).nothing();
    let elsewhere = env.ask(&[&format!("{LONG} read a day"), "--embed", HASHED, "--path", "dates.py"]);
    assert!(!elsewhere.is_empty() && !elsewhere.contains(&"hidden".to_owned()), "{elsewhere:?}");
}

#[test]
fn semantic_is_a_relation_once_a_model_is_named() {
    let env = shop();
    let ask = |more: &[&str]| env.run(&[&["round money", "--embed", HASHED], more].concat());
    for form in ["sum", "mean"] {
        ask(&["--relation", "semantic", "--environment", form]).found();
    }
    ask(&["--relation", "semantic", "--unit", "window"]).failed(&["windows have no embeddings", "--unit definition"]);
    env.run(&["round money", "--relation", "semantic"]).failed(&["needs embeddings", "--embed"]);
}

#[test]
fn other_units_and_commands_work_with_and_without_embeddings() {
    let env = shop();
    for unit in ["file", "window"] {
        let lines = env.run(&["round money", "--embed", HASHED, "--unit", unit, "--jsonl"]).found().json_lines();
        assert_eq!(scores(&lines[0])[3].is_some(), unit == "file", "{lines:#?}");
    }
    let status = env.run(&["status"]).found();
    assert!(status.out.contains("embedded    4 functions with test:hash"), "{status:#?}");
    let json = env.run(&["status", "--json"]).found().json();
    assert_eq!((&json["embedded"]["model"], &json["embedded"]["functions"]), (&HASHED.into(), &4.into()));
    assert!(env.run(&["index", "--embed", OTHER]).found().out.contains("4 functions embedded"));
}

// ---- settings and errors

#[test]
fn a_model_is_named_by_setting_variable_or_option() {
    let env = shop();
    let semantic = |variables: &[(&str, &str)], more: &[&str]| {
        let ran = env
            .run_under(variables, &[&["round money", "--jsonl", "-k", "1", "--order", "words"], more].concat())
            .found();
        scores(&ran.json_lines()[0])[3].is_some()
    };
    assert!(!semantic(&[], &[]) && semantic(&[("WHICHFN_EMBED", HASHED)], &[]));
    env.write_user_settings(&format!("embed = \"{HASHED}\"\n"));
    assert!(semantic(&[], &[]) && !semantic(&[], &["--embed", "none"]));
}

#[test]
fn a_repository_cannot_name_a_model_or_library() {
    for (name, variable) in [("embed", "WHICHFN_EMBED"), ("ort-dylib", "ORT_DYLIB_PATH")] {
        let env = shop();
        env.write("whichfn.toml", format!("{name} = \"x\"\n"));
        env.run(&["money"]).failed(&[&format!("{name} cannot be set by a repository"), &format!("--{name}"), variable]);
    }
}

#[test]
fn no_update_needs_existing_vectors() {
    let env = shop();
    env.run(&["index"]).found();
    let stale = ["round money", "--no-update", "--embed", HASHED];
    env.run(&stale).failed(&["has no embeddings from test:hash", "without --no-update"]);
    env.run(&["index", "--embed", HASHED]).found();
    env.run(&stale).found();
}

#[test]
fn a_missing_model() {
    let env = shop();
    let words: &[&str] = if cfg!(any(feature = "embed", feature = "embed-bundled")) {
        &["no such directory, and no fastembed model", "BGESmallENV15"]
    } else {
        &["this build of whichfn cannot run embedding models", "--features embed"]
    };
    env.run(&["round money", "--embed", "NoSuchModel"]).failed(words);
    assert!(entries(&env.outside("cache/whichfn")).is_empty(), "said before anything is indexed");
}

#[cfg(feature = "embed")]
#[test]
fn an_incomplete_model_directory_or_library() {
    let env = shop();
    let ask = |more: &[&str]| env.run(&[&["round money", "--embed", "model"], more].concat());
    std::fs::create_dir(env.at("model")).expect("directory");
    ask(&[]).failed(&["does not contain model.onnx", "tokenizer_config.json"]);
    for name in ["model.onnx", "tokenizer.json", "config.json", "special_tokens_map.json", "tokenizer_config.json"] {
        env.write(format!("model/{name}"), "{}");
    }
    ask(&["--ort-dylib", "no/such.so"]).failed(&["cannot load ONNX Runtime", "no/such.so", "ORT_DYLIB_PATH"]);
    env.write("not-a-library.so", "text");
    ask(&["--ort-dylib", "not-a-library.so"]).failed(&[
        "cannot load ONNX Runtime",
        "not-a-library.so",
        "install version 1.24",
    ]);
}

// ---- a real model

/// Runs if `WHICHFN_TEST_ORT` names ONNX Runtime and `WHICHFN_TEST_MODEL` names a directory with an
/// English model.
#[cfg(feature = "embed")]
#[test]
fn a_real_model_matches_synonyms() {
    use std::path::Path;
    let (Some(library), Some(model)) = (std::env::var_os("WHICHFN_TEST_ORT"), std::env::var_os("WHICHFN_TEST_MODEL"))
    else {
        eprintln!("SKIPPED: WHICHFN_TEST_ORT and WHICHFN_TEST_MODEL name no library and no model");
        return;
    };
    let env = shop();
    let model = model.to_str().expect("path");
    let library = [("ORT_DYLIB_PATH", Path::new(&library).to_str().expect("path"))];
    let ask = |question: &str, more: &[&str]| {
        let arguments = [&[question, "--jsonl", "-k", "1", "--embed", model], more].concat();
        let found = env.run_under(&library, &arguments).found();
        (found.names(), scores(&found.json_lines()[0])[3])
    };
    let (names, semantic) = ask("currency amount without fractions", &[]);
    assert_eq!(names, ["round_coins"], "no word in common");
    assert!(semantic.is_some_and(|cosine| cosine > 0.2 && cosine < 1.0), "{semantic:?}");
    assert_eq!(ask("calendar month from a string", &["--relation", "semantic"]).0, ["parse_date"]);
    let bytes = |env: &Env| {
        let generation = entries(&env.index_folder()).into_iter().find(|path| path.is_dir()).expect("generation");
        std::fs::read(generation.join("embeddings")).expect("embeddings")
    };
    env.write("money.py", MONEY.replace("cents", "pennies"));
    let names = env.run_under(&library, &["whole coins", "--jsonl", "--embed", model]).found().names();
    assert_eq!(names[0], "round_coins");
    let refreshed = bytes(&env);
    env.run_under(&library, &["index", "--force", "--embed", model]).found();
    assert_eq!(refreshed, bytes(&env), "a refreshed index is as one built anew");
    env.write("broken/model.onnx", "no model");
    for name in ["tokenizer.json", "config.json", "special_tokens_map.json", "tokenizer_config.json"] {
        env.write(format!("broken/{name}"), std::fs::read(Path::new(model).join(name)).expect("file"));
    }
    env.run_under(&library, &["coins", "--embed", "broken"])
        .failed(&["does not contain a working model", "model.onnx"]);
}
