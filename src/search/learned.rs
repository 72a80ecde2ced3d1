//! Weights that `training/` learned, as their TOML files have them: tables of numbers by name.

use std::collections::BTreeMap;

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
