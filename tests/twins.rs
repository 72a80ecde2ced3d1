//! Checks the folding of near-duplicates: each is folded under the result that it repeats,
//! functions that only look similar stay separate, and no result is lost.

use crate::support::env::Env;
use serde_json::{Value, json};

/// Content of two copied files, as a code generator writes them. `CLIENT` has a synchronous and an
/// asynchronous version of one method.
const SAVE: &str = "def save_invoice(invoice, folder):
    \"\"\"Save an invoice as a file.\"\"\"
    number = invoice.number.strip()
    path = folder / (number + '.json')
    path.write_text(invoice.render())
    return path
";

const CLIENT: &str = "class Client:
    def pay_bill(self, account, amount):
        \"\"\"Pay a bill.\"\"\"
        request = self.build_request('/bills', account=account, amount=amount)
        return self.transport.send(request)


class AsyncClient:
    async def pay_bill(self, account, amount):
        \"\"\"Pay a bill.\"\"\"
        request = self.build_request('/bills', account=account, amount=amount)
        return await self.transport.send(request)
";

const QUEUED: &str = "class QueuedClient:
    async def pay_bill(self, account, amount):
        \"\"\"Pay a bill.\"\"\"
        ticket = await self.queue.reserve(account)
        with self.lock:
            self.waiting.append((ticket, amount))
        return ticket
";

const OVERLOADS: &str = "from typing import overload


class Reader:
    @overload
    def read_coins(self, count: int) -> bytes: ...

    @overload
    def read_coins(self, count: None) -> str: ...

    def read_coins(self, count):
        \"\"\"Read coins from the purse.\"\"\"
        taken = self.purse.take(count)
        return taken.join(self.rest)
";

const RUST: &str = "/// What can be shut.
pub trait Shut {
    /// Shuts the drawer and counts the money in it.
    fn shut_drawer(&mut self) -> u64 {
        let total = self.coins().iter().map(|coin| coin.value()).sum();
        self.lock_all();
        total
    }
}

pub struct Till;
pub struct Invoice;

impl Shut for Till {
    /// Shuts the drawer and counts the money in it.
    fn shut_drawer(&mut self) -> u64 {
        let total = self.coins().iter().map(|coin| coin.value()).sum();
        self.lock_all();
        total
    }
}

impl From<&str> for Invoice {
    /// Makes an invoice of a line.
    fn from(line: &str) -> Self {
        Self::parse_line(line)
    }
}

impl From<u64> for Invoice {
    /// Makes an invoice of a number.
    fn from(number: u64) -> Self {
        Self::look_up(number, Registry::open())
    }
}
";

fn shop() -> Env {
    Env::with(&[
        ("bills/client.py", CLIENT),
        ("bills/queued.py", QUEUED),
        ("purse.py", OVERLOADS),
        ("till.rs", RUST),
        ("v1/save.py", SAVE),
        ("v2/save.py", SAVE),
    ])
}

/// Returns the qualified name of each result, with its number of near-duplicates.
fn groups(env: &Env, arguments: &[&str]) -> Vec<(String, usize)> {
    let results = env.run(&[arguments, &["--jsonl"]].concat()).found().json_lines();
    let alike = |result: &Value| result["alike"].as_array().map_or(0, Vec::len);
    results.iter().map(|r| (r["qualified_name"].as_str().expect("name").to_owned(), alike(r))).collect()
}

