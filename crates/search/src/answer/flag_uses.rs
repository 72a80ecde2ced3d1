//! The functions that read a flag of a program.
//!
//! A parser of arguments returns an object whose members are the flags, or functions that take the
//! name of one. The names of such variables and functions are data of the framework (`values` and
//! `getters` in `grammars/frameworks/`), because the type of the object is seldom declared.
//!
//! **Cost:** the text of the files in the flag's language that contain the words of its name.

use super::calls::named_around;
use super::comments::Comments;
use super::references::files_with;
use whichfn_index::source::Sources;
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::lang::{Framework, LangId, Registry};
use whichfn_system::error::Result;
use whichfn_text::occurrences;

/// Maximum number of functions that are returned.
const MAX_READERS: usize = 8;
/// Maximum number of places in a file that are examined.
const MAX_PLACES: usize = 256;

/// Returns the functions that read a flag: those in the file of the registration first, then those in
/// its directory.
///
/// # Errors
/// Returns an error if a language's data is invalid.
pub fn flag_readers(sources: &Sources<'_>, registry: &Registry, flag: DefinitionId) -> Result<Vec<DefinitionId>> {
    let graph = sources.graph();
    let own = graph.file_around(flag);
    let Some(language) = graph.language(own) else { return Ok(Vec::new()) };
    let frameworks = &registry.language(LangId(language))?.frameworks;
    let mut found = Vec::new();
    for name in spellings(graph.name(flag)) {
        for file in files_with(graph, &name, |file| graph.language(file) == Some(language)) {
            let text = sources.text(file);
            let reads = occurrences(&text, &name).take(MAX_PLACES);
            let mut reads = reads.filter(|&at| is_read(frameworks, &text, at, &name)).peekable();
            if reads.peek().is_none() {
                continue;
            }
            let comments = Comments::new(graph, registry, file);
            let reads = reads.filter(|&at| comments.as_ref().is_none_or(|comments| !comments.contain(at)));
            found.extend(reads.map(|at| named_around(graph, innermost(graph, file, at))));
        }
    }
    found.retain(|&id| graph.traits(id).kind().is_function() && !graph.traits(id).is_test());
    let folder = |file: FileId| graph.path(file).rsplit_once('/').map_or("", |(folder, _)| folder);
    let distance = |id: DefinitionId| {
        let file = graph.file_around(id);
        (file != own, folder(file) != folder(own), id)
    };
    found.sort_by_key(|&id| distance(id));
    found.dedup();
    found.truncate(MAX_READERS);
    Ok(found)
}

/// Returns the forms in which code may write a flag: `dry_run`, `dryRun` and `dry-run`.
fn spellings(flag: &str) -> Vec<String> {
    let name = flag.rsplit(' ').next().unwrap_or(flag).trim_start_matches('-');
    let mut words = name.split('-');
    let mut camel = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        camel.extend(letters.next().into_iter().flat_map(char::to_uppercase).chain(letters));
    }
    let mut all = vec![name.replace('-', "_"), camel, name.to_owned()];
    all.retain(|one| !one.is_empty());
    all.sort();
    all.dedup();
    all
}

/// Checks whether a name is a member of the parsed arguments (`args.port`, `options[:port]`), or is
/// passed to a function that returns one (`matches.get_flag("port")`).
fn is_read(frameworks: &[Framework], text: &str, at: usize, name: &str) -> bool {
    let is_known = |names: fn(&Framework) -> &[String], word: &str| {
        frameworks.iter().any(|framework| names(framework).iter().any(|one| one == word))
    };
    let before = &text[..at];
    if let Some(object) = before.strip_suffix('.') {
        return !is_assigned(&text[at + name.len()..])
            && is_known(|one| &one.values, last_word(object.trim_end_matches(['(', ')', '?'])));
    }
    let key = before.strip_suffix(['"', '\'', ':']).and_then(|before| before.strip_suffix(['(', '[']));
    let after = text[at + name.len()..].trim_start_matches(['"', '\'']);
    let is_written = after.strip_prefix(']').is_some_and(is_assigned);
    key.filter(|_| !is_written).is_some_and(|call| {
        // A call may have type arguments: `get_one::<u16>("port")`.
        let call = call.strip_suffix('>').and_then(|call| call.rsplit_once("::<")).map_or(call, |(call, _)| call);
        is_known(|one| &one.getters, last_word(call)) || is_known(|one| &one.values, last_word(call))
    })
}

/// Checks whether a text begins with an assignment.
fn is_assigned(after: &str) -> bool {
    after.trim_start().starts_with("= ")
}

/// Returns the name at the end of a text.
fn last_word(text: &str) -> &str {
    let start = text.rfind(|c: char| !c.is_alphanumeric() && c != '_');
    start.map_or(text, |at| &text[at + text[at..].chars().next().map_or(1, char::len_utf8)..])
}

/// Returns the innermost definition around an offset.
fn innermost(graph: &GraphFile, file: FileId, at: usize) -> DefinitionId {
    let rows = graph.definitions_of(file).zip(graph.rows_of(file));
    let around = rows.filter(|(id, row)| {
        (row.start_byte as usize..row.end_byte as usize).contains(&at) && !graph.traits(*id).kind().is_registered()
    });
    around.last().map_or_else(|| graph.file(file).first_definition, |(id, _)| id)
}

#[cfg(test)]
mod tests {
    use super::spellings;

    #[test]
    fn a_flag_has_several_spellings() {
        assert_eq!(spellings("serve --dry-run"), ["dry-run", "dryRun", "dry_run"]);
        assert_eq!(spellings("--port"), ["port"]);
        assert_eq!(spellings("--"), Vec::<String>::new());
    }
}
