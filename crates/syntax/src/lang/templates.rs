//! Finds the code in templates, which have no parser.

use rustc_hash::FxHashSet;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;
use whichfn_text::occurrences;

/// Maximum length of an attribute's name in bytes.
const MAX_NAME: usize = 64;

/// The templates: their file extensions and the signs around their code.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Templates {
    pub extensions: FxHashSet<String>,
    /// Signs that close code, indexed by the sign that opens it.
    code: BTreeMap<String, String>,
    /// Beginnings of the names of attributes whose values are code.
    attributes: Vec<String>,
    /// Keys in source files whose values are templates.
    keys: Vec<String>,
}

impl Templates {
    /// Returns the byte ranges of the code in a template, sorted. The scan passes over the text once
    /// for each kind of sign at most.
    pub fn code_in(&self, text: &str) -> Vec<Range<usize>> {
        let (bytes, mut found, mut at) = (text.as_bytes(), Vec::new(), 0);
        let mut signs: Vec<(&[u8], &str)> =
            self.code.iter().map(|(open, close)| (open.as_bytes(), &close[..])).collect();
        while at < bytes.len() {
            if let Some(number) = signs.iter().position(|(open, _)| bytes[at..].starts_with(open)) {
                let (open, close) = signs[number];
                let start = at + open.len();
                match memchr::memmem::find(&bytes[start..], close.as_bytes()) {
                    Some(length) => {
                        found.push(start..start + length);
                        at = start + length + close.len();
                    }
                    // There is no such sign in the rest of the text.
                    None => drop(signs.remove(number)),
                }
                continue;
            }
            at += 1;
            if bytes[at - 1] == b'='
                && matches!(bytes.get(at), Some(b'"' | b'\''))
                && self.is_attribute(&bytes[..at - 1])
            {
                let Some(length) = memchr::memchr(bytes[at], &bytes[at + 1..]) else { continue };
                found.push(at + 1..at + 1 + length);
                at += length + 2;
            }
        }
        found
    }

    /// Returns the byte ranges of the code in the templates that a source file contains as the value
    /// of a key (``template: `<b (click)="save()">` ``), sorted.
    pub fn code_in_values(&self, text: &str) -> Vec<Range<usize>> {
        let (mut found, mut at) = (Vec::new(), 0);
        let mut starts: Vec<usize> =
            self.keys.iter().flat_map(|key| occurrences(text, key).map(|start| start + key.len())).collect();
        starts.sort_unstable();
        for start in starts {
            let value = text[start..].trim_start().strip_prefix(':').map(str::trim_start).unwrap_or_default();
            let Some(quote) = value.chars().next().filter(|c| matches!(c, '`' | '"' | '\'')) else { continue };
            let from = text.len() - value.len() + 1;
            let Some(length) = text[from..].find(quote).filter(|_| from >= at) else { continue };
            at = from + length;
            found.extend(self.code_in(&text[from..at]).into_iter().map(|code| code.start + from..code.end + from));
        }
        found
    }

    /// Checks whether a text ends with the name of an attribute whose value is code.
    fn is_attribute(&self, before: &[u8]) -> bool {
        let near = &before[before.len().saturating_sub(MAX_NAME)..];
        let start = near.iter().rposition(u8::is_ascii_whitespace).map_or(0, |at| at + 1);
        self.attributes.iter().any(|prefix| near[start..].starts_with(prefix.as_bytes()))
    }
}
