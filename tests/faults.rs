//! Tests injected faults: the n-th write, rename, link or creation of a folder fails, or the
//! program is killed during it. For every n and any previous index, the next question is answered
//! correctly. Until then, the program answers from the previous index or not at all.
//!
//! `strace` injects the faults, so the program contains no test code. If it is missing, the tests
//! print a notice and stop. `WHICHFN_FAULTS=all` tests every n, as `.ci/run` does; otherwise every
//! seventh n is tested.

#![allow(clippy::print_stdout)] // prints what it skips

use crate::support::env::{Env, Ran, entries};
use std::process::Output;

const BEFORE: &str = "def zebra(stripes):\n    return lion(stripes)\n";
const AFTER: &str =
    "def zebra(stripes):\n    return lion(stripes)\n\ndef zebra_foal(stripes):\n    return zebra(stripes)\n";
const QUESTION: [&str; 3] = ["zebra", "-q", "--jsonl"];

/// System calls that write an index, as `strace` names them.
const CALLS: [&str; 6] = ["write", "rename", "link,linkat", "mkdir,mkdirat", "unlink,unlinkat", "flock"];

fn every() -> usize {
    if std::env::var("WHICHFN_FAULTS").is_ok_and(|which| which == "all") { 1 } else { 7 }
}

/// Runs a question with a fault at the n-th call of this kind. Returns `None` if there were fewer
/// calls or `strace` is missing.
fn with_fault(env: &Env, call: &str, fault: &str, n: usize) -> Option<Output> {
    let log = env.outside("calls");
    let mut strace = env.other_process("strace");
    let (trace, inject) = (format!("trace={call}"), format!("inject={call}:{fault}:when={n}"));
    strace.args(["-f", "-qq", "-o"]).arg(&log).args(["-e", &trace, "-e", &inject]);
    let output = strace.arg(env!("CARGO_BIN_EXE_whichfn")).args(QUESTION).output().ok()?;
    let calls = std::fs::read_to_string(log).ok()?;
    (calls.contains("INJECTED") || calls.contains("killed by")).then_some(output)
}

/// Creates a repository whose next question writes an index. `has_index` specifies whether an index
/// of an earlier state exists.
fn about_to_write(has_index: bool) -> Env {
    let env = Env::with(&[("a.py", BEFORE)]);
    if has_index {
        env.run(&QUESTION).found();
        env.write("a.py", AFTER);
    }
    env
}

/// Returns the names that a question finds, or `None` if it fails.
fn names(env: &Env, more: &[&str]) -> Option<Vec<String>> {
    let ran = env.run(&[&QUESTION, more].concat());
    assert!(!ran.err.contains("panicked"), "{ran:#?}");
    (ran.code == Some(0)).then(|| ran.names())
}

