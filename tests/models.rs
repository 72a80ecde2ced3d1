//! Tests `whichfn model` and the second opinion of an installed model: with a small model that the test
//! writes, and a server on this machine in place of the download host.

#![allow(clippy::print_stdout)] // prints what it skips

use crate::mcp::Client;
use crate::support::env::{Env, Ran, entries};
use serde_json::json;
use std::path::PathBuf;
use std::process::Stdio;
use whichfn::models::{CatalogFile, CatalogModel, ModelFolder};
use whichfn_testing::server::{RecordedRequest, Script, Server, Step as Response};
use whichfn_testing::small_model::Model;

const ROWS: &str = "
def first(file):
    return read(file, size)


def second(file):
    return file.size(read)


def third(name):
    return size(file(read(name)))
";
const QUESTION: &str = "where is the size of a file read";

/// Creates an environment with a directory of a small model called `small`.
fn env() -> (Env, String) {
    let env = Env::with(&[("rows.py", ROWS)]);
    let directory = env.outside("small");
    let model = Model::new(7);
    model.write_to(&directory, &model.weights());
    (env, directory.to_str().expect("a path").to_owned())
}

/// Runs the program and returns what it prints.
fn out(env: &Env, arguments: &[&str]) -> String {
    let done = env.run(arguments);
    assert_eq!(done.code, Some(0), "{arguments:?}: {}", done.err);
    done.out
}

/// Runs the program, which must fail, and returns its error.
fn error(env: &Env, arguments: &[&str]) -> String {
    let done = env.run(arguments);
    assert_eq!(done.code, Some(2), "{arguments:?}: {}", done.out);
    done.err
}

/// Returns the names and scores of the answers.
fn answers(env: &Env, more: &[&str]) -> Vec<(String, f64)> {
    let printed = out(env, &[&[QUESTION, "--json"], more].concat());
    let json: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
    let row = |one: &serde_json::Value| {
        (one["name"].as_str().unwrap_or_default().to_owned(), one["score"].as_f64().unwrap_or_default())
    };
    json["results"].as_array().expect("results").iter().map(row).collect()
}

#[test]
fn an_installed_model_reorders_the_answers_until_it_is_removed() {
    let (env, directory) = env();
    let before = answers(&env, &[]);
    assert_eq!(before.len(), 3, "{before:?}");
    assert!(out(&env, &["model", "list"]).contains("all-MiniLM-L6-v2"));

    assert!(out(&env, &["model", "install", &directory]).contains("installed small"));
    assert!(out(&env, &["model", "list"]).contains("small  "), "listed");
    assert!(out(&env, &["status"]).contains("small reorders the first answers"));
    let after = answers(&env, &[]);
    assert_ne!(before, after);
    assert!(out(&env, &[QUESTION, "--explain"]).contains("the embedding model"));
    let sum = |rows: &[(String, f64)]| rows.iter().map(|(_, score)| score).sum::<f64>();
    assert!((sum(&before) - sum(&after)).abs() < 1e-2, "standardized cosines add up to zero: {before:?} {after:?}");

    assert_eq!(answers(&env, &["--no-model"]), before);
    env.write_user_settings("model = \"none\"\n");
    assert_eq!(answers(&env, &[]), before);
    env.write_user_settings("model = \"small\"\n");
    assert_eq!(answers(&env, &[]), after);
    env.write_user_settings("");
    assert!(out(&env, &["model", "remove"]).contains("removed small"));
    assert_eq!(answers(&env, &[]), before);
    assert!(error(&env, &["model", "remove"]).contains("no model is installed"));
}

#[test]
fn a_directory_or_an_installed_model_is_chosen_for_one_command() {
    let (env, directory) = env();
    let before = answers(&env, &[]);
    let after = answers(&env, &["--model", &directory]);
    assert_ne!(before, after);
    assert_eq!(answers(&env, &[]), before, "it is not installed");
    out(&env, &["model", "install", &directory]);
    assert_eq!(answers(&env, &["--model", "small"]), after);
    assert_eq!(answers(&env, &["--model", "none"]), before);
    assert!(error(&env, &[QUESTION, "--model", "other"]).contains("neither an installed model nor a directory"));
}

