//! Opens a page in a headless browser. If there is no browser on PATH, the tests print a note and
//! pass.

use super::env::{Env, PATIENCE};
use std::io::Write;
use std::path::PathBuf;

const BROWSERS: &[&str] = &["chromium", "chromium-browser", "google-chrome"];

fn browser() -> Option<PathBuf> {
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    BROWSERS.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).find(|path| path.is_file())
}

/// Returns the DOM of the page after its scripts ran; `None` if there is no browser.
pub fn dom(env: &Env, address: &str) -> Option<String> {
    let Some(browser) = browser() else {
        // Writes to standard error directly, which the test harness does not capture, so that
        // skipped tests are visible.
        let _ = writeln!(std::io::stderr(), "SKIPPED: none of {BROWSERS:?} is on PATH, so the page is not opened");
        return None;
    };
    let profile = env.outside("profile");
    let mut command = assert_cmd::Command::from_std(env.other_process(browser));
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", "--virtual-time-budget=8000"]);
    command.arg(format!("--user-data-dir={}", profile.display())).arg(address).timeout(PATIENCE);
    let output = command.output().expect("the browser starts");
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(dom.contains("</html>"), "the browser gave no page: {output:?}");
    Some(dom)
}

/// Returns the value of a `data-` attribute of the body.
pub fn body(dom: &str, name: &str) -> String {
    let tag = dom.split("<body").nth(1).and_then(|rest| rest.split('>').next()).expect("body");
    let value = tag.split(&format!("data-{name}=\"")).nth(1).and_then(|rest| rest.split('"').next());
    value.unwrap_or_else(|| panic!("no data-{name} in {tag}")).to_owned()
}
