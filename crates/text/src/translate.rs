//! Translates the words of a question that is not in English.
//!
//! The words are data (`translations.txt`). Only words that neither English nor the searched code
//! contains are translated, so an English question never changes.

use super::stop::{is_scaffold, is_stop_word};
use std::sync::LazyLock;

/// Maximum length in bytes of a question that is translated. Longer texts are logs or issues.
const LONGEST: usize = 1_000;
/// Minimum number of letters of the second part of a compound word.
const SHORTEST_PART: usize = 4;
/// Maximum length of the ending of a word that shows its language.
const LONGEST_ENDING: usize = 3;
/// Minimum number of unknown words in Latin letters that show another language.
const UNKNOWN_WORDS: usize = 3;

/// A question that is not in English.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ForeignQuestion {
    /// Some of its words are translated.
    Translated {
        /// English name of the language.
        language: &'static str,
        /// Question in English words.
        english: String,
    },
    /// No word is known.
    Unknown,
}

/// A language, and what is translated from it.
struct Language {
    code: &'static str,
    name: &'static str,
    /// True if words are not separated by spaces.
    is_unspaced: bool,
    /// True if a word may consist of several.
    has_compounds: bool,
    /// Words without a meaning for a search.
    dropped: Vec<String>,
    entries: Vec<Entry>,
}

/// A translation.
struct Entry {
    /// Words of the other language, in lower case and without accents.
    words: Vec<String>,
    /// True if the last word may have any ending.
    is_prefix: bool,
    english: &'static str,
}

