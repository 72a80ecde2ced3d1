//! Starts threads in a way that neither hangs nor panics when the system refuses to start one.
//!
//! `std::thread::spawn` and `rayon` panic when a thread cannot be started. In a scope, or in a pool
//! on which other threads already wait, such a panic can turn into a deadlock. The functions in
//! this module do the work with fewer threads instead.

use crate::error::{Error, Kind, Result};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;
use std::time::Duration;

/// Size in bytes of the stack of a thread that parses files: the threads of the pool. It is virtual
/// memory, of which only the used part is allocated. The parsers' C code frees some of its
/// structures in a recursion whose depth grows with the file.
pub const STACK_SIZE: usize = 64 << 20;

/// Applies `f` to every item on up to `max_threads` threads, with at least `min_items` items per
/// thread, and returns the results in the order of the items.
///
/// The current thread does part of the work, so the call succeeds even if no thread can be started.
pub fn map<T: Sync, R: Send>(items: &[T], max_threads: usize, min_items: usize, f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = max_threads.min(items.len() / min_items.max(1)).max(1);
    if threads == 1 {
        return items.iter().map(f).collect();
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let take = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&at| at < items.len());
        std::iter::from_fn(take).map(|at| (at, f(&items[at]))).collect::<Vec<_>>()
    };
    let mut done = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map_while(|_| Builder::new().spawn_scoped(scope, work).ok()).collect();
        let mut done = work();
        for other in others {
            done.extend(other.join().unwrap_or_else(|cause| std::panic::resume_unwind(cause)));
        }
        done
    });
    done.sort_unstable_by_key(|&(at, _)| at);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Starts the threads of the global `rayon` pool, as many as the system allows. Does nothing if the
/// pool is already running.
///
/// `rayon` gives up permanently when it cannot start every thread of its global pool, and each
/// later use of the pool panics. The threads are therefore started first, and the pool is built
/// from the threads that started.
///
/// # Errors
/// Returns an error if no thread can be started. A later call tries again.
pub fn start_pool() -> Result<()> {
    static RUNS: Mutex<bool> = Mutex::new(false);
    let mut runs = RUNS.lock().unwrap_or_else(PoisonError::into_inner);
    if *runs {
        return Ok(());
    }
    let wanted =
        std::env::var("RAYON_NUM_THREADS").ok().and_then(|count| count.parse().ok()).filter(|&count| count > 0);
    let wanted = wanted.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let mut started = Vec::new();
    for number in 0..wanted {
        let (sender, receiver) = channel::<rayon::ThreadBuilder>();
        let run = move || receiver.into_iter().for_each(rayon::ThreadBuilder::run);
        match Builder::new().name(format!("rayon-{number}")).stack_size(STACK_SIZE).spawn(run) {
            Ok(_) => started.push(sender),
            Err(cause) if number == 0 => return Err(no_thread(&cause)),
            Err(cause) => {
                tracing::debug!(%cause, started = number, wanted, "started fewer threads than requested");
                break;
            }
        }
    }
    let builder = rayon::ThreadPoolBuilder::new().num_threads(started.len());
    let spawn_handler = |thread| {
        let disconnected = || std::io::Error::other("the thread ended early");
        started.pop().and_then(|sender| sender.send(thread).ok()).ok_or_else(disconnected)
    };
    // An error means that the program that embeds this library has already built the pool.
    let _ = builder.spawn_handler(spawn_handler).build_global();
    *runs = true;
    Ok(())
}

/// Runs `work` on a thread of the pool, whose stack is large enough for a parser.
///
/// # Errors
/// Returns an error if no thread can be started.
pub fn in_pool<R: Send>(work: impl FnOnce() -> R + Send) -> Result<R> {
    start_pool()?;
    Ok(rayon::scope(|_| work()))
}

/// Returns the processor time that the current thread has used, if the system measures it.
pub fn thread_time() -> Option<Duration> {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?))
    }
    #[cfg(not(unix))]
    None
}

/// Returns the error for a thread that could not be started.
pub fn no_thread(cause: &std::io::Error) -> Error {
    let next = "close other programs, or raise the limits on processes and memory (ulimit -u, ulimit -v)";
    Error::new(Kind::Index, format!("cannot start a thread: {cause}"), next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_results_in_item_order() {
        let items: Vec<usize> = (0..1000).collect();
        assert_eq!(map(&items, 8, 10, |item| item * 2), (0..2000).step_by(2).collect::<Vec<_>>());
        assert!(map(&[] as &[usize], 8, 10, |item| item * 2).is_empty());
    }

    #[test]
    fn starting_the_pool_twice_succeeds() {
        assert!(start_pool().is_ok() && start_pool().is_ok());
        assert!(rayon::current_num_threads() > 0);
    }
}