fn every_fault_is_survived(fault: &str, has_index: bool) {
    let old: &[&str] = &["zebra"];
    let new: &[&str] = if has_index { &["zebra", "zebra_foal"] } else { old };
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

/// Failures of the machine during reads: the system calls and the error of each.
const READ_FAULTS: [(&str, &str); 12] = [
    ("openat,openat2", "EMFILE"),
    ("openat,openat2", "ENFILE"),
    ("openat,openat2", "ENOMEM"),
    ("read,pread64", "EIO"),
    ("read,pread64", "ENOMEM"),
    ("getdents64", "EIO"),
    ("getdents64", "ENOMEM"),
    ("statx,newfstatat,fstat", "EIO"),
    ("statx,newfstatat,fstat", "ENOMEM"),
    ("mmap", "ENOMEM"),
    ("clone3,clone", "EAGAIN"),
    ("fsync,fdatasync", "EIO"),
];

/// Returns the number of calls of these kinds that the dynamic loader makes before `main`. A fault
/// in one of them only prevents the start of the program.
fn calls_before_main(env: &Env, call: &str) -> usize {
    let log = env.outside("calls");
    let mut strace = env.other_process("strace");
    strace.args(["-f", "-qq", "-o"]).arg(&log).args(["-e", &format!("trace={call}")]);
    let _ = strace.args([env!("CARGO_BIN_EXE_whichfn"), "--version"]).output();
    std::fs::read_to_string(log).unwrap_or_default().lines().filter(|line| line.contains('(')).count()
}

/// Checks that `status` reports every file as indexed.
fn nothing_is_missing(env: &Env, which: &str) {
    let status = env.run(&["status", "--json"]).json();
    assert_eq!(status["files"], 3, "{which}: {status}");
    assert!(status["skipped"]["unreadable"].as_u64().unwrap_or(0) == 0, "{which}: {status}");
}

/// Checks that a failure of the machine either ends the run with an error or leaves the answer
/// correct, and does not affect the next run.
fn every_failed_read_is_survived(has_index: bool) {
    let (mut faults, mut failed) = (0, 0);
    for (call, error) in READ_FAULTS {
        let first = calls_before_main(&Env::new(), call) + 1;
        for n in (first..).step_by(every()) {
            let env = about_to_write(has_index);
            env.write("sub/.gitignore", "hidden.py\n");
            env.write("sub/b.py", "def okapi(stripes):\n    return zebra(stripes)\n");
            env.write("sub/hidden.py", "def zebra_hidden(stripes):\n    return zebra(stripes)\n");
            env.write("c.py", "def quagga(stripes):\n    return zebra(stripes)\n");
            let Some(output) = with_fault(&env, call, &format!("error={error}"), n) else { break };
            faults += 1;
            let which = format!("{error} at {call} {n}, with an index before: {has_index}");
            let ran = Ran::new(which.clone(), output);
            let new: &[&str] = if has_index { &["zebra", "zebra_foal"] } else { &["zebra"] };
            let of_zebra =
                |names: Vec<String>| names.into_iter().filter(|name| name.contains("zebra")).collect::<Vec<_>>();
            match ran.code {
                Some(0) => assert_eq!(of_zebra(ran.names()), new, "{which}: {ran:#?}"),
                _ => failed += 1,
            }
            let next = env.run(&QUESTION).found();
            assert_eq!(of_zebra(next.names()), new, "{which}");
            nothing_is_missing(&env, &which);
        }
    }
    println!("{faults} faults injected, {failed} of the runs ended with an error");
}

#[test]
#[cfg(target_os = "linux")]
fn a_first_index_survives_a_machine_that_fails_while_it_reads() {
    every_failed_read_is_survived(false);
}

#[test]
#[cfg(target_os = "linux")]
fn a_refresh_survives_a_machine_that_fails_while_it_reads() {
    every_failed_read_is_survived(true);
}

/// With too low a limit on open files, a run ends with an error that names the file and the limit,
/// or it returns the complete answer. The next run finds every file.
#[test]
#[cfg(target_os = "linux")]
fn too_few_descriptors_lose_no_file() {
    let mut failed = 0;
    for limit in 4..16 {
        let env = Env::new();
        for number in 0..20 {
            env.write(format!("d{number}/a.py"), format!("def zebra_{number}(stripes):\n    return stripes\n"));
        }
        let mut shell = env.other_process("sh");
        let line = format!("ulimit -n {limit}; exec {} zebra -q --jsonl -k 30", env!("CARGO_BIN_EXE_whichfn"));
        let output = shell.args(["-c", &line]).output().expect("a shell");
        if String::from_utf8_lossy(&output.stderr).contains("error while loading shared libraries") {
            continue;
        }
        let ran = Ran::new(format!("ulimit -n {limit}"), output);
        match ran.code {
            Some(0) => assert_eq!(ran.names().len(), 20, "{limit}"),
            // Without a free descriptor, a file other than a source file may also fail to open.
            _ => failed += usize::from(ran.failed(&[]).err.contains("ulimit -n")),
        }
        assert_eq!(env.ask(&["zebra", "-q", "-k", "30"]).len(), 20, "{limit}");
        assert_eq!(env.run(&["status", "--json"]).json()["files"], 20, "{limit}");
    }
    assert!(failed > 0, "one of these limits is too low");
}

/// Without any thread a run ends with an error, and with fewer threads than wanted it returns the
/// complete answer. It never waits for a thread that did not start.
#[test]
#[cfg(target_os = "linux")]
fn threads_that_cannot_be_started_are_not_waited_for() {
    for first in 1..4 {
        let env = Env::new();
        for number in 0..40 {
            env.write(format!("d{number}/a.py"), format!("def zebra_{number}(stripes):\n    return stripes\n"));
        }
        let mut strace = env.other_process("strace");
        let inject = format!("inject=clone3,clone:error=EAGAIN:when={first}+");
        strace.args(["-f", "-qq", "-o", "/dev/null", "-e", "trace=clone3,clone", "-e", &inject]);
        let traced = strace.arg(env!("CARGO_BIN_EXE_whichfn")).args(["zebra", "-q", "--jsonl", "-k", "50"]);
        let mut traced = assert_cmd::Command::from_std(std::mem::replace(traced, env.process()));
        let Ok(output) = traced.timeout(std::time::Duration::from_secs(60)).output() else { return };
        let ran = Ran::new(format!("no thread from the {first}. on"), output);
        match ran.code {
            Some(0) => assert_eq!(ran.names().len(), 40, "{first}"),
            _ => drop(ran.failed(&["cannot start a thread", "ulimit -u"])),
        }
        assert_eq!(env.ask(&["zebra", "-q", "-k", "50"]).len(), 40, "{first}");
    }
}

/// A model command needs threads for its pipes and for signals.
#[test]
#[cfg(target_os = "linux")]
fn a_refused_thread_fails_the_models_command_without_a_panic() {
    let env = about_to_write(false);
    env.run(&QUESTION).found();
    for refused in 1..9 {
        let mut strace = env.other_process("strace");
        let inject = format!("inject=clone3,clone:error=EAGAIN:when={refused}");
        strace.args(["-f", "-qq", "-o", "/dev/null", "-e", "trace=clone3,clone", "-e", &inject]);
        let program = env!("CARGO_BIN_EXE_whichfn");
        let Ok(output) = strace.arg(program).args(QUESTION).args(["--llm-cmd", "cat"]).output() else { return };
        let ran = Ran::new(format!("the {refused}. thread is refused"), output);
        assert!(ran.code.is_some() && !ran.err.contains("panicked"), "{ran:#?}");
    }
}

/// Each run tries to read an unreadable file again, even if its times are unchanged.
#[test]
#[cfg(target_os = "linux")]
fn an_unreadable_file_is_tried_again() {
    let env = Env::with(&[("a.py", BEFORE), ("b.py", "def quagga(stripes):\n    return stripes\n")]);
    let log = env.outside("calls");
    let mut strace = env.other_process("strace");
    strace.args(["-f", "-qq", "-o"]).arg(&log).arg("-P").arg(env.at("b.py"));
    // Covers both system calls that open a file. `-P` also matches a file that is opened relative
    // to a directory descriptor.
    strace.args(["-e", "trace=openat,openat2", "-e", "inject=openat,openat2:error=EACCES"]);
    let _ = strace.arg(env!("CARGO_BIN_EXE_whichfn")).args(["index", "-q"]).output();
    assert_eq!(env.ask(&["quagga", "-q", "-k", "1"]), ["quagga"]);
}

/// `WHICHFN_KILLS=N` sets the number of kills. The default is eight.
#[test]
fn the_next_answer_after_a_kill_is_right() {
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
        // The golden ratio spreads the kills evenly over the duration of a refresh.
        let share = (round as f64 * 0.618_033_988_75).fract();
        std::thread::sleep(std::time::Duration::from_micros((share * 60_000.0) as u64));
        child.kill().expect("killed, or ended before");
        hit += usize::from(!child.wait().expect("ended").success());
        env.run(&["lion_3_3", "-q", "--jsonl", "-k", "1", "--no-update"]).found();
        assert_eq!(env.ask(&["zebra", "-q", "-k", "1"]), [format!("zebra_{round}")], "round {round}");
    }
    println!("{hit} of {kills} were still running");
}
