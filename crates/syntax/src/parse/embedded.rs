//! The code in a file that contains more than code: a component with markup, or a notebook.

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
