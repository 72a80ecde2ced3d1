//! One test program with a module for each file, so that cargo links once.

mod comments;
mod declarations;
mod fragment;
mod postings;
mod totals;
mod type_graph;
