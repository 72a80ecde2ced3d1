//! Explains a score to the user: a few parts that add up to the score, largest first, each with its
//! words.

use super::page::{DIM, Page};
use whichfn_search::answer::{Evidence, SearchResult};
use whichfn_search::search::{AdjustmentKind, Aspect, Feature, ScorePart};

/// Maximum number of words listed with a part.
const WORDS: usize = 5;
/// Parts whose absolute value is below this are omitted.
const FAINT: f32 = 0.005;

/// Adjustment by which a test loses score.
const TEST: AdjustmentKind = AdjustmentKind::Feature(Feature::Test);

/// Prints the score of a result; with `all`, also every measured number.
pub(super) fn explanation(out: &mut Page, found: &SearchResult, all: bool) {
    let (independent, environment) = (found.independent, found.environment);
    out.put(format_args!("    score {:.3} = ", found.score));
    out.put(format_args!("{independent:.3} independent + {environment:.3} environment")).end();
    match found.parts.is_empty() {
        true => all_numbers(out, found),
        false => {
            parts(out, found);
            if all {
                all_numbers(out, found);
            }
        }
    }
}

/// Prints the parts of a learned score: the difference between the result and the average of the
/// candidates.
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

/// Returns the words that were found in a part, as spelled in the code.
fn words(found: &SearchResult, part: Aspect) -> Vec<String> {
    let is_of = |one: &&Evidence| match part {
        Aspect::Name => one.field == "name",
        Aspect::Documentation => ["summary", "doc"].contains(&&*one.field),
        Aspect::Parameters => one.field == "parameter",
        Aspect::Body => ["body", "string"].contains(&&*one.field),
        Aspect::Around => ["scope", "path"].contains(&&*one.field),
        Aspect::Connected => one.part == "context",
        Aspect::Average | Aspect::Together | Aspect::Shape => false,
        Aspect::Mentioned | Aspect::Title | Aspect::Model | Aspect::Choice => false,
    };
    let mut words: Vec<String> = Vec::new();
    if part == Aspect::Shape && found.adjustments.iter().any(|a| a.kind == TEST && a.change < 0.0) {
        words.push("a test".to_owned());
    }
    for one in found.all_evidence.iter().filter(is_of) {
        let word = match one.found.to_lowercase() == one.query {
            true => one.query.clone(),
            false => format!("{} in {}", one.query, one.found),
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words.truncate(WORDS);
    words
}

/// Prints each named number, the largest first, for the definition itself before its environment.
fn all_numbers(out: &mut Page, found: &SearchResult) {
    for (branch, total, environment) in
        [("independent", found.independent, false), ("environment", found.environment, true)]
    {
        out.put(format_args!("    ├─ {branch} {total:.3}")).end();
        let words = found.all_evidence.iter().filter(|e| !found.learned && (e.part == "context") == environment);
        for e in words {
            let line = format_args!("    │  ├─ {:.3}  {} in {}: {} ({})", e.weight, e.query, e.field, e.found, e.part);
            out.put(line).end();
        }
        let mut shares: Vec<_> = found.adjustments.iter().filter(|a| a.kind.is_environment() == environment).collect();
        shares.sort_by(|a, b| b.change.abs().total_cmp(&a.change.abs()));
        for a in shares {
            out.put(format_args!("    │  ├─ {} {:.3}", a.kind.name(), a.change)).end();
        }
    }
}