/// A part of a question.
enum Piece<'t> {
    /// A name in code form, a number or a text in quotation marks.
    Verbatim(&'t str),
    /// A word as written, and in lower case without accents.
    Word(&'t str, String),
}

static LANGUAGES: LazyLock<Vec<Language>> = LazyLock::new(|| {
    let mut languages: Vec<Language> = Vec::new();
    for line in include_str!("translations.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let Some((head, words)) = line.split_once(": ") else { continue };
        if let Some(head) = head.strip_prefix("language ") {
            let mut head = head.split(' ');
            let (code, name) = (head.next().unwrap_or_default(), head.next().unwrap_or_default());
            let traits: Vec<&str> = head.collect();
            languages.push(Language {
                code,
                name,
                is_unspaced: traits.contains(&"unspaced"),
                has_compounds: traits.contains(&"compounds"),
                dropped: words.split(' ').map(plain).collect(),
                entries: Vec::new(),
            });
            continue;
        }
        for part in words.split("; ") {
            let Some((code, words)) = part.split_once(' ') else { continue };
            let Some(language) = languages.iter_mut().find(|language| language.code == code) else { continue };
            language.entries.extend(words.split(' ').flat_map(|word| entries(word, head)));
        }
    }
    languages
});

/// Returns the translations of a word of the table: as written, and with the letters `ae`, `oe` and
/// `ue` in place of umlauts.
fn entries(word: &'static str, english: &'static str) -> Vec<Entry> {
    let (text, is_prefix) = word.strip_suffix('*').map_or((word, false), |start| (start, true));
    let entry = |text: &str| Entry { words: text.split('_').map(plain).collect(), is_prefix, english };
    let spelled = text.replace('ä', "ae").replace('ö', "oe").replace('ü', "ue");
    match spelled == text {
        true => vec![entry(text)],
        false => vec![entry(text), entry(&spelled)],
    }
}

/// Translates a question if it is not in English. `is_known` checks whether a word is English or
/// occurs in the searched code. Returns `None` for a question in English.
///
/// **Cost:** a pass over the table for each word of a short question.
pub fn translate(question: &str, is_known: &dyn Fn(&str) -> bool) -> Option<ForeignQuestion> {
    if question.len() > LONGEST || question.trim().contains('\n') {
        return None;
    }
    let pieces = pieces(question);
    let words = || {
        pieces.iter().filter_map(|piece| match piece {
            Piece::Word(word, plain) => Some((*word, plain.as_str())),
            Piece::Verbatim(_) => None,
        })
    };
    let translated = language_of(question, &pieces, is_known).and_then(|language| {
        let english = language.translated(&pieces, is_known)?;
        Some(ForeignQuestion::Translated { language: language.name, english })
    });
    translated.or_else(|| {
        let is_latin = words().all(|(word, _)| word.is_ascii());
        let is_unknown = words().all(|(word, _)| !is_known(word) && !is_stop_word(&word.to_lowercase()));
        let are_enough = words().count() >= if is_latin { UNKNOWN_WORDS } else { 1 };
        (is_unknown && are_enough && words().count() == pieces.len()).then_some(ForeignQuestion::Unknown)
    })
}

/// Returns the language of a question, or `None` for English and for languages without a table.
fn language_of(question: &str, pieces: &[Piece<'_>], is_known: &dyn Fn(&str) -> bool) -> Option<&'static Language> {
    let is_kana = |c: char| matches!(c, '\u{3040}'..='\u{30ff}');
    let is_han = |c: char| matches!(c, '\u{3400}'..='\u{9fff}');
    if question.contains(is_kana) || question.contains(is_han) {
        let code = if question.contains(is_kana) { "ja" } else { "zh" };
        return LANGUAGES.iter().find(|language| language.code == code);
    }
    let evidence = |language: &Language| {
        let (mut own, mut english, mut is_certain) = (0, 0, false);
        for (at, piece) in pieces.iter().enumerate() {
            let Piece::Word(word, plain) = piece else { continue };
            let lower = word.to_lowercase();
            let is_english = is_stop_word(&lower) || is_scaffold(&lower);
            let is_dropped = language.dropped.contains(plain);
            let entry = language.entry_at(&pieces[at..]).filter(|entry| !is_known(word) && entry.english != plain);
            if is_dropped && !is_english || entry.is_some() {
                own += 1;
                // An unusual English word may start like a word of another language.
                let ending = entry.map_or(0, |entry| plain.len().saturating_sub(entry.words[0].len()));
                is_certain |= ending <= LONGEST_ENDING || !word.is_ascii();
            } else if is_english && !is_dropped {
                english += 1;
            }
        }
        (is_certain && own > english).then_some(own)
    };
    let found = LANGUAGES.iter().filter_map(|language| Some((evidence(language)?, language)));
    // Of languages with the same evidence, the first of the table.
    found.reduce(|best, other| if other.0 > best.0 { other } else { best }).map(|(_, language)| language)
}

impl Language {
    /// Returns the question in English words, or `None` if no word that describes code is translated.
    fn translated(&self, pieces: &[Piece<'_>], is_known: &dyn Fn(&str) -> bool) -> Option<String> {
        let (mut out, mut count): (Vec<&str>, usize) = (Vec::new(), 0);
        let mut at = 0;
        while let Some(piece) = pieces.get(at) {
            at += 1;
            let (word, plain) = match piece {
                Piece::Verbatim(text) => {
                    out.push(text);
                    continue;
                }
                Piece::Word(word, plain) => (*word, plain.as_str()),
            };
            let found: Vec<&'static str> = match self.entry_at(&pieces[at - 1..]) {
                Some(entry) if entry.words.len() > 1 => {
                    at += entry.words.len() - 1;
                    vec![entry.english]
                }
                _ if self.dropped.iter().any(|dropped| dropped == plain) => continue,
                _ if is_known(word) => Vec::new(),
                _ if self.is_unspaced => {
                    let (parts, translated) = self.unspaced(word);
                    count += translated;
                    out.extend(parts);
                    continue;
                }
                Some(entry) => std::iter::once(entry.english).chain(self.second_part(entry, plain)).collect(),
                None => Vec::new(),
            };
            count += found.len();
            if found.is_empty() { out.push(word) } else { out.extend(found) }
        }
        let has_content = out.iter().any(|word| !matches!(*word, "function" | "method" | "class" | "code" | "program"));
        (count > 0 && has_content).then(|| as_question(&out, pieces.len()))
    }

    /// Returns the longest translation of the first words.
    fn entry_at(&self, pieces: &[Piece<'_>]) -> Option<&Entry> {
        let fits = |entry: &&Entry| {
            entry.words.len() <= pieces.len()
                && entry.words.iter().zip(pieces).enumerate().all(|(at, (wanted, piece))| match piece {
                    Piece::Word(_, plain) if entry.is_prefix && at + 1 == entry.words.len() => {
                        plain.starts_with(wanted)
                    }
                    Piece::Word(_, plain) => plain == wanted,
                    Piece::Verbatim(_) => false,
                })
        };
        let length = |entry: &&Entry| (entry.words.iter().map(String::len).sum::<usize>(), !entry.is_prefix);
        // Of equally long ones, the first.
        self.entries.iter().filter(fits).reduce(|best, other| if length(&other) > length(&best) { other } else { best })
    }

    /// Returns the translation of what follows the first part of a compound word.
    fn second_part(&self, first: &Entry, plain: &str) -> Option<&'static str> {
        let rest = plain.strip_prefix(first.words.first()?.as_str()).filter(|_| self.has_compounds)?;
        // Letters may connect the parts: `Benachrichtigungsfunktion`.
        let starts = rest.char_indices().map(|(at, _)| &rest[at..]).filter(|part| part.len() >= SHORTEST_PART);
        let mut found = starts.flat_map(|part| {
            self.entries.iter().filter(move |entry| {
                entry.words.len() == 1
                    && entry.words[0].len() >= SHORTEST_PART
                    && (part == entry.words[0] || entry.is_prefix && part.starts_with(entry.words[0].as_str()))
            })
        });
        found.next().map(|entry| entry.english)
    }

    /// Splits a text without spaces into translations, the longest words first, and what is not
    /// translated. Also returns the number of translations.
    fn unspaced<'w>(&self, text: &'w str) -> (Vec<&'w str>, usize) {
        let (mut parts, mut count, mut rest, mut unknown) = (Vec::new(), 0, text, 0);
        while let Some(first) = rest[unknown..].chars().next() {
            let here = &rest[unknown..];
            let found = self.entries.iter().filter(|entry| here.starts_with(entry.words[0].as_str()));
            let found =
                found.reduce(|best, other| if other.words[0].len() > best.words[0].len() { other } else { best });
            let dropped = self.dropped.iter().filter(|word| here.starts_with(word.as_str())).map(String::len).max();
            let (length, english) = match (found, dropped) {
                (Some(entry), dropped) if dropped.is_none_or(|length| length <= entry.words[0].len()) => {
                    (entry.words[0].len(), Some(entry.english))
                }
                (_, Some(length)) => (length, None),
                _ => {
                    unknown += first.len_utf8();
                    continue;
                }
            };
            parts.extend(Some(&rest[..unknown]).filter(|text| !text.is_empty()));
            parts.extend(english);
            count += usize::from(english.is_some());
            (rest, unknown) = (&rest[unknown + length..], 0);
        }
        parts.extend(Some(rest).filter(|text| !text.is_empty()));
        (parts, count)
    }
}

/// Returns a question with these words. The word "function" comes first, as in an English question.
fn as_question(words: &[&str], pieces: usize) -> String {
    let mut words = words.to_vec();
    let (first, last) = (words.first() == Some(&"function"), words.last() == Some(&"function"));
    if last {
        words.pop();
    }
    if first && !words.is_empty() {
        words.remove(0);
    }
    let start = if first || last || pieces > words.len() { "which function " } else { "" };
    start.to_owned() + &words.join(" ")
}

/// Splits a question into words, and what is not translated.
fn pieces(question: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = question;
    while let Some(open) = rest.find(['"', '`']) {
        let mark = &rest[open..=open];
        let Some(close) = rest[open + 1..].find(mark) else { break };
        unquoted(&rest[..open], &mut pieces);
        pieces.push(Piece::Verbatim(&rest[open..open + close + 2]));
        rest = &rest[open + close + 2..];
    }
    unquoted(rest, &mut pieces);
    pieces
}

fn unquoted<'t>(text: &'t str, pieces: &mut Vec<Piece<'t>>) {
    for chunk in text.split_whitespace() {
        let chunk = chunk.trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
        let is_number = chunk.chars().all(|c| c.is_ascii_digit());
        let has_hump =
            chunk.as_bytes().windows(2).any(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase());
        if is_number || has_hump || chunk.contains(['_', '.', ':', '/', '\\', '(', '#', '$', '@', '=', '<']) {
            pieces.extend(Some(Piece::Verbatim(chunk)).filter(|_| !chunk.is_empty()));
            continue;
        }
        let words = chunk.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        pieces.extend(words.map(|word| Piece::Word(word, plain(word))));
    }
}

/// Returns a word in lower case and without accents.
fn plain(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    for c in word.chars().flat_map(char::to_lowercase) {
        match c {
            'à'..='å' | 'ā' | 'ă' => out.push('a'),
            'ç' => out.push('c'),
            'è'..='ë' | 'ē' => out.push('e'),
            'ì'..='ï' => out.push('i'),
            'ñ' => out.push('n'),
            'ò'..='ö' => out.push('o'),
            'ù'..='ü' => out.push('u'),
            'ý' | 'ÿ' => out.push('y'),
            'ß' => out.push_str("ss"),
            'æ' => out.push_str("ae"),
            'œ' => out.push_str("oe"),
            'ё' => out.push('е'),
            // A combining accent.
            '\u{300}'..='\u{36f}' => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// English words that the tests use; the real check is a table of frequent words.
    const ENGLISH: &[&str] = &["cache", "server", "red", "die", "token", "parse", "header", "page", "der", "mail"];

    fn english(question: &str) -> Option<String> {
        let is_known = |word: &str| ENGLISH.contains(&word.to_lowercase().as_str());
        match translate(question, &is_known)? {
            ForeignQuestion::Translated { english, .. } => Some(english),
            ForeignQuestion::Unknown => Some("unknown".to_owned()),
        }
    }

    #[test]
    fn questions_in_several_languages_become_english_words() {
        for (question, expected) in [
            ("welche Funktion löscht den Warenkorb?", "which function delete cart"),
            ("¿Dónde se calcula el descuento del pedido?", "which function calculate discount order"),
            ("où sont triées les factures", "which function triées invoice"),
            ("qual função apaga a sessão", "which function delete session"),
            ("где проверяется подпись токена", "which function check signature token"),
            ("删除订单的函数", "which function delete order"),
            ("ファイルを圧縮する関数", "which function file compress"),
        ] {
            assert_eq!(english(question).as_deref(), Some(expected), "{question}");
        }
    }

    #[test]
    fn names_numbers_and_quotes_are_kept() {
        let kept = "wo wird \"max retries\" von load_config mit 30 geprüft";
        assert_eq!(english(kept).as_deref(), Some("which function \"max retries\" load_config 30 check"));
        assert_eq!(english("用 token 登录").as_deref(), Some("which function token login"));
    }

    #[test]
    fn several_words_and_compounds_are_one_term() {
        assert_eq!(english("vérifie le mot de passe").as_deref(), Some("which function check password"));
        assert_eq!(english("Dateiname ändern").as_deref(), Some("file name change"));
        assert_eq!(english("Passwort pruefen").as_deref(), Some("password check"));
    }

    #[test]
    fn an_english_question_does_not_change() {
        for question in [
            "which function parses the header",
            "der header parse",
            "validatable",
            "parse die header page",
            "Datei cache of the server",
            "red cache",
            "",
            "load_config",
        ] {
            assert_eq!(english(question), None, "{question}");
        }
    }

    #[test]
    fn a_question_without_a_known_word_is_unknown() {
        for question in ["która funkcja wysyła wiadomość", "ποια συνάρτηση στέλνει", "milyen fuggveny kuldi uzenetet"]
        {
            assert_eq!(english(question).as_deref(), Some("unknown"), "{question}");
        }
    }

    #[test]
    fn every_language_has_most_words_of_the_table() {
        for language in LANGUAGES.iter() {
            let mut english: Vec<&str> = language.entries.iter().map(|entry| entry.english).collect();
            english.dedup();
            assert!(english.len() > 180 && !language.dropped.is_empty(), "{}: {}", language.name, english.len());
        }
    }
}