#[test]
fn copies_fold_and_each_place_is_named() {
    let ran = shop().run(&["save an invoice as a file", "-k", "1", "--order", "words"]).found();
    insta::assert_snapshot!(ran.out, @r"
    v1/save.py:1  save_invoice  function
        def save_invoice(invoice, folder)
        Save an invoice as a file.
        why: file in summary
        +1 alike: v2/save.py:1
    ");
    let result = &shop().run(&["save an invoice as a file", "-k", "1", "--jsonl"]).found().json_lines()[0];
    let copy = json!({"path": "v2/save.py", "start_line": 1, "end_line": 6, "qualified_name": "save_invoice"});
    assert_eq!(result["alike"], json!([copy]));
}

#[test]
fn wrappers_of_one_call_fold_but_other_implementations_do_not() {
    let found = groups(&shop(), &["pay a bill", "--path", "bills"]);
    let (bodies, queued) = (found.iter().find(|(_, alike)| *alike == 1), ("QueuedClient.pay_bill".to_owned(), 0));
    assert!(bodies.is_some() && found.contains(&queued) && found.len() == 2, "{found:?}");
}

#[test]
fn overload_stubs_fold() {
    let found = groups(&shop(), &["read coins from the purse", "--path", "purse.py"]);
    assert_eq!(found, [("Reader.read_coins".to_owned(), 2)]);
}

#[test]
fn a_trait_and_its_implementation_are_listed_separately() {
    let ran = shop()
        .run(&["shut the drawer and count the money", "--path", "till.rs", "-k", "2", "--order", "words"])
        .found();
    insta::assert_snapshot!(ran.out, @r"
    till.rs:4  Shut::shut_drawer  method
        fn shut_drawer(&mut self) -> u64
        Shuts the drawer and counts the money in it.
        why: money, count → counts in summary

    till.rs:16  Till::shut_drawer  method
        fn shut_drawer(&mut self) -> u64
        in impl Shut for Till
        Shuts the drawer and counts the money in it.
        why: money, count → counts in summary
    ");
}

#[test]
fn blocks_of_one_type_are_distinguished() {
    let shop = shop();
    let results = shop.run(&["make an invoice from a line", "--lang", "rust", "--jsonl"]).found().json_lines();
    let mut inside: Vec<&str> =
        results.iter().filter(|r| r["name"] == "from").filter_map(|r| r["inside"].as_str()).collect();
    inside.sort_unstable();
    assert_eq!(inside, ["impl From<&str> for Invoice", "impl From<u64> for Invoice"]);
    let alone = shop.run(&["read coins", "--lang", "python", "--jsonl"]).found().json_lines();
    assert!(alone.iter().all(|r| r.get("inside").is_none()), "what nothing else looks like needs no more: {alone:#?}");
}

#[test]
fn folding_loses_nothing_and_fills_the_list() {
    let shop = shop();
    let question = "save an invoice, pay a bill, read coins from the purse, shut the drawer";
    let place = |r: &Value| (r["path"].to_string(), r["start_line"].as_u64());
    let all: Vec<_> = shop.run(&[question, "--no-fold", "--jsonl"]).found().json_lines().iter().map(place).collect();
    let folded = shop.run(&[question, "--jsonl"]).found().json_lines();
    let mut kept: Vec<_> = folded
        .iter()
        .flat_map(|r| std::iter::once(r).chain(r["alike"].as_array().into_iter().flatten()))
        .map(place)
        .collect();
    for best in &all {
        assert!(kept.contains(best), "{best:?} is lost");
    }
    kept.sort();
    kept.dedup();
    assert!(folded.len() < kept.len() && kept.len() >= all.len());
    assert_eq!(groups(&shop, &[question, "-k", "3"]).len(), 3, "k groups, whatever is folded");
    // The number of near-duplicates depends on the number of results that are searched for them.
    let names =
        |k: &str| groups(&shop, &[question, "-k", k]).into_iter().take(2).map(|(name, _)| name).collect::<Vec<_>>();
    assert_eq!(names("3"), names("10"));
}

#[test]
fn files_and_windows_are_not_folded() {
    let shop = shop();
    for unit in ["file", "window"] {
        let question = ["save an invoice as a file", "--unit", unit];
        let plain = shop.run(&[&question[..], &["--jsonl", "--no-fold"]].concat()).found();
        assert_eq!(shop.run(&[&question[..], &["--jsonl"]].concat()).found().out, plain.out);
        assert!(groups(&shop, &question).iter().all(|(_, alike)| *alike == 0));
    }
}

#[test]
fn eval_counts_each_definition_at_its_own_rank() {
    let shop = shop();
    let case = json!({"id": "copy", "repo": "repo", "query": "save an invoice as a file", "category": "question",
        "gold": [{"path": "v2/save.py", "name": "save_invoice"}]});
    std::fs::write(shop.outside("set.jsonl"), case.to_string()).expect("written");
    let (set, root) = (shop.outside("set.jsonl"), shop.outside(""));
    let arguments =
        ["eval", set.to_str().expect("path"), "--repo-root", root.to_str().expect("path"), "--ranks", "--json"];
    let figures = shop.run(&arguments).found().json();
    assert_eq!(figures["sets"]["set"]["ranks"][0]["rank"], 2);
}

/// A method whose signatures match the question, and whose implementation hardly does.
const SIGNATURES: &str = "export class Purse {
  /** Counts the golden coins of a purse. */
  count(coins: GoldenCoins): number;
  /** Counts the notes. */
  count(notes: Notes): number;
  count(all: any): number {
    return this.take(all).length;
  }
}
";

#[test]
fn an_implementation_represents_its_signatures_with_the_best_score() {
    let env = Env::with(&[("purse.ts", SIGNATURES)]);
    let asked = ["count the golden coins of a purse", "--jsonl"];
    let plain = env.run(&[&asked[..], &["--no-fold"]].concat()).found().json_lines();
    assert_eq!(plain[0]["line"], 3, "a signature is the best by itself: {plain:#?}");
    let folded = env.run(&asked).found().json_lines();
    assert_eq!((folded.len(), &folded[0]["line"], &folded[0]["score"]), (1, &json!(6), &plain[0]["score"]));
    let alike = folded[0]["alike"].as_array().expect("signatures");
    assert_eq!(alike.iter().map(|of| of["start_line"].as_u64()).collect::<Vec<_>>(), [Some(2), Some(4)]);
}

#[test]
fn copies_for_each_platform_fold_and_functions_of_other_folders_do_not() {
    let unix = "int open_pipe(const char *name, int mode) {\n  return mkfifo(name, mode);\n}\n";
    let windows = "int open_pipe(const char *name, int mode) {\n  return CreateNamedPipe(name, OVERLAPPED);\n}\n";
    let water = "int open_pipe(const char *name, int litres) {\n  return dig(name, litres);\n}\n";
    let files = [("src/unix/pipe.c", unix), ("src/win/pipe.c", windows), ("src/water/pipe.c", water)];
    let mut found: Vec<usize> =
        groups(&Env::with(&files), &["open a pipe"]).into_iter().map(|(_, alike)| alike).collect();
    found.sort_unstable();
    assert_eq!(found, [0, 1]);
}
