//! The order of the candidates in memory: where search had them, and what was found on reading them.
//!
//! Source:    `judge.toml` beside this file, learned by `training/` on the questions of the learned order (`search::order`):
//!            softmax over the first candidates of a question, the right one as likely as can be
//! Price:     the evidence; the sum itself is nothing

use super::evidence::Evidence;
use crate::search::QuestionForm;
use std::collections::BTreeMap;
use std::sync::OnceLock;

const TEXT: &str = include_str!("judge.toml");

/// So many of the best are judged: as many as were in each list that the weights were learned from.
pub const JUDGED: usize = 20;

/// What the score of the search is called among the evidence.
pub const ORDER: &str = "order";

type Tables = BTreeMap<String, BTreeMap<String, f32>>;

fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    // A test reads the file, so that no build goes out with one that does not read.
    TABLES.get_or_init(|| toml::from_str(TEXT).unwrap_or_default())
}

/// What each piece of evidence adds to a candidate's score; nothing where the file has no weights for the form.
pub fn shares(form: QuestionForm, order: f32, evidence: &Evidence) -> Vec<(&'static str, f32)> {
    let Some(weights) = tables().get(form.name()) else { return Vec::new() };
    let all = std::iter::once(&(ORDER, order)).chain(evidence).copied().collect::<Vec<_>>();
    all.into_iter().filter_map(|(name, value)| Some((name, weights.get(name)? * value))).collect()
}

/// The chance of the first of some scores, if they are those of a softmax.
pub fn chance_of_first(scores: &[f32]) -> f32 {
    let Some(&first) = scores.first() else { return 0.0 };
    1.0 / scores.iter().map(|score| (score - first).exp()).sum::<f32>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lookup::{Asked, Bench, Flow, Function};
    use crate::wordvec::Lexicon;

    #[test]
    fn the_file_names_all_evidence_for_every_form_and_nothing_else() {
        let function = Function {
            id: crate::ids::DefinitionId::new(0),
            name: "merge".into(),
            signature: "def merge(a, b)".into(),
            doc: String::new(),
            text: "def merge(a, b):\n    return a + b".into(),
            lines: 2,
            flow: Flow::default(),
            parameters: vec!["a".into(), "b".into()],
            calls: Vec::new(),
            steps: Vec::new(),
            returned: vec!["return a + b".into(), String::new()],
            recursive: false,
            computes: true,
            constructor: false,
        };
        let mut lexicon = Lexicon::default();
        let asked = Asked::new("merges two lines", QuestionForm::Sentence, &mut lexicon);
        let evidence = Bench::new(&asked, std::slice::from_ref(&function), &mut lexicon).evidence(&mut lexicon);
        let mut named: Vec<&str> = evidence[0].iter().map(|(name, _)| *name).chain([ORDER]).collect();
        named.sort_unstable();
        let tables: Tables = toml::from_str(TEXT).expect("weights");
        for form in QuestionForm::LEARNED {
            let known: Vec<&str> = tables[form.name()].keys().map(String::as_str).collect();
            assert_eq!(named, known, "{}", form.name());
        }
    }

    #[test]
    fn the_chance_of_the_first_grows_with_its_lead() {
        assert!(chance_of_first(&[3.0, 1.0]) > chance_of_first(&[3.0, 2.9]));
        assert_eq!(chance_of_first(&[]), 0.0);
    }
}
