//! Returns free memory to the system: the allocator of glibc keeps memory that threads used for
//! thousands of small texts as long as any memory next to it is in use.

/// Returns free memory to the system, in some milliseconds.
///
/// This is called before linking, which needs large tables: Django's index takes 128 MB in place of
/// 156, a million functions 1.2 GB in place of 1.4. Other allocators return memory by themselves,
/// or never.
pub(super) fn release_free_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: takes a number, and may be called at any time by any thread.
    #[allow(unsafe_code)]
    unsafe {
        libc::malloc_trim(0);
    }
}
