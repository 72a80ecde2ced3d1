//! The text index's tokenizer: takes words apart that were joined by single blanks. tantivy's own decodes each character.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// Splits at blanks.
#[derive(Debug, Clone, Default)]
pub(super) struct Joined {
    token: Token,
}

pub(super) struct Words<'a> {
    rest: &'a str,
    token: &'a mut Token,
}

impl Tokenizer for Joined {
    type TokenStream<'a> = Words<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Words<'a> {
        self.token.reset();
        Words { rest: text, token: &mut self.token }
    }
}

impl TokenStream for Words<'_> {
    fn advance(&mut self) -> bool {
        if self.rest.is_empty() {
            return false;
        }
        // Words are short: looking at each byte is faster than a search for long texts.
        let end = self.rest.bytes().position(|byte| byte == b' ').unwrap_or(self.rest.len());
        self.token.text.clear();
        self.token.text.push_str(&self.rest[..end]);
        self.token.position = self.token.position.wrapping_add(1);
        self.rest = self.rest.get(end + 1..).unwrap_or_default();
        true
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_words_come_apart() {
        let mut joined = Joined::default();
        for (text, expected) in [("", &[][..]), ("größe", &["größe"]), ("pars the date", &["pars", "the", "date"])]
        {
            let (mut stream, mut found) = (joined.token_stream(text), Vec::new());
            while let Some(token) = stream.next() {
                found.push((token.position, token.text.clone()));
            }
            let expected: Vec<(usize, String)> = expected.iter().map(|word| word.to_string()).enumerate().collect();
            assert_eq!(found, expected);
        }
    }
}
