//! How many bytes the C library of tree-sitter has asked for in this thread.
//!
//! A parser that follows several readings of a text at once takes memory that its progress reports do not show: 23 kB of
//! damaged C# took 1.9 GB. So its requests are counted; what is given back is not, because then each block would need
//! its size beside it, and blocks from before [`count_requests`] have none.
//!
//! Price: one addition to a thread's own counter for each request.

use std::cell::Cell;
use std::ffi::c_void;
use std::sync::Once;
use tree_sitter::Allocator;

thread_local! {
    static REQUESTED: Cell<usize> = const { Cell::new(0) };
}

/// Bytes requested in this thread since it began, by parsers made after [`count_requests`].
pub(super) fn requested() -> usize {
    REQUESTED.get()
}

/// From now on requests are counted. To be called before a parser is made; a second call does nothing.
pub(super) fn count_requests() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let allocator = Allocator { malloc, calloc, realloc, free: libc::free };
        // SAFETY: all four are the C library's own functions, as in tree-sitter's default, so a block of the one may be
        // given back to the other; none gives null for a size above 0; `Once` keeps other threads that make a parser
        // waiting, and a parser is the only thing here that allocates.
        #[allow(unsafe_code)]
        unsafe {
            tree_sitter::set_allocator(Some(allocator));
        }
    });
}

fn count(bytes: usize) {
    REQUESTED.set(REQUESTED.get().wrapping_add(bytes));
}

/// Ends the program where there is no memory, as tree-sitter does by itself: its code does not look.
fn some(block: *mut c_void, bytes: usize) -> *mut c_void {
    if block.is_null() && bytes > 0 {
        std::process::abort();
    }
    block
}

extern "C" fn malloc(bytes: usize) -> *mut c_void {
    count(bytes);
    // SAFETY: takes any size.
    #[allow(unsafe_code)]
    some(unsafe { libc::malloc(bytes) }, bytes)
}

extern "C" fn calloc(many: usize, bytes: usize) -> *mut c_void {
    let all = many.saturating_mul(bytes);
    count(all);
    // SAFETY: takes any sizes, and gives null where their product is too large.
    #[allow(unsafe_code)]
    some(unsafe { libc::calloc(many, bytes) }, all)
}

#[allow(unsafe_code)]
unsafe extern "C" fn realloc(block: *mut c_void, bytes: usize) -> *mut c_void {
    count(bytes);
    // SAFETY: the caller, tree-sitter, hands over a block that it got here or from the C library, or null.
    some(unsafe { libc::realloc(block, bytes) }, bytes)
}
