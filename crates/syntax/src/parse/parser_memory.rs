//! Counts the bytes that tree-sitter's C library allocates in the current thread.
//!
//! A parser that follows several interpretations of source text at once needs memory that its
//! progress reports do not show: 23 kB of damaged C# took 1.9 GB. Therefore, its allocations are
//! counted. Freed memory is not subtracted, because the size of each block would have to be stored,
//! and blocks allocated before [`count_requests`] have no stored size.
//!
//! **Cost:** one addition to a thread-local counter per allocation.

use std::cell::Cell;
use std::ffi::c_void;
use std::sync::Once;
use tree_sitter::Allocator;

thread_local! {
    static REQUESTED: Cell<usize> = const { Cell::new(0) };
}

/// Returns the number of bytes allocated in this thread since it started, by parsers created after
/// [`count_requests`].
pub(super) fn requested() -> usize {
    REQUESTED.get()
}

/// Starts counting allocations. This must be called before a parser is created. A second call does
/// nothing.
pub(super) fn count_requests() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let allocator = Allocator { malloc, calloc, realloc, free: libc::free };
        // SAFETY: all four are the C library's own functions, as in tree-sitter's default, so a
        // block from one may be freed by the other; none returns null for a size above 0; `Once`
        // makes other threads that create a parser wait, and a parser is the only thing here that
        // allocates.
        #[allow(unsafe_code)]
        unsafe {
            tree_sitter::set_allocator(Some(allocator));
        }
    });
}

fn count(bytes: usize) {
    REQUESTED.set(REQUESTED.get().wrapping_add(bytes));
}

/// Aborts the program if memory is exhausted, as tree-sitter's default allocator does, because
/// tree-sitter's code does not check for null.
fn some(block: *mut c_void, bytes: usize) -> *mut c_void {
    if block.is_null() && bytes > 0 {
        std::process::abort();
    }
    block
}

extern "C" fn malloc(bytes: usize) -> *mut c_void {
    count(bytes);
    // SAFETY: accepts any size.
    #[allow(unsafe_code)]
    some(unsafe { libc::malloc(bytes) }, bytes)
}

extern "C" fn calloc(many: usize, bytes: usize) -> *mut c_void {
    let all = many.saturating_mul(bytes);
    count(all);
    // SAFETY: accepts any sizes, and returns null if their product is too large.
    #[allow(unsafe_code)]
    some(unsafe { libc::calloc(many, bytes) }, all)
}

#[allow(unsafe_code)]
unsafe extern "C" fn realloc(block: *mut c_void, bytes: usize) -> *mut c_void {
    count(bytes);
    // SAFETY: the caller, tree-sitter, passes a block that it received here or from the C library,
    // or null.
    some(unsafe { libc::realloc(block, bytes) }, bytes)
}
