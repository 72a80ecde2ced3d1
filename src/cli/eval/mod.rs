//! `whichfn eval`: question sets to a table of figures, and what changed against another run.

mod json;
mod measure;
mod options;
mod table;

use super::args::EvalArgs;
use super::settings::Settings;
use super::{Outcome, output};
use crate::error::Result;
use crate::eval::{Comparison, Run, compare};

pub(super) fn run(asked: &EvalArgs) -> Result<Outcome> {
    let settings = Settings::read(&asked.repo_root)?;
    output::set_verbosity(asked.shared.verbose);
    output::set_color(asked.shared.color.or(settings.color));
    // What cannot be read is said before the questions are asked, which may take minutes.
    let saved = asked.compare.as_deref().map(Run::read).transpose()?;
    let other = asked.against.as_deref().map(|typed| options::added(&asked.results, typed)).transpose()?;
    let sets = measure::read(asked)?;
    let run = measure::run(asked, &asked.results, &settings, &sets)?;
    if let Some(file) = &asked.save {
        output::write(Some(file), &run.text()?)?;
    }
    let compared = match (&asked.compare, saved, other) {
        (Some(file), Some(saved), _) => Some(Compared::new((&file.display().to_string(), &saved), ("this run", &run))?),
        (_, _, Some(results)) => {
            let other = measure::run(asked, &results, &settings, &sets)?;
            Some(Compared::new(("this run", &run), ("against", &other))?)
        }
        _ => None,
    };
    output::print(&match asked.json {
        true => json::run(&run, compared.as_ref(), asked.ranks),
        false => table::run(&run, compared.as_ref(), asked),
    })?;
    Ok(Outcome::Found)
}

/// Two runs side by side.
struct Compared {
    before: Side,
    after: Side,
    sets: Vec<Comparison>,
}

/// What a run is called, and how it was asked.
struct Side {
    name: String,
    settings: String,
}

impl Compared {
    fn new(before: (&str, &Run), after: (&str, &Run)) -> Result<Self> {
        let side = |(name, run): (&str, &Run)| Side { name: name.to_owned(), settings: run.settings.clone() };
        Ok(Self { before: side(before), after: side(after), sets: compare(before.1, after.1)? })
    }
}
