//! Answers requests one after another, in the order in which they arrived.

use super::outbox::{Answered, Code, RefusedRequest};
use super::session::Session;
use super::{completion, document, hierarchy, references, symbols, types};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Receiver;
use whichfn_search::answer::{CallDirection, TypeDirection};

/// A task for the worker.
pub(super) enum Job {
    /// Answers a request.
    Answer { id: Value, method: String, params: Value },
    /// Brings all indexes up to date.
    Refresh,
}

/// Methods that the worker answers.
pub(super) const METHODS: [&str; 13] = [
    symbols::METHOD,
    document::SYMBOLS,
    document::DEFINITION,
    document::HOVER,
    hierarchy::PREPARE,
    hierarchy::INCOMING,
    hierarchy::OUTGOING,
    types::IMPLEMENTATION,
    types::PREPARE,
    types::SUPERTYPES,
    types::SUBTYPES,
    references::METHOD,
    completion::METHOD,
];

/// Answers until all senders are closed.
pub(super) fn work(session: &Session, jobs: &Receiver<Job>) {
    for job in jobs {
        match job {
            Job::Refresh => refresh(session),
            Job::Answer { id, method, params } => {
                let result = match session.shared.cancelled().contains(&id.to_string()) {
                    true => Err(RefusedRequest::new(Code::Cancelled, "the request was cancelled")),
                    false => catch_unwind(AssertUnwindSafe(|| answer(session, &method, params))).unwrap_or_else(|_| {
                        Err(RefusedRequest::new(
                            Code::Internal,
                            format!("{method} failed unexpectedly; please report it"),
                        ))
                    }),
                };
                session.out.answer(&id, result);
                session.shared.cancelled().remove(&id.to_string());
            }
        }
    }
}

fn answer(session: &Session, method: &str, params: Value) -> Answered {
    match method {
        symbols::METHOD => symbols::answer(session, read(params)?),
        document::SYMBOLS => document::symbols(session, &read(params)?),
        document::DEFINITION => document::definition(session, &read(params)?),
        document::HOVER => document::hover(session, &read(params)?),
        hierarchy::PREPARE => hierarchy::prepare(session, &read(params)?),
        hierarchy::INCOMING => hierarchy::calls(session, &read(params)?, CallDirection::Callers),
        hierarchy::OUTGOING => hierarchy::calls(session, &read(params)?, CallDirection::Callees),
        types::IMPLEMENTATION => types::implementation(session, &read(params)?),
        types::PREPARE => types::prepare(session, &read(params)?),
        types::SUPERTYPES => types::related(session, &read(params)?, TypeDirection::Up),
        types::SUBTYPES => types::related(session, &read(params)?, TypeDirection::Down),
        references::METHOD => references::answer(session, &read(params)?),
        completion::METHOD => completion::answer(session, read(params)?),
        other => Err(RefusedRequest::new(Code::NoMethod, format!("unknown method {other}"))),
    }
}

fn refresh(session: &Session) {
    session.shared.mark_refreshed();
    for one in &session.open {
        let refreshed = catch_unwind(AssertUnwindSafe(|| session.ask(one, |_| Ok(()))));
        if let Ok(Err(refused)) = refreshed {
            session.out.log(&refused.what);
        }
    }
}

fn read<T: DeserializeOwned>(params: Value) -> Answered<T> {
    serde_json::from_value(params)
        .map_err(|cause| RefusedRequest::new(Code::InvalidParams, format!("invalid parameters: {cause}")))
}
