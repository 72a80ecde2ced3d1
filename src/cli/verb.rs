//! The commands that list definitions and places: the arguments, the run and the output of every verb in
//! [`VERBS`].

use super::choices::format;
use super::common::{InArgs, RepositoryArgs};
use super::fail_on::FailOn;
use super::listing::{self, ListingArgs};
use super::names::TerminalNames;
use super::settings::Severity;
use super::target::Target;
use super::{Exit, check, output, place};
use crate::engine::{Engine, OpenTree};
use crate::render::line;
use crate::verbs::{About, Format, Listing, Registered, Request, VERBS, Verb, at_least_one};
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};
use std::path::{Path, PathBuf};
use whichfn_check::{ChangeOf, ChangedDefinitions};
use whichfn_system::error;

/// A verb with the options of the command line.
#[derive(Debug)]
pub(super) struct VerbCommand {
    registered: &'static Registered,
    verb: Box<dyn Verb>,
    directory: Option<PathBuf>,
    listing: ListingArgs,
}

impl Subcommand for VerbCommand {
    fn augment_subcommands(program: Command) -> Command {
        VERBS.iter().fold(program, |program, registered| program.subcommand(command(registered)))
    }

    fn augment_subcommands_for_update(program: Command) -> Command {
        Self::augment_subcommands(program)
    }

    fn has_subcommand(name: &str) -> bool {
        named(name).is_some()
    }
}

