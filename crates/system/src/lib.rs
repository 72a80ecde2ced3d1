//! Errors, threads, processes and untrusted files: what every crate needs from the operating
//! system.

pub mod error;
pub mod process_group;
pub mod threads;
pub mod untrusted;
