//! The classes of characters that BERT's tokenizer distinguishes.

use unicode_general_category::{GeneralCategory as Category, get_general_category};

/// Checks whether the tokenizer removes a character: an invisible one other than white space, or the
/// replacement of an invalid one.
pub(crate) fn is_removed(c: char) -> bool {
    use Category::{Control, Format, PrivateUse, Surrogate};
    match c {
        '\t' | '\n' | '\r' => false,
        '\u{fffd}' => true,
        ' '..='~' => false,
        _ => matches!(get_general_category(c), Control | Format | PrivateUse | Surrogate),
    }
}

/// Checks whether a character is an accent: a mark that takes no space of its own.
pub(crate) fn is_accent(c: char) -> bool {
    !c.is_ascii() && get_general_category(c) == Category::NonspacingMark
}

/// Checks whether a character is a word of its own: punctuation, or an ideograph of Chinese,
/// Japanese or Korean.
pub(crate) fn is_word(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_punctuation() } else { is_ideograph(c) || is_punctuation(c) }
}

fn is_punctuation(c: char) -> bool {
    use Category::{
        ClosePunctuation, ConnectorPunctuation, DashPunctuation, FinalPunctuation, InitialPunctuation, OpenPunctuation,
        OtherPunctuation,
    };
    matches!(
        get_general_category(c),
        ClosePunctuation
            | ConnectorPunctuation
            | DashPunctuation
            | FinalPunctuation
            | InitialPunctuation
            | OpenPunctuation
            | OtherPunctuation
    )
}

/// Checks whether a character is in one of the blocks that BERT lists. Hangul and kana are not
/// among them.
fn is_ideograph(c: char) -> bool {
    matches!(c,
        '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{2a6df}'
        | '\u{2a700}'..='\u{2b73f}'
        | '\u{2b740}'..='\u{2b81f}'
        | '\u{2b820}'..='\u{2ceaf}'
        | '\u{2f800}'..='\u{2fa1f}')
}
