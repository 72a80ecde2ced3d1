//! The index of a repository on disk. Files become fragments, words and a graph, which are written
//! once and read in place.

pub mod embed;
pub mod fragment;
pub mod index;
pub mod source;
pub mod store;
pub mod wordvec;