impl FromArgMatches for VerbCommand {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::new(clap::error::ErrorKind::MissingSubcommand);
        let (name, matches) = matches.subcommand().ok_or_else(missing)?;
        let registered = named(name).ok_or_else(missing)?;
        let path = |id| matches.try_get_one::<PathBuf>(id).ok().flatten().cloned();
        Ok(Self {
            registered,
            verb: registered.parsed(matches)?,
            directory: path("directory").or_else(|| path("typed")),
            listing: ListingArgs::from_arg_matches(matches)?,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn named(name: &str) -> Option<&'static Registered> {
    VERBS.iter().find(|registered| registered.about.name == name)
}

/// Returns the command of a verb. After several files there is no directory.
fn command(registered: &Registered) -> Command {
    registered.command(|command| {
        let takes_several = command.get_positionals().any(|one| one.get_num_args().is_some_and(|n| n.max_values() > 1));
        let is_about_a_change = command.get_positionals().any(|first| !first.is_required_set());
        let command = match takes_several {
            true => InArgs::augment_args(command),
            false => RepositoryArgs::augment_args(command),
        };
        let command = ListingArgs::augment_args(command)
            .mut_arg("k", |k| k.help(help_of_k(&registered.about)))
            .mut_arg("format", |arg| arg.value_parser(format(registered.about.formats)));
        // A change must be compared with the current files.
        let command = match is_about_a_change {
            true => command.mut_arg("no_update", |arg| arg.requires("name")),
            false => command,
        };
        match registered.about.follows_settings {
            true => command.mut_arg("k", |k| k.env("WHICHFN_K")),
            false => command,
        }
    })
}

fn help_of_k(about: &About) -> String {
    let usual = match about.usual {
        [text, json, ..] if text != json => format!("{text}; {json} for JSON"),
        [text, ..] => text.to_string(),
    };
    let all = if about.formats.contains(&Format::List) { "; all for --format list" } else { "" };
    format!("Maximum number of {} [default: {usual}{all}]", about.listed)
}

/// An open repository.
enum Tree {
    /// The tree of a name.
    Named(Box<Engine>),
    /// The tree that contains a change.
    Changed(Box<OpenTree>),
}

pub(super) fn run(asked: &VerbCommand) -> error::Result<Exit> {
    let VerbCommand { registered, verb, directory, listing } = asked;
    let (about, directory, format) = (&registered.about, directory.as_deref(), listing.format());
    let target = Target::read(place::root_for(verb.typed().first().copied(), directory)?, &listing.shared)?;
    let settings = about.follows_settings.then_some(&target.settings);
    let usual =
        settings.and_then(|settings| settings.results).unwrap_or(about.usual[usize::from(format == Format::Json)]);
    let max = listing.options.k.unwrap_or(usual);
    at_least_one("-k", max, about.listed)?;
    let tree = match verb.change() {
        Some(change) => Tree::Changed(Box::new(target.after(&change)?)),
        None => Tree::Named(Box::new(target.engine(listing.no_update)?)),
    };
    let engine = match &tree {
        Tree::Named(engine) => engine,
        Tree::Changed(tree) => &tree.engine,
    };
    let change = verb.change().map(|change| changed(engine, &target, &change)).transpose()?;
    let here = place::current_dir();
    let (filter, notices) = listing.options.filter(
        engine,
        place::typed_paths(None, &target.root, &here),
        place::current_folder(&target.root),
    )?;
    target.ui.notices(&notices);
    let paths = place::typed_paths(directory, &target.root, &here);
    let names = TerminalNames { engine, paths, ui: target.ui };
    let kind = settings.and_then(|settings| settings.kind).map(crate::engine::AnswerKind::definitions);
    let request = Request { engine, names: &names, paths, filter: &filter, max, change: change.as_ref(), kind };
    let found = verb.run(&request)?;
    let exit = exit(verb.as_ref(), &found, format)?;
    print(asked, &found, &target, directory)?;
    Ok(exit)
}

/// Prints the lists, and why they are empty.
fn print(asked: &VerbCommand, found: &[Listing], target: &Target<'_>, directory: Option<&Path>) -> error::Result<()> {
    let (options, format) = (&asked.listing.options, asked.listing.format());
    let root = place::shown_root(directory, &target.root);
    let is_found = found.iter().any(|list| !is_empty(list, format));
    for (number, list) in found.iter().enumerate() {
        match format {
            Format::Json => output::data(&line(&list.json()))?,
            Format::Vimgrep => output::data(&listing::vimgrep(list, &root))?,
            Format::Text if list.is_empty() && !list.shows_empty => {}
            Format::Text => output::page(&listing::page(list, &root))?,
            Format::List => {
                let arguments = list.arguments.iter().take(options.k.unwrap_or(usize::MAX));
                output::text(&arguments.map(|argument| format!("{argument}\n")).collect::<String>())?;
            }
            Format::Markdown => output::text(&list.markdown)?,
        }
        target.ui.notices(&list.notices);
        if !is_found && number == 0 && !list.nothing.is_empty() {
            // A runner without arguments runs everything, and `xargs -r` nothing.
            let next = if format == Format::List { "; the list is empty: run all tests" } else { "" };
            target.ui.notice(&format!("{}{}{next}", list.nothing, options.suffix(list.filtered)));
        }
        if !is_found {
            list.hint.iter().for_each(|hint| target.ui.notice(hint));
        }
    }
    Ok(())
}

fn is_empty(list: &Listing, format: Format) -> bool {
    if format == Format::List { list.arguments.is_empty() } else { list.is_empty() }
}

/// Returns the exit status: by what the lists contain or, if they have counts, by `--fail-on`.
fn exit(verb: &dyn Verb, found: &[Listing], format: Format) -> error::Result<Exit> {
    let counts: Vec<_> = found.iter().flat_map(|list| &list.counts).collect();
    if counts.is_empty() {
        let is_found = found.iter().any(|list| !is_empty(list, format));
        return Ok(if is_found { Exit::Found } else { Exit::Nothing });
    }
    let parts: Vec<&str> = counts.iter().map(|(part, _)| *part).collect();
    let fail_on = FailOn::read(verb.fail_on(), &parts, None)?;
    let fails = counts.iter().any(|(part, count)| *count > 0 && fail_on.fails(part, Severity::Note));
    Ok(if fails { Exit::Nothing } else { Exit::Found })
}

/// Reads the change, and names the files in it that cannot be examined.
fn changed(engine: &Engine, target: &Target<'_>, source: &ChangeOf) -> error::Result<ChangedDefinitions> {
    let change = engine.changed(&target.root, source)?;
    for path in &change.conflicts {
        target.ui.notice(&format!("skipped {path}: it has unresolved merge conflicts"));
    }
    for path in &change.broken {
        target.ui.notice(&format!("skipped {path}: it no longer parses"));
    }
    if change.definitions.is_empty() {
        output::notice("the change touches no function or type");
        if *source == ChangeOf::Staged && change.files == 0 {
            check::unstaged_notice(target.ui, &target.root);
        }
    }
    Ok(change)
}
