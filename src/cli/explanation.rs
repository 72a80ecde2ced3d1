//! What a score is made of, for a person: few parts that add up to it, the largest first, each with the words that it is about.

use super::page::{DIM, Page};
use crate::answer::{Evidence, SearchResult};
use crate::search::{AdjustmentKind, Aspect, Feature, ScorePart};

/// Words that are named beside a part.
const WORDS: usize = 5;
/// Parts below this say nothing.
const FAINT: f32 = 0.005;

/// What a test loses.
const TEST: AdjustmentKind = AdjustmentKind::Feature(Feature::Test);

/// The score of a result. `all`: each number that was measured, too.
pub(super) fn explanation(out: &mut Page, found: &SearchResult, all: bool) {
    let (independent, environment) = (found.independent, found.environment);
    out.put(format_args!("    score {:.3} = ", found.score));
    out.put(format_args!("{independent:.3} independent + {environment:.3} environment")).end();
    match found.parts.is_empty() {
        true => twigs(out, found),
        false => {
            parts(out, found);
            if all {
                twigs(out, found);
            }
        }
    }
}

/// The parts of a learned score: what the result has more, or less, than the candidates have on average.
fn parts(out: &mut Page, found: &SearchResult) {
    let (average, mut parts): (Vec<ScorePart>, Vec<ScorePart>) =
        found.parts.iter().partition(|part| part.part == Aspect::Average);
    parts.retain(|part| part.change.abs() >= FAINT);
    parts.sort_by(|a, b| b.change.abs().total_cmp(&a.change.abs()));
    for part in average.iter().chain(&parts) {
        out.put(format_args!("    {:>+7.2}  {}", part.change, part.part.name()));
        let words = words(found, part.part);
        if !words.is_empty() {
            out.styled(DIM, format_args!(": {}", words.join(", ")));
        }
        if part.change < 0.0 && part.part != Aspect::Average {
            out.styled(DIM, " (other candidates have more)");
        }
        out.end();
    }
}

/// The words that were found in a part, as the code has them.
fn words(found: &SearchResult, part: Aspect) -> Vec<String> {
    let is_of = |one: &&Evidence| match part {
        Aspect::Name => one.field == "name",
        Aspect::Documentation => ["summary", "doc"].contains(&&*one.field),
        Aspect::Parameters => one.field == "parameter",
        Aspect::Body => ["body", "string"].contains(&&*one.field),
        Aspect::Around => ["scope", "path"].contains(&&*one.field),
        Aspect::Connected => one.part == "context",
        Aspect::Average | Aspect::Together | Aspect::Shape | Aspect::Model => false,
    };
    let mut words: Vec<String> = Vec::new();
    if part == Aspect::Shape && found.adjustments.iter().any(|a| a.kind == TEST && a.change < 0.0) {
        words.push("a test".to_owned());
    }
    for one in found.all_evidence.iter().filter(is_of) {
        let said = match one.found.to_lowercase() == one.query {
            true => one.query.clone(),
            false => format!("{} in {}", one.query, one.found),
        };
        if !words.contains(&said) {
            words.push(said);
        }
    }
    words.truncate(WORDS);
    words
}

/// Each named number, the largest first, those of the definition before those of what is around it.
fn twigs(out: &mut Page, found: &SearchResult) {
    for (branch, total, environment) in
        [("independent", found.independent, false), ("environment", found.environment, true)]
    {
        out.put(format_args!("    ├─ {branch} {total:.3}")).end();
        let words = found.all_evidence.iter().filter(|e| !found.learned && (e.part == "context") == environment);
        for e in words {
            let twig = format_args!("    │  ├─ {:.3}  {} in {}: {} ({})", e.weight, e.query, e.field, e.found, e.part);
            out.put(twig).end();
        }
        let mut shares: Vec<_> = found.adjustments.iter().filter(|a| a.kind.is_environment() == environment).collect();
        shares.sort_by(|a, b| b.change.abs().total_cmp(&a.change.abs()));
        for a in shares {
            out.put(format_args!("    │  ├─ {} {:.3}", a.kind.name(), a.change)).end();
        }
    }
}