#[test]
fn eval_measures_what_a_model_gains() {
    let (env, directory) = env();
    let gold = json!([{"path": "rows.py", "name": "third"}]);
    let question = json!({"id": "size", "repo": ".", "category": "plain", "query": QUESTION, "gold": gold});
    env.write("set.jsonl", format!("{question}\n"));
    let rank = |names: &[(String, f64)]| 1 + names.iter().position(|(name, _)| name == "third").expect("found");
    let (before, after) = (rank(&answers(&env, &[])), rank(&answers(&env, &["--model", &directory])));
    let eval = |more: &[&str]| out(&env, &[&["eval", "set.jsonl", "--ranks"], more].concat());
    eval(&["--no-model", "--save", "without.json"]);
    let compared = eval(&["--model", &directory, "--compare", "without.json"]);
    assert!(compared.contains("after   this run: --model small"), "{compared}");
    assert_ne!(before, after, "the model changes the rank");
    assert!(compared.contains(&format!("{before} -> {after}")), "{compared}");
    std::fs::write(PathBuf::from(&directory).join("model.safetensors"), b"damaged").expect("written");
    let done = env.run(&["eval", "set.jsonl", "--model", &directory]).found();
    assert!(done.err.contains("set, 1 question: the model small was left out"), "{}", done.err);
}

#[test]
fn a_repository_cannot_choose_a_model() {
    let (env, _) = env();
    env.write("whichfn.toml", "model = \"small\"\n");
    assert!(error(&env, &[QUESTION]).contains("model cannot be set by a repository"));
}

#[test]
fn an_answer_without_a_usable_model_names_the_reason() {
    let (env, directory) = env();
    let before = answers(&env, &[]);
    out(&env, &["model", "install", &directory]);
    let weights = env.outside("home/.local/share/whichfn/models/small/model.safetensors");
    std::fs::write(&weights, b"damaged").expect("written");
    let done = env.run(&[QUESTION]);
    assert_eq!(done.code, Some(0));
    assert!(done.err.contains("the model small was left out"), "{}", done.err);
    assert_eq!(answers(&env, &[]), before);
}

#[test]
fn what_is_no_model_is_not_installed() {
    let (env, directory) = env();
    std::fs::write(PathBuf::from(&directory).join("model.safetensors"), b"damaged").expect("written");
    assert!(error(&env, &["model", "install", &directory]).contains("model.safetensors"));
    assert!(error(&env, &["model", "install", "no-such-model"]).contains("neither a known model nor a directory"));
    assert!(error(&env, &["model", "remove", "../small"]).contains("is not installed"));
    assert!(!out(&env, &["model", "list"]).contains("installed, in use"));
}

#[test]
fn vectors_are_stored_next_to_the_index_and_a_damaged_file_is_replaced() {
    let (env, directory) = env();
    let before = answers(&env, &[]);
    let file = || env.index_folder().join("vectors");
    assert!(!file().exists());
    out(&env, &["model", "install", &directory]);
    let after = answers(&env, &[]);
    let stored = std::fs::read(file()).expect("vectors");
    assert_eq!(answers(&env, &[]), after);
    assert_eq!(std::fs::read(file()).expect("vectors"), stored, "nothing was new");
    let other = [stored[..8].to_vec(), vec![7; stored.len() - 8]].concat();
    for damaged in [&stored[..stored.len() / 2], b"", &other] {
        std::fs::write(file(), damaged).expect("written");
        assert_eq!(answers(&env, &[]), after);
        assert_eq!(std::fs::read(file()).expect("vectors"), stored);
    }
    // Another model has other vectors.
    let model = Model::new(8);
    model.write_to(&env.outside("other"), &model.weights());
    let others = answers(&env, &["--model", env.outside("other").to_str().expect("a path")]);
    assert_ne!(others, after);
    assert_eq!(answers(&env, &[]), after);
    assert_eq!(answers(&env, &["--no-model"]), before);
}

#[test]
fn a_model_of_another_architecture_is_not_installed() {
    let (env, directory) = env();
    let config = PathBuf::from(&directory).join("config.json");
    let text = std::fs::read_to_string(&config).expect("a file");
    std::fs::write(&config, text.replace("\"bert\"", "\"gemma3_text\"")).expect("written");
    assert!(error(&env, &["model", "install", &directory]).contains("gemma3_text"));
    assert!(!out(&env, &["model", "list"]).contains("small"));
    let done = env.run(&[QUESTION, "--model", &directory]);
    assert!(done.code == Some(0) && done.err.contains("the model small was left out"), "{}", done.err);
}

#[test]
fn without_a_network_nothing_is_installed() {
    let env = env().0;
    let done = env.run_under(&[("HF_ENDPOINT", "http://127.0.0.1:1"), ("NO_PROXY", "*")], &["model", "install"]);
    done.failed(&[
        "cannot download http://127.0.0.1:1/",
        "config.json",
        "check the network, HF_ENDPOINT and the proxy",
    ]);
    assert!(!out(&env, &["model", "list"]).contains("installed, in use"));
}

