//! The fields of a definition's document: those stored in the index, and those derived from call
//! edges.

use whichfn_index::store::CALL_FIELDS;
use whichfn_syntax::parse::Field;

/// A field of a definition's document: first the stored ones, in the order of [`Field`], then the
/// derived ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DocumentField {
    /// A field of the definition itself.
    Own(Field),
    /// Names of the functions that call this one.
    CallerNames,
    /// First doc sentences of the functions that call this one.
    CallerDocs,
    /// First doc sentences of the functions that this one calls.
    CalleeDocs,
}

impl DocumentField {
    /// Number of fields.
    pub const COUNT: usize = Field::COUNT + CALL_FIELDS;
    /// All fields, in the order of their numbers.
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

    /// Returns the index in [`Self::ALL`], which for a stored field is the number of the [`Field`].
    pub fn number(self) -> usize {
        match self {
            Self::Own(field) => field as usize,
            Self::CallerNames => Field::COUNT,
            Self::CallerDocs => Field::COUNT + 1,
            Self::CalleeDocs => Field::COUNT + 2,
        }
    }

    /// Returns the name shown to people and written to JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Own(field) => field.name(),
            Self::CallerNames => "caller",
            Self::CallerDocs => "caller doc",
            Self::CalleeDocs => "callee doc",
        }
    }

    /// Checks whether the field contains the definition's own words.
    pub fn is_own(self) -> bool {
        matches!(self, Self::Own(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_match_their_numbers() {
        assert_eq!(DocumentField::ALL.map(DocumentField::number), std::array::from_fn(|number| number));
    }
}
