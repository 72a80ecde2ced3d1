//! Tests shell completion on TAB with real shells. A test prints a notice and does nothing if its
//! shell is not on PATH.

use crate::support::env::Env;
use std::io::Write;
use std::path::PathBuf;
use std::process::Stdio;

/// Script that loads the completion script in a fresh zsh and records each offered match, then
/// exits.
const ZSH_SETUP: &str = r"
PROMPT=
folder=${${(%):-%x}:h}
fpath=($folder $fpath)
autoload -U compinit
compinit -u -D
compadd() {
  # With these options compadd fills an array and offers nothing.
  if (( ${@[(I)-[OAD]]} )); then builtin compadd $@; return; fi
  local -a matches
  builtin compadd -O matches $@
  print -rl -- $matches >> $folder/offered
  return $(( ! $#matches ))
}
comppostfuncs=(exit)
zstyle ':completion:*' insert-tab false
";

/// Script that types the line and TAB into a zsh on a pseudo-terminal and waits until it exits.
const ZSH_TYPE: &str = r"
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell source ${(q)1}/setup.zsh
zpty -n -w shell $'\x15'$2$'\t'
while zpty -r shell output; do :; done
";

const BASH: &str = r#"
source "$1"
read -r -a COMP_WORDS <<< "$2"
[[ $2 == *' ' ]] && COMP_WORDS+=('')
COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))
_whichfn whichfn "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
"#;

const FISH: &str = "source $argv[1]; complete -C $argv[2]";

/// A shell that has loaded the completion script of this program.
struct Shell {
    env: Env,
    name: &'static str,
    script: PathBuf,
}

impl Shell {
    /// Returns `None` and prints a notice if the shell is not on PATH.
    fn find(name: &'static str) -> Option<Self> {
        let folders = std::env::var_os("PATH").unwrap_or_default();
        if !std::env::split_paths(&folders).any(|folder| folder.join(name).is_file()) {
            // The test harness does not capture this, so a skipped test is visible.
            let _ = writeln!(std::io::stderr(), "SKIPPED: {name} is not on PATH, so its completion is not tested");
            return None;
        }
        let env = Env::new();
        let script = env.outside("_whichfn");
        std::fs::write(&script, env.run(&["completions", name]).found().without_stderr().out).expect("script");
        std::fs::write(env.outside("setup.zsh"), ZSH_SETUP).expect("script");
        Some(Self { env, name, script })
    }

    /// Returns the completions at the end of a line.
    fn offers(&self, line: &str) -> Vec<String> {
        let _ = std::fs::remove_file(self.env.outside("offered"));
        let script = self.script.to_str().expect("text");
        let folder = self.env.outside("");
        let folder = folder.to_str().expect("text").trim_end_matches('/');
        let arguments = match self.name {
            "zsh" => vec!["-f", "-c", ZSH_TYPE, "zsh", folder, line],
            "fish" => vec!["--no-config", "-c", FISH, script, line],
            _ => vec!["--norc", "-c", BASH, "bash", script, line],
        };
        let mut command = self.env.other_process(self.name);
        let output = command.args(arguments).stdin(Stdio::null()).output().expect("the shell starts");
        let offered = match self.name {
            "zsh" => std::fs::read_to_string(self.env.outside("offered")).unwrap_or_default(),
            _ => String::from_utf8_lossy(&output.stdout).into_owned(),
        };
        // fish appends a tab and a description.
        offered.lines().map(|line| line.split('\t').next().unwrap_or_default().to_owned()).collect()
    }

    fn check(&self, line: &str, offered: &[&str], not_offered: &[&str]) {
        let offers = self.offers(line);
        let has = |word: &&&str| offers.iter().any(|one| one == **word);
        let missing: Vec<_> = offered.iter().filter(|word| !has(word)).collect();
        let wrong: Vec<_> = not_offered.iter().filter(has).collect();
        assert!(
            missing.is_empty() && wrong.is_empty(),
            "{}: `{line}`: missing {missing:?}, wrong {wrong:?}, in {offers:?}",
            self.name
        );
    }

    /// Checks the completions that every shell must offer.
    fn check_all(&self) {
        self.env.write("folder/a.py", "");
        self.check("whichfn ", &["ask", "callers", "index", "install", "help"], &["pack"]);
        self.check(
            "whichfn callers --",
            &["--depth", "--in", "--json", "--no-tests", "--path"],
            &["--kind", "--strategy"],
        );
        self.check("whichfn index --", &["--force", "--stats"], &["--kind", "--depth"]);
        self.check("whichfn ask --", &["--kind", "--strategy"], &["--depth", "--force"]);
        self.check("whichfn mcp ", &["install"], &["callers"]);
        self.check("whichfn mcp install --", &["--client", "--print"], &["--kind"]);
        self.check("whichfn install --", &["--client", "--part", "--yes"], &["--kind", "--print"]);
        self.check("whichfn install --part ", &["server", "skill"], &["callers"]);
        self.check("whichfn install --client ", &["codex", "zed"], &["callers"]);
        self.check("whichfn callers --lang ", &["python", "rust"], &["folder", "folder/"]);
        self.check("whichfn fleet pack --", &["--output"], &["--kind", "--shards"]);
        self.check("whichfn question --", &["--kind", "--strategy"], &["--depth"]);
        self.check("whichfn how is the index built --", &["--kind"], &["--force", "--stats"]);
        self.check("whichfn --", &["--kind"], &["--force"]);
    }
}

#[test]
fn bash_offers_the_options_of_the_command_that_is_typed() {
    if let Some(shell) = Shell::find("bash") {
        shell.check_all();
    }
}

#[test]
fn fish_offers_the_options_of_the_command_that_is_typed() {
    if let Some(shell) = Shell::find("fish") {
        shell.check_all();
    }
}

#[test]
fn zsh_offers_the_options_of_the_command_that_is_typed() {
    if let Some(shell) = Shell::find("zsh") {
        shell.check_all();
        shell.check("whichfn completions ", &["bash", "zsh"], &["callers"]);
        shell.check("whichfn mcp ", &["folder"], &[]);
        shell.check("whichfn 'a question' --", &["--kind"], &["--depth"]);
    }
}
