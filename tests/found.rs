//! What a question finds: both spellings of a word, words after escapes, comments of functions that
//! only their package uses, and the source before its bundle and before tests.

use crate::support::env::Env;

fn first(env: &Env, question: &str) -> String {
    env.ask(&[question]).first().cloned().unwrap_or_default()
}

#[test]
fn british_and_american_spellings_find_each_other() {
    let env = Env::with(&[(
        "text.py",
        "def unrecognized():\n    pass\n\n\ndef tokenise():\n    pass\n\n\ndef promise():\n    pass\n",
    )]);
    assert_eq!(first(&env, "unrecognised options"), "unrecognized");
    assert_eq!(first(&env, "where is text tokenized"), "tokenise");
    assert_eq!(first(&env, "promises"), "promise");
}

#[test]
fn words_after_an_escape_in_a_python_string_are_found() {
    let env = Env::with(&[(
        "zoo.py",
        "def one():\n    return \"zebra\\nyak\\ttiger\"\n\n\ndef two(parts):\n    return \"\\f\".join(parts)\n",
    )]);
    for animal in ["zebra", "yak", "tiger"] {
        assert_eq!(first(&env, animal), "one", "{animal}");
    }
    env.run(&["f"]).nothing();
}

#[test]
fn a_plain_comment_documents_a_function_that_only_its_package_can_use() {
    let env = Env::with(&[(
        "park.rs",
        "mod park {\n    // Counts the zebras of a herd.\n    pub(crate) fn herd() -> u8 {\n        3\n    }\n\n    \
         // Counts the zebras of a park.\n    pub fn all() -> u8 {\n        9\n    }\n}\n",
    )]);
    let found = env.run(&["zebras of a herd", "--json"]).found().json();
    assert_eq!(found["results"][0]["name"], "herd");
    assert_eq!(found["results"][0]["doc"], "Counts the zebras of a herd.");
}

#[test]
fn functions_inside_a_block_of_tests_are_tests() {
    let env = Env::with(&[
        (
            "lib/base.rb",
            "module Helpers\n  # Use the contents of the file as the response body.\n  def send_file(path, opts = {})\n    \
             halt 200, read(path)\n  end\nend\n",
        ),
        (
            "test/helpers_test.rb",
            "describe 'send_file' do\n  def send_file_app(opts = {})\n    send_file @file, opts\n  end\nend\n",
        ),
        ("lib/send.js", "/** Sends a file. */\nexport function sendFile(path) {\n  return read(path);\n}\n"),
        (
            "test/send.test.js",
            "describe('send', () => {\n  function sendFileApp(file) {\n    return sendFile(file);\n  }\n});\n",
        ),
    ]);
    let found = env.ask(&["send file"]);
    let rank = |name: &str| found.iter().position(|one| one == name);
    assert!(rank("send_file") < rank("send_file_app"), "{found:?}");
    assert!(rank("sendFile") < rank("sendFileApp"), "{found:?}");
}

#[test]
fn the_source_represents_its_bundle() {
    let body = "(resolve, reject, response) {\n  const validate = response.config.validate;\n  \
                if (!response.status || !validate || validate(response.status)) {\n    resolve(response);\n  } else {\n    \
                reject(new Error('Request failed with status code ' + response.status, response.config));\n  }\n}\n";
    let source = format!("export default function settle{body}");
    let bundle = format!("/** Settles the request by the status code. */\nfunction settle{body}settle(a, b, c);\n");
    let env = Env::with(&[("lib/settle.js", &source), ("dist/bundle.js", &bundle)]);
    let found = env.run(&["settle the request by the status code", "--json"]).found().json();
    assert_eq!(found["results"].as_array().map(Vec::len), Some(1));
    assert_eq!(found["results"][0]["path"], "lib/settle.js");
}
