//! What several tests share: the fixture reader, a home of their own for end-to-end runs, and random small
//! repositories with a slow, plain computation of what is related in them, and a scripted server of a language model.
#![allow(dead_code)] // each test file uses its part

pub mod case;
pub mod env;
pub mod rooms;
pub mod server;
pub mod slow;
pub mod small;
