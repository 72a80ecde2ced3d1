//! One test program with a module for each file, so that cargo links once.

mod languages;
mod linking;
mod relinking;
