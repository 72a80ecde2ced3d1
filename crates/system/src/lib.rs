//! Errors, threads, processes and untrusted files: the operating-system services that all crates
//! need.

pub mod error;
pub mod platform;
pub mod process_group;
pub mod threads;
pub mod untrusted;
pub mod whole_file;
