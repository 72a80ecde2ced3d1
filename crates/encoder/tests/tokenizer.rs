//! Checks how texts are split into tokens. The expected tokens follow the tokenizer of BERT.

use crate::{Model, TOKENS, opened};

/// Returns the tokens of a text between `[CLS]` and `[SEP]`, separated by spaces.
fn tokens(model: &Model, text: &str) -> String {
    let ids = opened(model).token_ids(text);
    let tokens: Vec<&str> = ids.iter().map(|&id| TOKENS[id as usize]).collect();
    let ["[CLS]", inner @ .., "[SEP]"] = &tokens[..] else { panic!("{text:?}: {tokens:?}") };
    inner.join(" ")
}

#[test]
fn splits_texts_as_bert_does() {
    let model = Model::new(1);
    let cases = [
        ("", ""),
        (" \t\r\n\u{a0}\u{2028}", ""),
        ("read the FILE", "read the file"),
        // The longest token first, and the rest with `##`.
        ("unaffable", "un ##aff ##able"),
        ("files ab", "file ##s a ##b"),
        // A word with an unknown part is unknown as a whole.
        ("unaffx read", "[UNK] read"),
        ("unx", "[UNK]"),
        // Accents, composed or not, and ligatures, which are no accents.
        ("CAFÉ cafe\u{301} ﬁle", "cafe cafe [UNK]"),
        // Punctuation, also between letters, of ASCII and of Unicode.
        ("size_of(a)!", "size _ of ( a ) !"),
        ("“a", "“ a"),
        ("a#", "a [UNK]"),
        // An ideograph is a word.
        ("a中文b", "a 中 文 b"),
        // Controls, invisible characters and the replacement character are removed.
        ("re\u{0}a\u{200b}d\u{fffd} \u{feff}file", "read file"),
        ("10 11", "[UNK] 1 ##1"),
        // Special tokens in a text are ordinary words.
        ("[SEP]", "[UNK] [UNK] [UNK]"),
    ];
    for (text, expected) in cases {
        assert_eq!(tokens(&model, text), expected, "{text:?}");
    }
}

#[test]
fn a_word_of_more_than_100_characters_is_unknown() {
    let model = Model::new(1);
    let word = |length: usize| format!("a{}", "b".repeat(length - 1));
    let encoder = opened(&model);
    assert_eq!(encoder.token_ids(&word(100)).len(), 24, "the limit of tokens cuts the word");
    assert_eq!(tokens(&model, &word(101)), "[UNK]");
    assert_eq!(tokens(&model, &"é".repeat(101)), "[UNK]");
    assert_eq!(tokens(&model, &format!("{} read", "x".repeat(100_000))), "[UNK] read");
}

#[test]
fn a_text_is_cut_after_the_maximum_of_tokens() {
    let encoder = opened(&Model::new(1));
    let long = "read ".repeat(20_000);
    let marks = format!("a{} b", "\u{301}".repeat(50_000));
    assert_eq!(encoder.token_ids(&long).len(), 24, "the model has 24 positions");
    assert_eq!(encoder.token_ids(&marks), [2, 4, 5, 3]);
    assert_eq!(encoder.encode(&long).len(), 8);
}

#[test]
fn a_list_of_tokens_replaces_the_tokenizer_file() {
    let model = Model::new(1);
    let list = Model { tokenizer: None, ..Model::new(1) };
    for text in ["Café unaffable (中)", "", "files!"] {
        assert_eq!(tokens(&list, text), tokens(&model, text));
        assert_eq!(opened(&list).encode(text), opened(&model).encode(text));
    }
}

#[test]
fn a_cased_model_keeps_case_and_accents() {
    let mut model = Model::new(1);
    model.tokenizer = model.tokenizer.map(|text| text.replace("\"lowercase\":true", "\"lowercase\":false"));
    assert_eq!(tokens(&model, "read Read café cafe"), "read [UNK] [UNK] cafe");
}
