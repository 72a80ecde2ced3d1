//! The prompts that a model expects before a question, and before an input that may answer the
//! question. A model that was trained with prompts finds less without them.
//!
//! - **Source:** the models' own pages; for a directory, the `prompts` that sentence-transformers
//!   stores with a model

use fastembed::EmbeddingModel;

/// The prompt before a question and the prompt before an input.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Prompts {
    question: String,
    text: String,
}

impl Prompts {
    fn new(question: &str, text: &str) -> Self {
        Self { question: question.to_owned(), text: text.to_owned() }
    }

    /// Returns the prompts of a fastembed model.
    pub fn for_model(model: &EmbeddingModel) -> Self {
        let name = format!("{model:?}");
        let begins = |family: &str| name.starts_with(family);
        if begins("MultilingualE5") {
            Self::new("query: ", "passage: ")
        } else if begins("Nomic") || begins("ModernBert") {
            Self::new("search_query: ", "search_document: ")
        } else if begins("EmbeddingGemma") {
            Self::new("task: search result | query: ", "title: none | text: ")
        } else if begins("Snowflake") || begins("Mxbai") || name.starts_with("BGE") && name.contains("EN") {
            Self::new("Represent this sentence for searching relevant passages: ", "")
        } else {
            Self::default()
        }
    }

    /// Parses the prompts in a model directory: `{"prompts": {"query": .., "document": ..}}`. The
    /// prompts are empty if the directory has none.
    pub fn read(config: &[u8]) -> Self {
        let config: serde_json::Value = serde_json::from_slice(config).unwrap_or_default();
        let prompt =
            |names: [&str; 2]| names.iter().find_map(|name| config["prompts"][name].as_str()).unwrap_or_default();
        Self::new(prompt(["query", "question"]), prompt(["document", "passage"]))
    }

    /// Prepends the prompt to an input.
    pub fn apply(&self, text: &str, as_question: bool) -> String {
        format!("{}{text}", if as_question { &self.question } else { &self.text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_model_has_its_prompt() {
        let apply_to = |model| Prompts::for_model(&model).apply("x", true);
        assert_eq!(apply_to(EmbeddingModel::MultilingualE5Small), "query: x");
        assert!(apply_to(EmbeddingModel::BGESmallENV15).starts_with("Represent this sentence"));
        assert_eq!(apply_to(EmbeddingModel::AllMiniLML6V2), "x");
        let read = Prompts::read(br#"{"prompts": {"query": "q: ", "passage": "p: "}}"#);
        assert_eq!((read.apply("x", true), read.apply("x", false)), ("q: x".into(), "p: x".into()));
        assert_eq!(Prompts::read(b""), Prompts::default());
    }
}