/// A limit on the file size simulates a full device: the copy of the weights fails in the middle.
#[test]
#[cfg(unix)]
fn a_full_disk_leaves_nothing_half_installed() {
    let (env, directory) = env();
    let before = answers(&env, &[]);
    let script = "trap '' XFSZ; ulimit -f 2 || exit 99; exec \"$0\" \"$@\"";
    let program = env!("CARGO_BIN_EXE_whichfn");
    let mut limited = env.other_process("sh");
    let done = limited.args(["-c", script, program, "model", "install", &directory]).output().expect("sh");
    if done.status.code() == Some(99) {
        return println!("skipped: no ulimit here");
    }
    Ran::new("whichfn with small files only".into(), done).failed(&["cannot write", "model.safetensors", "too large"]);
    let models = env.outside("home/.local/share/whichfn/models");
    let left: Vec<PathBuf> = entries(&models).into_iter().filter(|path| path.is_dir()).collect();
    assert_eq!(left, Vec::<PathBuf>::new());
    assert_eq!(answers(&env, &[]), before);
}

#[test]
fn two_processes_that_install_at_once_leave_one_whole_model() {
    let (env, directory) = env();
    let start = || {
        let mut process = env.process();
        process.args(["model", "install", &directory]);
        process.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("started")
    };
    for mut process in [start(), start(), start()] {
        assert!(process.wait().expect("ended").success());
    }
    assert_eq!(out(&env, &["model", "list"]).matches("installed, in use").count(), 1);
    assert!(!env.run(&[QUESTION]).found().err.contains("left out"));
}

#[test]
fn a_server_answers_after_its_model_was_removed() {
    let (env, directory) = env();
    let which = |client: &mut Client| client.said("which_function", json!({"question": QUESTION}));
    out(&env, &["model", "install", &directory]);
    let mut without = Client::start(&env, &["--no-model"]);
    let [mut opened, mut unopened] = [(); 2].map(|()| Client::start(&env, &[]));
    let first = which(&mut opened);
    out(&env, &["model", "remove"]);
    let again = which(&mut opened);
    assert!(!again.contains("left out"), "the model is still open: {again}");
    let other = which(&mut unopened);
    assert!(other.contains("the model small was left out"), "{other}");
    let name = |said: &str| said.lines().find(|line| line.contains("rows.py")).map(str::to_owned);
    assert_eq!(name(&other), name(&which(&mut without)));
    assert!(name(&first).is_some());
    [without, opened, unopened].into_iter().for_each(|client| drop(client.end()));
}

/// What the server does with a request.
#[derive(Clone, Copy)]
enum Step {
    /// Sends the file from the requested byte on.
    Send,
    /// Sends the file as a server does that does not know `Range`.
    SendAll,
    /// Sends this many bytes, then closes the connection.
    Cut(usize),
    /// Sends other bytes.
    Other,
    /// Answers with status 404.
    Missing,
}

/// Serves files; each request takes the next step.
struct Files {
    files: Vec<(&'static str, Vec<u8>)>,
    steps: std::vec::IntoIter<Step>,
}

impl Script for Files {
    fn next(&mut self, request: &RecordedRequest) -> Response {
        let step = self.steps.next().unwrap_or(Step::Send);
        let is_asked = |path: &str| request.path.ends_with(&format!("/resolve/main/{path}"));
        let mut bytes =
            self.files.iter().find(|(path, _)| is_asked(path)).map_or_else(Vec::new, |(_, bytes)| bytes.clone());
        let from = range(request).filter(|_| !matches!(step, Step::SendAll)).unwrap_or(0);
        let mut status = if from > 0 { 206 } else { 200 };
        match step {
            Step::Missing => status = 404,
            Step::Other => bytes.reverse(),
            _ => {}
        }
        let sent = if let Step::Cut(count) = step { count } else { usize::MAX };
        Response::file(status, bytes.split_off(from.min(bytes.len())), sent)
    }

