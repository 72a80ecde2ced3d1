//! Tests of splitting and search.

mod split;
