//! Counts what tree-sitter's C library allocates in the current thread: bytes, and the nodes of the
//! parser's stack.
//!
//! A parser that follows several interpretations of source text at once needs memory and time that
//! its progress reports do not show. 23 kB of damaged C# took 1.9 GB, and 50 kB of damaged Haskell
//! took minutes: at each error, the parser walks back over its stack, past 16 nodes that are neither
//! comments nor white space. That may be the whole stack. Therefore, allocations are counted. Freed
//! stack nodes are subtracted; other freed memory is not, because its size is unknown.
//!
//! A stack node, and the list that the parser allocates for each error, are recognized by the sizes
//! of their blocks. A test fails if another version of tree-sitter changes these sizes.
//!
//! **Cost:** one look at the size of a block, and one addition to a thread-local counter, per
//! allocation.

use std::cell::Cell;
use std::ffi::c_void;
use std::sync::OnceLock;
use tree_sitter::Allocator;

/// Number of nodes on the stack whose visit takes as long as all else that the parser tries at an
/// error, which takes up to 165 µs.
const ERROR_NODES: usize = 400;

/// What one thread has allocated since it started, by parsers created after [`count_allocations`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Allocations {
    /// Number of bytes, including those that were freed.
    pub bytes: usize,
    /// Number of nodes on the parser's stack. Other blocks of the same size count as well.
    pub stack_nodes: usize,
    /// Number of errors from which the parser tried to recover, including some that it did not keep.
    pub errors: usize,
    /// Sum of the numbers of nodes that were on the stack at each error.
    pub nodes_at_errors: usize,
}

impl Allocations {
    /// Returns the parser's work for errors, in nodes on its stack.
    pub fn error_work(&self) -> usize {
        self.nodes_at_errors + self.errors * ERROR_NODES
    }
}

thread_local! {
    static ALLOCATIONS: Cell<Allocations> =
        const { Cell::new(Allocations { bytes: 0, stack_nodes: 0, errors: 0, nodes_at_errors: 0 }) };
}

/// A node of the stack, as in `stack.c` of tree-sitter. Only the size matters.
#[repr(C)]
struct StackNode {
    state: u16,
    position: [u32; 3],
    links: [(*mut c_void, *mut c_void, bool); 8],
    link_count: u16,
    counts: [u32; 4],
}

/// The list of states in which the parser may recover from an error, as in `stack.c` of tree-sitter.
#[repr(C)]
struct StackSummary {
    contents: *mut c_void,
    size: [u32; 2],
}

/// Number of bytes that the C library reserves for a stack node.
static NODE_BLOCK: OnceLock<usize> = OnceLock::new();

/// Returns what this thread has allocated.
pub(super) fn allocations() -> Allocations {
    ALLOCATIONS.get()
}

/// Starts counting allocations. This must be called before a parser is created. A second call does
/// nothing.
pub(super) fn count_allocations() {
    NODE_BLOCK.get_or_init(|| {
        let allocator = Allocator { malloc, calloc, realloc, free };
        // SAFETY: all four use the C library's own functions, as tree-sitter's default does, so a
        // block from one may be freed by the other; none returns null for a size above 0;
        // `OnceLock` makes other threads that create a parser wait, and a parser is the only thing
        // here that allocates.
        #[allow(unsafe_code)]
        unsafe {
            tree_sitter::set_allocator(Some(allocator));
            let node = libc::malloc(size_of::<StackNode>());
            let size = block_size(node);
            libc::free(node);
            size
        }
    });
}

/// Returns the number of bytes in a block, or 0 if that is unknown.
///
/// # Safety
/// The block must come from the C library, or be null.
#[allow(unsafe_code)]
unsafe fn block_size(block: *mut c_void) -> usize {
    if block.is_null() {
        return 0;
    }
    #[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
    // SAFETY: the caller's promise.
    return unsafe { libc::malloc_usable_size(block) };
    #[cfg(target_vendor = "apple")]
    // SAFETY: the caller's promise.
    return unsafe { libc::malloc_size(block) };
    #[cfg(windows)]
    // SAFETY: the caller's promise.
    return unsafe { libc::_msize(block) };
    #[allow(unreachable_code)] // on the systems above
    0
}

