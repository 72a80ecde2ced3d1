//! Tests the page of `whichfn serve` in a browser: it sends questions, shows the results with
//! code and reasons, leads from function to function, and never parses text from files as HTML.

use crate::support::browser::{body, dom};
use crate::support::env::Env;
use crate::support::http::Served;

const SESSION: &str = "class Session:
    def renew(self, token):
        \"\"\"Prolong the session by an hour if its token still counts.\"\"\"
        check(token)


def check(token):
    # Not yet expired.
    return token.until > 1_000
";

fn opened(env: &Env, served: &Served, hash: &str) -> Option<String> {
    let dom = dom(env, &format!("http://{}/{hash}", served.address))?;
    assert_eq!((body(&dom, "ready"), body(&dom, "errors")), ("true".to_owned(), "0".to_owned()), "{dom}");
    Some(dom)
}

/// Returns the part of the page with this id.
fn part<'d>(dom: &'d str, id: &str, tag: &str) -> &'d str {
    let from = dom.split(&format!("id=\"{id}\"")).nth(1).expect("the part");
    from.split(&format!("</{tag}>")).next().expect("its end")
}

#[test]
fn a_question_in_the_address_is_answered() {
    let env = Env::with(&[("src/session.py", SESSION)]);
    let served = Served::start(&env, &[]);
    let Some(dom) = opened(&env, &served, "#q=whether+a+token+has+expired") else { return };
    assert_ne!(body(&dom, "results"), "0");
    let list = part(&dom, "list", "section");
    for words in [
        "src/session.py:7",
        ">check</a>",
        "href=\"#q=whether+a+token+has+expired&amp;at=src%2Fsession.py%3A7\"",
        "why: ",
        "<mark>token</mark>",
        "<span class=\"k\">return</span>",
        "<span class=\"n\">1_000</span>",
        "<i>9</i>",
    ] {
        assert!(list.contains(words), "{words}: {list}");
    }
    assert!(part(&dom, "state", "p").contains("2 functions in 1 files"), "{dom}");
}

#[test]
fn clicking_a_function_shows_its_callers() {
    let env = Env::with(&[("src/session.py", SESSION)]);
    let served = Served::start(&env, &[]);
    let Some(dom) = opened(&env, &served, "#at=src/session.py:7") else { return };
    assert_eq!(body(&dom, "at"), "src/session.py:7");
    let one = part(&dom, "one", "article");
    for words in ["<h2>check</h2>", "Callers (1)", "href=\"#at=src%2Fsession.py%3A2\"", "<code>check(token)</code>"] {
        assert!(one.contains(words), "{words}: {one}");
    }
    assert!(one.contains("<span class=\"row here\"><i>7</i><span class=\"k\">def</span> check(token):"), "{one}");
    assert!(one.contains("<span class=\"c\"># Not yet expired.</span>"), "{one}");
    let several = Env::with(&[("a.py", "def go():\n    pass\n"), ("b.py", "def go():\n    pass\n")]);
    let served = Served::start(&several, &[]);
    let dom = opened(&several, &served, "#at=go").expect("still a browser");
    assert!(part(&dom, "state", "p").contains("2 definitions"), "{dom}");
    assert!(part(&dom, "one", "article").contains("href=\"#at=b.py%3A1\""), "those that it may be can be chosen");
}

#[cfg(unix)]
#[test]
fn hostile_text_stays_text() {
    let hostile = "</script><img src=x onerror=document.body.dataset.hacked=1>\"'&amp;.py";
    let env = Env::new();
    let code = "def draw(x=\"</pre><script>document.body.dataset.hacked=1</script>\"):\n    \"\"\"Draw <b onclick=alert(1)>it</b>.\"\"\"\n    return x\n";
    env.write(hostile, code);
    let served = Served::start(&env, &[]);
    let Some(dom) = opened(&env, &served, "#q=draw+it%3Cscript%3E") else { return };
    assert!(!dom.contains("data-hacked"), "text of a file ran as a script");
    let list = part(&dom, "list", "section");
    assert!(list.contains("&lt;/script&gt;&lt;img src=x onerror="), "{list}");
    let at = "#at=%3C/script%3E%3Cimg%20src=x%20onerror=document.body.dataset.hacked=1%3E%22%27%26amp%3B.py%3A1";
    let dom = opened(&env, &served, at).expect("still a browser");
    assert!(!dom.contains("data-hacked") && part(&dom, "one", "article").contains("&lt;/pre&gt;"), "{dom}");
}

#[test]
fn the_picture_cannot_access_the_server() {
    let env = Env::with(&[("src/session.py", SESSION)]);
    let served = Served::start(&env, &[]);
    let reply = served.get("/graph?name=check");
    let policy = reply.header("content-security-policy");
    assert!(policy.contains("default-src 'none'") && policy.contains("sandbox allow-scripts"), "{policy}");
    assert!(reply.body.contains("\"address\":\"/#at=\""), "its places lead to the page");
    let Some(dom) = dom(&env, &format!("http://{}/graph?name=check", served.address)) else { return };
    assert_eq!((body(&dom, "ready"), body(&dom, "errors")), ("true".to_owned(), "0".to_owned()));
}

#[test]
fn the_page_asks_for_the_token() {
    let env = Env::with(&[("src/session.py", SESSION)]);
    let served = Served::start(&env, &["--token", "0123456789abcdef"]);
    let Some(dom) = opened(&env, &served, "#q=expired") else { return };
    assert!(part(&dom, "state", "p").contains("requires a token"), "{dom}");
    assert!(part(&dom, "list", "section").contains("type=\"password\""), "{dom}");
}

#[test]
fn the_page_loads_nothing_from_elsewhere() {
    let env = Env::with(&[("src/session.py", SESSION)]);
    let served = Served::start(&env, &[]);
    for (path, kind) in [("/", "text/html"), ("/page.css", "text/css"), ("/page.js", "text/javascript")] {
        let reply = served.get(path);
        assert_eq!(reply.status, 200);
        assert!(reply.header("content-type").starts_with(kind));
        let policy = reply.header("content-security-policy");
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        for load in ["https:", "@import", "url(", "innerHTML", "eval(", "<style", " style=", " onclick="] {
            assert!(!reply.body.contains(load), "{path} has {load}");
        }
    }
    assert_eq!(served.get("/").body.matches("http:").count(), 1, "the example of a command");
}

/// Siblings say less about a function than its callers, its overrides and its tests.
#[test]
fn a_function_lists_its_callers_before_its_siblings() {
    let base = "class Door:\n    def open(self):\n        return 1\n\n    def shut(self):\n        return 0\n\n\n\
                class Gate(Door):\n    def open(self):\n        return 2\n\n\ndef enter(door: Door):\n    return door.open()\n";
    let test = "from doors import Door\n\n\ndef test_open():\n    assert Door().open()\n";
    let env = Env::with(&[("doors.py", base), ("tests/test_doors.py", test)]);
    let served = Served::start(&env, &[]);
    let Some(dom) = opened(&env, &served, "#at=doors.py:2") else { return };
    let one = part(&dom, "one", "article");
    let order = ["Callers (", "callees", "Implementations (1)", "Gate.open", "Tests (1)", "Related ("];
    let places: Vec<_> =
        order.iter().map(|words| one.find(words).unwrap_or_else(|| panic!("{words}: {one}"))).collect();
    assert!(places.is_sorted(), "{order:?}: {places:?} in {one}");
}
