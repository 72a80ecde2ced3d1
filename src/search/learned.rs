//! Weights that `training/` learned, as their TOML files have them: tables of numbers by name.

use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The weights of features and signals, by form of question.
const ORDER: &str = include_str!("order.toml");

/// The numbers of one table, by the name of the feature or signal that they weigh.
pub type WeightTable = BTreeMap<String, f32>;

/// A file of learned weights.
pub struct LearnedWeights(BTreeMap<String, WeightTable>);

impl LearnedWeights {
    /// Reads a file that is part of the program. One that does not read has no tables; a test reads each, so that no
    /// build goes out with such a file.
    pub fn read(text: &str) -> Self {
        Self(toml::from_str(text).unwrap_or_default())
    }

    /// A table by its name, such as that of a form of question.
    pub fn table(&self, name: &str) -> Option<&WeightTable> {
        self.0.get(name)
    }
}

/// The weights of these names in a table of `order.toml`; 0 for a name that it lacks.
pub(super) fn order_weights<const N: usize>(table: &str, names: [&str; N]) -> [f32; N] {
    static WEIGHTS: OnceLock<LearnedWeights> = OnceLock::new();
    let table = WEIGHTS.get_or_init(|| LearnedWeights::read(ORDER)).table(table);
    names.map(|name| table.and_then(|table| table.get(name)).copied().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Feature, QuestionForm};

    #[test]
    fn the_file_names_every_feature_once_for_every_form() {
        let tables: BTreeMap<String, WeightTable> = toml::from_str(ORDER).expect("weights");
        for form in QuestionForm::LEARNED {
            let names: Vec<&str> = tables[form.name()].keys().map(String::as_str).collect();
            let mut known: Vec<&str> = Feature::ALL.iter().map(|feature| feature.name()).collect();
            known.sort_unstable();
            assert_eq!(names, known, "{}", form.name());
        }
    }
}
