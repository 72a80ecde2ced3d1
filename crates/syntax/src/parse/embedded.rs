//! The code in a file that contains more than code: a component with markup, or a notebook.

use super::markup;
use super::notebook::{self, is_notebook};
use crate::lang::Language;
use std::borrow::Cow;
use std::ops::Range;

/// The code in a file, with the offsets and lines of the file.
#[derive(Debug)]
pub struct Embedded<'s> {
    /// The code. It has as many bytes and lines as the file, and spaces instead of everything else.
    pub code: Cow<'s, str>,
    /// Text whose words count for windows, if it differs from the code. It has the same offsets.
    pub words: Option<&'s str>,
    /// Number of bytes by which the parser's work and memory are limited.
    pub size: usize,
    /// Byte ranges of the text between tags.
    pub texts: Vec<Range<usize>>,
    /// Byte range of the markup, if the file is a component.
    pub markup: Option<Range<usize>>,
}

impl<'s> Embedded<'s> {
    /// Finds the code in a file. Without other parts, this is the whole file. Returns `None` if the
    /// file has an invalid structure.
    pub fn read(language: &Language, path: &str, source: &'s str) -> Option<Self> {
        if is_notebook(path) {
            return notebook::read(&language.spec, source);
        }
        Some(match &language.spec.markup {
            Some(rules) => markup::read(rules, source),
            None => Self { code: source.into(), words: None, size: source.len(), texts: Vec::new(), markup: None },
        })
    }
}
