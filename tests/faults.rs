//! The n-th write, rename, link or new folder fails, or the program is killed in it: for every n, and whatever the index was
//! before, the next question is answered right, and until then the former index or none answers.
//!
//! `strace` injects the faults, so that nothing in the program knows of them; where it is missing the tests say so and stop.
//! `WHICHFN_FAULTS=all` takes every n, as `.ci/run` does; else every seventh.

#![allow(clippy::print_stdout)] // says what it skips

use crate::support::env::{Env, Ran, entries};
use std::process::Output;

const BEFORE: &str = "def zebra(stripes):\n    return lion(stripes)\n";
const AFTER: &str =
    "def zebra(stripes):\n    return lion(stripes)\n\ndef zebra_foal(stripes):\n    return zebra(stripes)\n";
const QUESTION: [&str; 3] = ["zebra", "-q", "--jsonl"];

/// What the program asks of the disk to write an index, each name as `strace` has it.
const CALLS: [&str; 6] = ["write", "rename", "link,linkat", "mkdir,mkdirat", "unlink,unlinkat", "flock"];

fn every() -> usize {
    if std::env::var("WHICHFN_FAULTS").is_ok_and(|which| which == "all") { 1 } else { 7 }
}

/// A question with a fault at the n-th of such a call; none where there were fewer, or no `strace` is here.
fn with_fault(env: &Env, call: &str, fault: &str, n: usize) -> Option<Output> {
    let log = env.beside("calls");
    let mut strace = env.other_process("strace");
    let (trace, inject) = (format!("trace={call}"), format!("inject={call}:{fault}:when={n}"));
    strace.args(["-f", "-qq", "-o"]).arg(&log).args(["-e", &trace, "-e", &inject]);
    let output = strace.arg(env!("CARGO_BIN_EXE_whichfn")).args(QUESTION).output().ok()?;
    let calls = std::fs::read_to_string(log).ok()?;
    (calls.contains("INJECTED") || calls.contains("killed by")).then_some(output)
}

/// A repository with an index of its former text, or without one, whose next question writes.
fn about_to_write(has_index: bool) -> Env {
    let env = Env::with(&[("a.py", BEFORE)]);
    if has_index {
        env.run(&QUESTION).found();
        env.write("a.py", AFTER);
    }
    env
}

/// What may be found before and after.
fn names(env: &Env, more: &[&str]) -> Option<Vec<String>> {
    let ran = env.run(&[&QUESTION, more].concat());
    assert!(!ran.err.contains("panicked"), "{ran:#?}");
    (ran.code == Some(0)).then(|| ran.names())
}

fn every_fault_is_survived(fault: &str, has_index: bool) {
    let old: &[&str] = &["zebra"];
    let new: &[&str] = if has_index { &["zebra_foal", "zebra"] } else { old };
    let mut faults = 0;
    for call in CALLS {
        for n in (1..).step_by(every()) {
            let env = about_to_write(has_index);
            let Some(output) = with_fault(&env, call, fault, n) else { break };
            faults += 1;
            let which = format!("{fault} at {call} {n}, with an index before: {has_index}");
            if fault.starts_with("error") {
                Ran::new(which.clone(), output);
            }
            let stale = names(&env, &["--no-update"]);
            let is_whole = stale.as_deref().is_none_or(|found| found == old || found == new);
            assert!(is_whole && (stale.is_some() || !has_index), "{which}: {stale:?}");
            assert_eq!(
                names(&env, &[]).as_deref(),
                Some(&new.iter().map(|&name| name.to_owned()).collect::<Vec<_>>()[..]),
                "{which}"
            );
            let left: Vec<_> = entries(&env.index_folder())
                .into_iter()
                .filter(|path| path.to_string_lossy().contains("unfinished-"))
                .collect();
            assert!(left.is_empty(), "{which}: {left:?}");
        }
    }
    if faults == 0 {
        println!("skipped: no `strace` here, or it may not trace");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_first_index_survives_a_call_that_fails() {
    every_fault_is_survived("error=EIO", false);
}

#[test]
#[cfg(target_os = "linux")]
fn a_refresh_survives_a_call_that_fails() {
    every_fault_is_survived("error=ENOSPC", true);
}

#[test]
#[cfg(target_os = "linux")]
fn a_refresh_survives_a_kill_in_each_call() {
    every_fault_is_survived("signal=KILL", true);
}

/// `WHICHFN_KILLS=N` sets how often, eight times if it is not set.
#[test]
fn killed_at_any_time_the_next_question_is_answered_right() {
    let kills = std::env::var("WHICHFN_KILLS").ok().and_then(|count| count.parse().ok()).unwrap_or(8_u64);
    let env = Env::new();
    for file in 0..40 {
        let body: String =
            (0..20).map(|of| format!("def lion_{file}_{of}(mane):\n    return roar_{of}(mane)\n\n")).collect();
        env.write(format!("lions/l{file}.py"), body);
    }
    env.run(&["index", "-q"]);
    let mut hit = 0;
    for round in 0..kills {
        env.write("a.py", format!("def zebra_{round}(stripes):\n    return stripes\n"));
        let mut child = env.process().args(["index", "-q"]).spawn().expect("start");
        // Spread over the time that a refresh takes: the golden ratio leaves no part of it out.
        let share = (round as f64 * 0.618_033_988_75).fract();
        std::thread::sleep(std::time::Duration::from_micros((share * 60_000.0) as u64));
        child.kill().expect("killed, or ended before");
        hit += usize::from(!child.wait().expect("ended").success());
        env.run(&["lion_3_3", "-q", "--jsonl", "-k", "1", "--no-update"]).found();
        assert_eq!(env.ask(&["zebra", "-q", "-k", "1"]), [format!("zebra_{round}")], "round {round}");
    }
    println!("{hit} of {kills} were still running");
}
