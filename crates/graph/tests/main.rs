//! One test program with a module for each file, so that cargo links once.
#![allow(clippy::disallowed_methods)] // a test reads the sources of the program

mod built_names;
mod call_forms;
mod function_types;
mod implied;
mod languages;
mod library_types;
mod linking;
mod names;
mod narrowing;
mod operators;
mod relinking;
mod tables;
mod wide_sets;
