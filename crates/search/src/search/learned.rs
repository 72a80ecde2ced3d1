//! Reads the weights learned by `training/` from TOML files, as named tables of numbers.

use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Weights of features and signals for each form of question except issues.
const ORDER: &str = include_str!("order.toml");
/// The same for types, whatever the form of the question.
const TYPES: &str = include_str!("types.toml");
/// The same for issues.
const ISSUE: &str = include_str!("issue.toml");

/// Numbers of one table, indexed by the name of the weighted feature or signal.
pub type WeightTable = BTreeMap<String, f32>;

/// The tables in a file of learned weights.
pub struct LearnedWeights(BTreeMap<String, WeightTable>);

impl LearnedWeights {
    /// Parses a file that is embedded in the program.
    ///
    /// A file that does not parse yields no tables. A test parses each file, so a build with an
    /// invalid file is never released.
    pub fn read(text: &str) -> Self {
        Self(toml::from_str(text).unwrap_or_default())
    }

    /// Returns a table by its name, such as the name of a form of question.
    pub fn table(&self, name: &str) -> Option<&WeightTable> {
        self.0.get(name)
    }
}

/// Returns the weights with the given names from a table of a file of learned weights; 0 for a
/// name that is not in the table.
pub(super) fn order_weights<const N: usize>(table: &str, names: [&str; N]) -> [f32; N] {
    static WEIGHTS: OnceLock<[LearnedWeights; 3]> = OnceLock::new();
    let files = WEIGHTS.get_or_init(|| [ORDER, TYPES, ISSUE].map(LearnedWeights::read));
    let table = files.iter().find_map(|file| file.table(table));
    names.map(|name| table.and_then(|table| table.get(name)).copied().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Feature, QuestionForm};

    #[test]
    fn weights_file_lists_every_feature_for_every_form() {
        let tables: BTreeMap<String, WeightTable> = toml::from_str(ORDER).expect("weights");
        for form in QuestionForm::LEARNED {
            let names: Vec<&str> = tables[form.name()].keys().map(String::as_str).collect();
            let mut known: Vec<&str> =
                Feature::ALL.iter().filter(|feature| !feature.is_of_issues()).map(|feature| feature.name()).collect();
            known.sort_unstable();
            assert_eq!(names, known, "{}", form.name());
        }
    }
}