    fn expects_get(&self) -> bool {
        true
    }
}

/// Returns the first byte that a request asks for, if it does not ask for a whole file.
fn range(request: &RecordedRequest) -> Option<usize> {
    request.header("Range")?.strip_prefix("bytes=")?.trim_end_matches('-').parse().ok()
}

fn serve(files: Vec<(&'static str, Vec<u8>)>, steps: Vec<Step>) -> Server {
    Server::start(Files { files, steps: steps.into_iter() })
}

/// Returns the files of a small model, and a catalog entry for it.
fn small_model() -> (Vec<(&'static str, Vec<u8>)>, &'static CatalogModel) {
    let model = Model::new(7);
    let folder = tempfile::tempdir().expect("a folder");
    model.write_to(folder.path(), &model.weights());
    let names = ["config.json", "modules.json", "1_Pooling/config.json", "tokenizer.json", "model.safetensors"];
    let files: Vec<(&str, Vec<u8>)> =
        names.map(|name| (name, std::fs::read(folder.path().join(name)).expect("a file"))).to_vec();
    let known = files.iter().map(|(path, bytes)| CatalogFile {
        path,
        size: bytes.len() as u64,
        sha256: Box::leak(whichfn::models::sha256(bytes).into_boxed_str()),
    });
    let files_of_model = known.collect::<Vec<_>>().leak();
    let model = CatalogModel {
        name: "small",
        repository: "someone/small",
        licence: "none",
        parameters: "few",
        gain: "none",
        files: files_of_model,
    };
    (files, Box::leak(Box::new(model)))
}

#[test]
fn a_download_that_was_cut_continues_where_it_ended() {
    let (files, model) = small_model();
    let server = serve(files, vec![Step::Send, Step::Send, Step::Send, Step::Send, Step::Cut(100)]);
    let place = tempfile::tempdir().expect("a folder");
    let folder = ModelFolder::at(place.path());
    let error = folder.install(model, &server.url(), &|_, _| {}).expect_err("cut");
    assert!(error.what().contains("cannot download") && folder.list().is_empty(), "{error}");
    folder.install(model, &server.url(), &|_, _| {}).expect("installed");
    assert_eq!(server.requests().iter().map(range).collect::<Vec<_>>(), [None, None, None, None, None, Some(100)]);
    assert!(folder.list()[0].is_current);
    assert_eq!(folder.current(), Some(place.path().join("small")));
}

#[test]
fn a_server_without_ranges_sends_the_file_again() {
    let (files, model) = small_model();
    let server = serve(files, vec![Step::Cut(5), Step::SendAll]);
    let place = tempfile::tempdir().expect("a folder");
    let folder = ModelFolder::at(place.path());
    folder.install(model, &server.url(), &|_, _| {}).expect_err("cut");
    folder.install(model, &server.url(), &|_, _| {}).expect("installed");
    assert_eq!(server.requests().iter().map(range).take(2).collect::<Vec<_>>(), [None, Some(5)]);
}

#[test]
fn other_content_is_refused_and_nothing_is_installed() {
    for (step, reason) in [(Step::Other, "checksum"), (Step::Missing, "status 404")] {
        let (files, model) = small_model();
        let server = serve(files, vec![step]);
        let place = tempfile::tempdir().expect("a folder");
        let folder = ModelFolder::at(place.path());
        let error = folder.install(model, &server.url(), &|_, _| {}).expect_err("refused");
        assert!(error.what().contains(reason) && error.what().contains("config.json"), "{error}");
        assert!(folder.list().is_empty() && folder.current().is_none());
    }
}

#[test]
fn two_downloads_at_once_leave_one_model() {
    let (files, model) = small_model();
    let server = serve(files, Vec::new());
    let place = tempfile::tempdir().expect("a folder");
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| ModelFolder::at(place.path()).install(model, &server.url(), &|_, _| {}).expect("installed"));
        }
    });
    assert_eq!(ModelFolder::at(place.path()).list().len(), 1);
}

#[test]
fn a_copy_that_fails_leaves_nothing_behind() {
    let (_env, directory) = env();
    let place = tempfile::tempdir().expect("a folder");
    let staging = place.path().join(".new-small");
    std::fs::create_dir_all(staging.join("model.safetensors")).expect("a folder in the way");
    let folder = ModelFolder::at(place.path());
    let error = folder.install_directory(directory.as_ref(), &|_, _| {}).expect_err("not written");
    assert!(error.what().contains("model.safetensors"), "{error}");
    assert!(!staging.exists() && folder.list().is_empty());
    folder.install_directory(directory.as_ref(), &|_, _| {}).expect("installed");
}

#[test]
fn a_copy_of_a_directory_has_every_file_that_the_model_is_read_from() {
    let mut model = Model::new(7);
    // The pooling may be in any folder, and `tokenizer_config.json` applies to a list of tokens.
    model.modules = model.modules.replace("1_Pooling", "pool");
    model.tokenizer = None;
    let from = tempfile::tempdir().expect("a folder");
    let directory = from.path().join("cased");
    model.write_to(&directory, &model.weights());
    std::fs::rename(directory.join("1_Pooling"), directory.join("pool")).expect("renamed");
    std::fs::write(directory.join("tokenizer_config.json"), "{\"do_lower_case\": false}").expect("written");
    std::fs::write(directory.join("other.bin"), "no part of the model").expect("written");
    let place = tempfile::tempdir().expect("a folder");
    let folder = ModelFolder::at(place.path());
    folder.install_directory(&directory, &|_, _| {}).expect("installed");
    let installed = folder.named("cased").expect("a directory");
    for (file, is_copied) in [("pool/config.json", true), ("tokenizer_config.json", true), ("other.bin", false)] {
        assert_eq!(installed.join(file).exists(), is_copied, "{file}");
    }
}