/// Counts a block that was allocated with a size, and returns it.
///
/// Aborts the program if memory is exhausted, as tree-sitter's default allocator does, because
/// tree-sitter's code does not check for null.
fn counted(block: *mut c_void, bytes: usize) -> *mut c_void {
    if block.is_null() && bytes > 0 {
        std::process::abort();
    }
    let mut all = ALLOCATIONS.get();
    all.bytes = all.bytes.wrapping_add(bytes);
    // SAFETY: the block comes from the C library.
    #[allow(unsafe_code)]
    if NODE_BLOCK.get() == Some(&unsafe { block_size(block) }) {
        all.stack_nodes += 1;
    }
    if bytes == size_of::<StackSummary>() {
        all.errors += 1;
        all.nodes_at_errors = all.nodes_at_errors.saturating_add(all.stack_nodes);
    }
    ALLOCATIONS.set(all);
    block
}

/// Stops counting a block.
///
/// # Safety
/// The block must come from the C library, or be null.
#[allow(unsafe_code)]
unsafe fn uncounted(block: *mut c_void) -> *mut c_void {
    // SAFETY: the caller's promise.
    if NODE_BLOCK.get() == Some(&unsafe { block_size(block) }) {
        let mut all = ALLOCATIONS.get();
        // A block may be freed by another thread than the one that allocated it.
        all.stack_nodes = all.stack_nodes.saturating_sub(1);
        ALLOCATIONS.set(all);
    }
    block
}

extern "C" fn malloc(bytes: usize) -> *mut c_void {
    // SAFETY: accepts any size.
    #[allow(unsafe_code)]
    counted(unsafe { libc::malloc(bytes) }, bytes)
}

extern "C" fn calloc(many: usize, bytes: usize) -> *mut c_void {
    // SAFETY: accepts any sizes, and returns null if their product is too large.
    #[allow(unsafe_code)]
    counted(unsafe { libc::calloc(many, bytes) }, many.saturating_mul(bytes))
}

#[allow(unsafe_code)]
unsafe extern "C" fn realloc(block: *mut c_void, bytes: usize) -> *mut c_void {
    // SAFETY: the caller, tree-sitter, passes a block that it received here or from the C library,
    // or null.
    counted(unsafe { libc::realloc(uncounted(block), bytes) }, bytes)
}

#[allow(unsafe_code)]
unsafe extern "C" fn free(block: *mut c_void) {
    // SAFETY: as for `realloc`.
    unsafe { libc::free(uncounted(block)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses a text, and returns what the thread has allocated meanwhile.
    fn allocated_for(source: &str) -> Allocations {
        count_allocations();
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&whichfn_parsers::GO.into()).expect("a parser");
        let before = allocations();
        let mut most = 0;
        let mut progress = |_: &tree_sitter::ParseState| {
            most = allocations().stack_nodes.max(most);
            std::ops::ControlFlow::Continue(())
        };
        let options = tree_sitter::ParseOptions::new().progress_callback(&mut progress);
        let mut read = |at: usize, _: tree_sitter::Point| source.as_bytes().get(at..).unwrap_or_default();
        parser.parse_with_options(&mut read, None, Some(options)).expect("a tree");
        let after = allocations();
        Allocations {
            bytes: after.bytes - before.bytes,
            stack_nodes: most - before.stack_nodes,
            errors: after.errors - before.errors,
            nodes_at_errors: after.nodes_at_errors - before.nodes_at_errors,
        }
    }

    #[test]
    fn nodes_on_the_stack_are_counted() {
        let (flat, deep) = (allocated_for(&"var a = (1)\n".repeat(5_000)), allocated_for(&"(".repeat(5_000)));
        assert!(flat.stack_nodes < 500, "{flat:?}");
        assert!((4_500..20_000).contains(&deep.stack_nodes), "{deep:?}");
    }

    #[test]
    fn nodes_at_errors_are_counted() {
        let comments = "// a\n".repeat(2_000);
        let valid = allocated_for(&format!("{comments}{}", "var a = 1\n".repeat(50)));
        let damaged = allocated_for(&format!("{comments}{}", "var = = 1\n".repeat(50)));
        assert!(valid.nodes_at_errors < 5_000, "{valid:?}");
        assert!(damaged.errors >= 50 && damaged.nodes_at_errors > 50 * 2_000, "{damaged:?}");
    }
}
