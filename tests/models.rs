//! Tests `whichfn model` and the second opinion of an installed model: with a small model that the test
//! writes, and a server on this machine in place of the download host.

use crate::support::env::Env;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use whichfn::models::{CatalogFile, CatalogModel, ModelFolder};
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
    let gold = serde_json::json!([{"path": "rows.py", "name": "third"}]);
    let question = serde_json::json!({"id": "size", "repo": ".", "category": "plain", "query": QUESTION, "gold": gold});
    env.write("set.jsonl", format!("{question}\n"));
    let rank = |names: &[(String, f64)]| 1 + names.iter().position(|(name, _)| name == "third").expect("found");
    let (before, after) = (rank(&answers(&env, &[])), rank(&answers(&env, &["--model", &directory])));
    let eval = |more: &[&str]| out(&env, &[&["eval", "set.jsonl", "--ranks"], more].concat());
    eval(&["--no-model", "--save", "without.json"]);
    let compared = eval(&["--model", &directory, "--compare", "without.json"]);
    assert!(compared.contains("after   this run: --model small"), "{compared}");
    assert_ne!(before, after, "the model changes the rank");
    assert!(compared.contains(&format!("{before} -> {after}")), "{compared}");
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

/// Serves files on this machine. Returns the address of the server, and the ranges that clients request.
fn serve(files: Vec<(&'static str, Vec<u8>)>, steps: Vec<Step>) -> (String, Receiver<Option<usize>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let (ranges, received) = channel();
    std::thread::spawn(move || {
        let mut steps = steps.into_iter();
        for stream in listener.incoming().flatten() {
            respond(&stream, &files, steps.next().unwrap_or(Step::Send), &ranges);
        }
    });
    (address, received)
}

fn respond(mut stream: &TcpStream, files: &[(&str, Vec<u8>)], step: Step, ranges: &Sender<Option<usize>>) {
    let lines: Vec<String> =
        BufReader::new(stream).lines().map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
    let Some(first) = lines.first() else { return };
    let range = lines.iter().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("range").then(|| value["bytes=".len()..].trim_end_matches('-').parse().ok())?
    });
    let _ = ranges.send(range);
    let file = files.iter().find(|(path, _)| first.contains(&format!("/resolve/main/{path} ")));
    let mut bytes = file.map(|(_, bytes)| bytes.clone()).unwrap_or_default();
    let from = range.filter(|_| !matches!(step, Step::SendAll)).unwrap_or(0);
    let status = match step {
        Step::Missing => "404 Not Found",
        _ if from > 0 => "206 Partial Content",
        _ => "200 OK",
    };
    if matches!(step, Step::Other) {
        bytes.reverse();
    }
    let body = &bytes[from.min(bytes.len())..];
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    let sent = if let Step::Cut(count) = step { &body[..count.min(body.len())] } else { body };
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(sent));
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
    let (server, ranges) = serve(files, vec![Step::Send, Step::Send, Step::Send, Step::Send, Step::Cut(100)]);
    let place = tempfile::tempdir().expect("a folder");
    let folder = ModelFolder::at(place.path());
    let error = folder.install(model, &server, &|_, _| {}).expect_err("cut");
    assert!(error.what().contains("cannot download") && folder.list().is_empty(), "{error}");
    folder.install(model, &server, &|_, _| {}).expect("installed");
    assert_eq!(ranges.try_iter().collect::<Vec<_>>(), [None, None, None, None, None, Some(100)]);
    assert!(folder.list()[0].is_current);
    assert_eq!(folder.current(), Some(place.path().join("small")));
}

#[test]
fn a_server_without_ranges_sends_the_file_again() {
    let (files, model) = small_model();
    let (server, ranges) = serve(files, vec![Step::Cut(5), Step::SendAll]);
    let place = tempfile::tempdir().expect("a folder");
    let folder = ModelFolder::at(place.path());
    folder.install(model, &server, &|_, _| {}).expect_err("cut");
    folder.install(model, &server, &|_, _| {}).expect("installed");
    assert_eq!(ranges.try_iter().take(2).collect::<Vec<_>>(), [None, Some(5)]);
}

#[test]
fn other_content_is_refused_and_nothing_is_installed() {
    for (step, reason) in [(Step::Other, "checksum"), (Step::Missing, "status 404")] {
        let (files, model) = small_model();
        let (server, _ranges) = serve(files, vec![step]);
        let place = tempfile::tempdir().expect("a folder");
        let folder = ModelFolder::at(place.path());
        let error = folder.install(model, &server, &|_, _| {}).expect_err("refused");
        assert!(error.what().contains(reason) && error.what().contains("config.json"), "{error}");
        assert!(folder.list().is_empty() && folder.current().is_none());
    }
}

#[test]
fn two_processes_may_install_at_once() {
    let (files, model) = small_model();
    let (server, _ranges) = serve(files, Vec::new());
    let place = tempfile::tempdir().expect("a folder");
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| ModelFolder::at(place.path()).install(model, &server, &|_, _| {}).expect("installed"));
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
