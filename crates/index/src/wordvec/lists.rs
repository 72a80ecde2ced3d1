//! The words of each definition in a file, as numbers of the table. A search computes the vector of
//! a definition from them.
//!
//! Each definition has three fields: parameters, body and strings. A field is stored as the number
//! of its words, followed by the differences between their sorted numbers. A word that occurs twice
//! is stored once. The other words of a definition (name, path, documentation) are in the graph as
//! text.
//!
//! - **Cost:** a hash look-up per word when a file is indexed; about 1.3 bytes per word on disk
//! - **Alternatives:** storing the vectors takes 256 bytes per definition, four times the size of
//!   the words

use super::table::{WordId, WordTable};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use whichfn_syntax::ids::LocalId;
use whichfn_syntax::parse::{Field, FieldWords};
use whichfn_syntax::varint;

/// The fields with lists.
const LISTED_FIELDS: [Field; WordLists::FIELDS] = [Field::Parameters, Field::Body, Field::Strings];

/// A cache of word numbers, indexed by the hash of the stem. Each thread has its own cache.
///
/// The probability that any two of a million stems share a hash is 3e-8.
#[derive(Default)]
pub struct Numbers {
    seen: FxHashMap<u64, Option<WordId>>,
}

impl Numbers {
    /// Returns the number of a stem, or `None` if the table does not contain it; `hash` is its
    /// [`whichfn_text::stem_hash`].
    pub fn number(&mut self, table: &WordTable<'_>, stem: &str, hash: u64) -> Option<WordId> {
        *self.seen.entry(hash).or_insert_with(|| table.number(stem))
    }
}

/// The words of one definition for each field, sorted, without duplicates.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordLists {
    /// Words in parameters and results.
    pub parameters: Vec<WordId>,
    /// Identifiers in the body.
    pub body: Vec<WordId>,
    /// Words in strings and comments.
    pub strings: Vec<WordId>,
}

impl WordLists {
    const FIELDS: usize = 3;

    /// Packs the lists of a file's definitions.
    pub fn pack(words: &FieldWords, table: &WordTable<'_>, numbers: &mut Numbers) -> Vec<u8> {
        let numbers_by_stem: Vec<_> = words.stems().map(|(stem, hash)| numbers.number(table, stem, hash)).collect();
        let (mut out, mut list) = (Vec::new(), Vec::new());
        for definition in (0..words.definitions()).map(LocalId::new) {
            for field in LISTED_FIELDS {
                list.clear();
                list.extend(
                    words.field_words(definition, field).iter().filter_map(|word| numbers_by_stem[word.stem as usize]),
                );
                list.sort_unstable();
                varint::write(&mut out, list.len() as u32);
                let mut last = 0;
                for word in &list {
                    varint::write(&mut out, u32::from(word.0) - last);
                    last = u32::from(word.0);
                }
            }
        }
        out
    }

    /// Reads the lists of the definitions at these positions in the file, which must be sorted.
    ///
    /// Lists beyond the end of truncated data are empty.
    pub fn read(mut packed: &[u8], places: &[usize]) -> Vec<Self> {
        let mut out = Vec::with_capacity(places.len());
        let mut at = 0;
        for &place in places {
            let mut lists = Self::read_next(&mut packed);
            while at < place {
                at += 1;
                lists = Self::read_next(&mut packed);
            }
            at += 1;
            out.push(lists.unwrap_or_default());
        }
        out
    }

    fn read_next(packed: &mut &[u8]) -> Option<Self> {
        let mut field = || {
            let count = varint::read(packed)?;
            let mut last = 0;
            (0..count)
                .map(|_| {
                    last = varint::read(packed)?.checked_add(last)?;
                    Some(WordId(u16::try_from(last).ok()?))
                })
                .collect::<Option<Vec<WordId>>>()
        };
        Some(Self { parameters: field()?, body: field()?, strings: field()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use whichfn_syntax::lang::Registry;
    use whichfn_syntax::parse::{Parser, parse};

    /// Packs the words of a Python file.
    fn packed(text: &str) -> Vec<u8> {
        let registry = Registry::builtin().expect("languages");
        let language = registry.language(registry.detect("a.py").expect("Python")).expect("Python");
        let parsed = parse(&mut Parser::default(), language, "a.py", text).expect("data");
        let (_, words) = parsed.expect("parses");
        WordLists::pack(&words, &WordTable::builtin(), &mut Numbers::default())
    }

    #[test]
    fn lists_are_sorted_and_unique() {
        let packed =
            packed("def a(path):\n    open(read(open))\ndef b():\n    pass\ndef c(text, path):\n    split(xqzzyq)\n");
        let all = WordLists::read(&packed, &[0, 1, 2, 3]);
        let numbers = |words: [&str; 2]| {
            let mut numbers = words.map(|word| WordTable::builtin().number(word).expect("a frequent stem"));
            numbers.sort_unstable();
            numbers
        };
        assert_eq!(all[1].body, numbers(["open", "read"]));
        assert_eq!(all[2], WordLists::default());
        assert_eq!(all[3].parameters, numbers(["path", "text"]));
        assert_eq!(all[3].body.len(), 1, "a word that the table lacks is left out");
        for places in [vec![0], vec![1], vec![2], vec![0, 3], vec![1, 2]] {
            let some: Vec<WordLists> = places.iter().map(|&place| all[place].clone()).collect();
            assert_eq!(WordLists::read(&packed, &places), some, "{places:?}");
        }
    }

    #[test]
    fn truncated_bytes_give_empty_lists() {
        let packed = packed("def a(path):\n    open(read)\n");
        assert_eq!(WordLists::read(&packed[..packed.len() - 2], &[1, 2]), vec![WordLists::default(); 2]);
    }
}
