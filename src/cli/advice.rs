//! Advice in the form of commands and command-line options. All advice with commands and options is
//! in this module.

use super::page::quoted;
use std::path::Path;
use whichfn_search::answer::Answer;
use whichfn_search::search::{QuestionForm, Trust};
use whichfn_system::error::{Limit, Remedy};

/// Number of results below which a search has no further ones.
const FEWEST: usize = 5;

/// Returns the next step after an answer that may be wrong; `None` if there is nothing to do.
pub(super) fn after(answer: &Answer) -> Option<String> {
    match answer.confidence?.trust() {
        Trust::Sure | Trust::Likely => None,
        Trust::NothingFits => Some(
            "check that this is the right repository, or search documentation and settings with --kind docs".to_owned(),
        ),
        Trust::Unsure => {
            let shown = answer.results.len();
            let more = (shown >= FEWEST).then(|| format!("show more results (-k {})", (2 * shown).max(20)));
            let is_short = answer.asked_as == QuestionForm::Keywords.name();
            let sentence = is_short.then(|| "describe in a sentence what the function does".to_owned());
            let steps: Vec<String> = more.into_iter().chain(sentence).collect();
            (!steps.is_empty()).then(|| steps.join(", or "))
        }
    }
}

/// Returns one line of advice.
pub(super) fn next(remedy: &Remedy) -> String {
    let line = match remedy {
        Remedy::Plain(line) => line,
        Remedy::Raise(limit) => return format!("raise {}, or request less", option_of(*limit)),
        Remedy::SetKey(variable) => {
            return format!(
                "set the environment variable {variable} to a key, or name another variable with --llm-key-env"
            );
        }
        Remedy::EncryptKey(variable) => {
            return format!("use https://, or confirm with --llm-key-env {variable}; --llm-key-env '' sends no key");
        }
        Remedy::IndexFolder { folder, repositories } => return index_folder(folder, repositories),
        Remedy::FreeSpace => "free up some disk space, or move the index with --index-dir DIR",
        Remedy::MoveIndex => "move the index with --index-dir DIR",
        Remedy::CheckDisk => "check the disk, or move the index with --index-dir DIR",
        Remedy::RefreshIndex => "retry without --no-update, or run: whichfn index",
        Remedy::EmbedIndex => "retry without --no-update, or run: whichfn index --embed MODEL",
        Remedy::NameEmbedding => {
            "name a model with --embed (see docs/models.md), or use --relation structure, position or none"
        }
        Remedy::RankDefinitions => "use --unit definition, or --relation structure, position or none",
        Remedy::InstallEmbedding => {
            "install a build with embeddings (cargo install --path . --features embed), or omit --embed"
        }
        Remedy::InstallClient => {
            "install a build with the client (cargo install --path . --features llm), or use --llm-cmd 'CMD' instead of --llm-url"
        }
        Remedy::GiveModelDirectory => {
            "check the network, or copy the model's files into a directory and pass --embed DIR"
        }
        Remedy::NameRuntime => {
            "install version 1.24 or later (the Python package onnxruntime has it as capi/libonnxruntime.so.*), and name \
             that file with --ort-dylib FILE or ORT_DYLIB_PATH"
        }
        Remedy::GiveUnsavedText => "check the path, or pass the unsaved text with --stdin",
        Remedy::SendNothing => {
            "save the file, or run whichfn status to see which files are skipped; --iterations 1 calls no model"
        }
        Remedy::PipeText => {
            "omit it, read it without a model, or pipe it in if it may be sent: whichfn read ... < FILE"
        }
        Remedy::AskSomething => "describe in a few words what the function does: whichfn \"parse a date\"",
        Remedy::WriteGlob => "pass --path a glob such as src/** or *.py",
        Remedy::WidenContext => {
            "start the server with a larger context window (llama-server -c 8192; OLLAMA_CONTEXT_LENGTH=8192 ollama serve), or \
             read less at once (--chunk-tokens 1000)"
        }
        Remedy::NameModel => "pass a model that the server has; to list them, run: whichfn status --llm-url URL",
        Remedy::WaitLonger => "allow more time with --llm-timeout SECS, or use a faster model",
        Remedy::TryModelCommand => {
            "run the --llm-cmd command by hand: it must read a prompt from standard input and print the reply"
        }
        Remedy::GiveAddress => "pass a base address such as --llm-url http://localhost:11434/v1",
        Remedy::TrustAddress => "if you trust that server, pass its address with --llm-url",
        Remedy::StartServer => {
            "start the server (llama-server -m MODEL.gguf --port 8080, or ollama serve), or check --llm-url"
        }
        Remedy::CheckServer => "check --llm-url and the network",
        Remedy::NameKey => "name the environment variable that contains a key: --llm-key-env NAME",
        Remedy::CorrectTemplate => "correct the template, or remove its file from the --prompts folder",
        Remedy::MoveLog => "choose a different file with --llm-log, or omit it",
        Remedy::SendPrompt => "omit --dry-run to send it",
        Remedy::WriteSchema => {
            "describe the text with --domain 'short text', use a different model, or write a schema by hand: --schema FILE"
        }
        Remedy::CorrectSchema => {
            "pass a JSON Schema; for an example, run: whichfn read --schema-only --format json-schema"
        }
        Remedy::GiveToken => {
            "set WHICHFN_TOKEN to a random token (openssl rand -hex 16), or omit --host and WHICHFN_TOKEN"
        }
        Remedy::ListenElsewhere => "choose a different address with --host ADDRESS and --port N (0 picks a free port)",
        Remedy::SaveRun => "save a run with: whichfn eval SET.jsonl --save RUN.json",
    };
    line.to_owned()
}

/// Maximum number of repositories that are listed.
const LISTED: usize = 8;

fn index_folder(folder: &str, repositories: &[String]) -> String {
    let index = format!("to index all of it, run: whichfn index {}", quoted(Path::new(folder)));
    let listed = repositories.iter().take(LISTED).map(|path| quoted(Path::new(path))).collect::<Vec<_>>().join(", ");
    match repositories.len() {
        0 => format!("use a smaller directory, or {index}"),
        count if count > LISTED => {
            format!("use one of its repositories, {listed} and {} more; {index}", count - LISTED)
        }
        _ => format!("use one of its repositories, {listed}; {index}"),
    }
}

fn option_of(limit: Limit) -> &'static str {
    match limit {
        Limit::Calls => "--max-calls",
        Limit::Tokens => "--llm-max-tokens",
        Limit::Cost => "--max-cost",
    }
}
