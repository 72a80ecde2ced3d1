//! Notices about files of code that are not searched, and may contain what was not found.

use super::common::counted;
use super::output;
use super::page::quoted;
use super::ui::Ui;
use crate::engine::Engine;
use std::path::Path;
use whichfn_search::answer::Answer;
use whichfn_text::file_name;

/// Names the skipped files that the question mentions; if nothing was found, also those that no other
/// notice names.
pub(super) fn after_answer(ui: Ui, answer: &Answer, question: &str) {
    let is_named = |(path, reason): &&(String, &str)| match *reason {
        // The run that first skipped a large file named it.
        "oversized" => answer.index.refreshed_files == 0 && question.contains(file_name(path)),
        _ => answer.shown() == 0 || question.contains(file_name(path)),
    };
    let files: Vec<&(String, &str)> = answer.index.unsearched.iter().filter(is_named).collect();
    let Some((path, reason)) = files.first() else { return };
    let more = match files.len() {
        1 => String::new(),
        count => format!(" (and {})", counted(count - 1, "more file")),
    };
    let why = match *reason {
        "oversized" => "because it exceeds --max-file-size".to_owned(),
        reason => format!("because it is {reason}; to list all: whichfn status --list"),
    };
    ui.notice(&format!("{path}{more} is not searched, {why}"));
}

/// Names the skipped files, which may contain a name that nothing has.
pub(super) fn after_unknown_name(engine: &Engine) {
    let files = engine.summary().unsearched;
    let Some((path, reason)) = files.first() else { return };
    let more = match files.len() {
        1 => String::new(),
        count => format!(" and {}", counted(count - 1, "more file")),
    };
    let path = quoted(Path::new(path));
    output::notice(&format!(
        "{path} ({reason}){more} may contain it but is not searched; to list them: whichfn status --list"
    ));
}
