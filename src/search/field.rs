//! The fields of a definition's document: those stored in the index, and those had through call edges.

use crate::parse::Field;
use crate::store::CALL_FIELDS;

/// A field of a definition's document: the stored ones first, in the order of [`Field`], then those had through calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DocumentField {
    /// One of the definition's own.
    Own(Field),
    /// Names of the functions that call this one.
    CallerNames,
    /// First doc sentences of the functions that call this one.
    CallerDocs,
    /// First doc sentences of the functions that this one calls.
    CalleeDocs,
}

impl DocumentField {
    /// How many there are.
    pub const COUNT: usize = Field::COUNT + CALL_FIELDS;
    /// All, in the order of their number.
    pub const ALL: [Self; Self::COUNT] = {
        let (mut all, mut at) = ([Self::CalleeDocs; Self::COUNT], 0);
        while at < Field::COUNT {
            all[at] = Self::Own(Field::ALL[at]);
            at += 1;
        }
        all[Field::COUNT] = Self::CallerNames;
        all[Field::COUNT + 1] = Self::CallerDocs;
        all
    };

    /// Its place among all; that of an own field is the field's.
    pub fn number(self) -> usize {
        match self {
            Self::Own(field) => field as usize,
            Self::CallerNames => Field::COUNT,
            Self::CallerDocs => Field::COUNT + 1,
            Self::CalleeDocs => Field::COUNT + 2,
        }
    }

    /// The word that people and JSON read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Own(field) => field.name(),
            Self::CallerNames => "caller",
            Self::CallerDocs => "caller doc",
            Self::CalleeDocs => "callee doc",
        }
    }

    /// Whether the words are the definition's own.
    pub fn is_own(self) -> bool {
        matches!(self, Self::Own(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_stand_at_their_number() {
        assert_eq!(DocumentField::ALL.map(DocumentField::number), std::array::from_fn(|number| number));
    }
}
