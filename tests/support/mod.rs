//! What several tests share: the fixture reader and a home of their own for end-to-end runs.
#![allow(dead_code)] // each test file uses its part

pub mod case;
pub mod env;
pub mod rooms;
