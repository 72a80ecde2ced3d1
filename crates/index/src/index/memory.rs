//! Returns free memory to the system. The allocator of glibc keeps the memory of thousands of small
//! strings that threads have freed, as long as any adjacent memory is in use.

/// Returns free memory to the system, which takes a few milliseconds.
///
/// This is called before linking, which needs large tables. It reduces the peak for Django's index
/// from 156 MB to 128 MB, and for a million functions from 1.4 GB to 1.2 GB. Other allocators
/// return memory by themselves or never.
pub(super) fn release_free_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: takes a number, and may be called at any time by any thread.
    #[allow(unsafe_code)]
    unsafe {
        libc::malloc_trim(0);
    }
}
