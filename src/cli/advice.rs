//! Advice as commands and options of the command line. All advice with commands and options is in
//! this module.

use crate::error::{Limit, Remedy};
use crate::search::Trust;

/// Returns the next step for an answer with this trust; `None` if there is nothing to do, or if the
/// user was already informed.
pub(super) fn after(trust: Trust, was_read: bool) -> Option<&'static str> {
    match trust {
        Trust::Sure | Trust::Likely => None,
        Trust::Unsure if was_read => Some("see more (-k 20), or say what goes in and out"),
        Trust::Unsure => Some("see more (-k 20), say what goes in and out, or add --strategy prism"),
        Trust::NothingFits => Some("is it the right repository?"),
    }
}

/// Returns one line of advice.
pub(super) fn next(remedy: &Remedy) -> String {
    let line = match remedy {
        Remedy::Plain(line) => line,
        Remedy::Raise(limit) => return format!("raise {}, or ask for less", option_of(*limit)),
        Remedy::SetKey(variable) => {
            return format!("put a key in the environment variable {variable}, or name another with --llm-key-env");
        }
        Remedy::EncryptKey(variable) => {
            return format!(
                "use https://, or say that you mean it with --llm-key-env {variable}; --llm-key-env '' sends no key"
            );
        }
        Remedy::FreeSpace => "free some space, or put the index elsewhere with --index-dir DIR",
        Remedy::MoveIndex => "put the index elsewhere with --index-dir DIR",
        Remedy::CheckDisk => "check the disk, or choose another place with --index-dir DIR",
        Remedy::RefreshIndex => "ask again without --no-update, or run: whichfn index",
        Remedy::EmbedIndex => "ask again without --no-update, or run: whichfn index --embed MODEL",
        Remedy::NameEmbedding => "name one with --embed (see docs/embedding.md), or choose structure, position or none",
        Remedy::RankDefinitions => "choose --unit definition, or --relation structure, position or none",
        Remedy::InstallEmbedding => {
            "install one that can, cargo install --path . --features embed, or leave --embed out"
        }
        Remedy::InstallClient => {
            "install one that can, cargo install --path . --features llm, or give --llm-cmd 'CMD' in place of --llm-url"
        }
        Remedy::GiveModelDirectory => {
            "check the network, or copy the model's files into a directory and give --embed DIR"
        }
        Remedy::NameRuntime => {
            "install version 1.24 or later (the Python package onnxruntime has it as capi/libonnxruntime.so.*), and name \
             that file with --ort-dylib FILE or ORT_DYLIB_PATH"
        }
        Remedy::GiveUnsavedText => "check the path, or give the unsaved text with --stdin",
        Remedy::SendNothing => "save it, or see with whichfn status what is left out; --iterations 1 asks no model",
        Remedy::PipeText => {
            "leave it out, read it without a model, or pipe it in if it may be sent: whichfn read ... < FILE"
        }
        Remedy::AskSomething => "say in a few words what the function does: whichfn \"parse a date\"",
        Remedy::WriteGlob => "give --path a glob such as src/** or *.py",
        Remedy::WaitLonger => "give it more time with --llm-timeout SECS, or choose a faster model",
        Remedy::TryModelCommand => {
            "run the command of --llm-cmd by hand: it gets a prompt on standard input and prints the reply"
        }
        Remedy::GiveAddress => "give a base address such as --llm-url http://localhost:11434/v1",
        Remedy::TrustAddress => "if you trust that place, give its address with --llm-url",
        Remedy::StartServer => "start the server, or check --llm-url",
        Remedy::CheckServer => "check --llm-url and the network",
        Remedy::NameKey => "name the environment variable with a key: --llm-key-env NAME",
        Remedy::CorrectTemplate => "correct the template, or leave its file out of --prompts",
        Remedy::MoveLog => "name another file with --llm-log, or leave it out",
        Remedy::SendPrompt => "leave --dry-run out to send it",
        Remedy::WriteSchema => {
            "say more with --domain 'short text', use another model, or write a schema yourself: --schema FILE"
        }
        Remedy::GiveToken => {
            "put one that cannot be guessed into WHICHFN_TOKEN (openssl rand -hex 16), or leave --host and WHICHFN_TOKEN out"
        }
        Remedy::ListenElsewhere => "choose another with --host ADDRESS and --port N (0 takes any that is free)",
        Remedy::SaveRun => "write one with: whichfn eval SET.jsonl --save RUN.json",
    };
    line.to_owned()
}

fn option_of(limit: Limit) -> &'static str {
    match limit {
        Limit::Calls => "--max-calls",
        Limit::Tokens => "--llm-max-tokens",
        Limit::Cost => "--max-cost",
    }
}
