//! Tests routes in files with many functions, statements or types: they are named as in small files.

use crate::support::env::Env;
use serde_json::Value;

/// Number of functions, statements or types in a file.
const MANY: usize = 200;

/// Returns one text for each number below [`MANY`], joined.
fn many(text: impl Fn(usize) -> String) -> String {
    (0..MANY).map(text).collect()
}

/// Returns the results of a run.
fn results(env: &Env, arguments: &[&str]) -> Vec<Value> {
    env.run(arguments).found().json()["results"].as_array().expect("a list").clone()
}

/// Returns the routes of a repository.
fn routes(env: &Env) -> Vec<String> {
    let all = results(env, &["--kind", "entry", "--json", "-k", "1000"]);
    all.iter().map(|one| one["qualified_name"].as_str().expect("a name").to_owned()).collect()
}

/// Returns the first answer to a question.
fn first(env: &Env, question: &str) -> String {
    results(env, &["ask", question, "--json"])[0]["qualified_name"].as_str().expect("a name").to_owned()
}

#[test]
fn handlers_are_told_apart_by_their_signatures() {
    let helpers = many(|at| format!("func help{at}() int {{ return {at} }}\n"));
    let handlers = many(|at| format!("func show{at}(c *gin.Context) {{ c.JSON({at}) }}\n"));
    let names = many(|at| format!("help{at}, "));
    let routes = many(|at| format!("\tr.GET(\"/p{at}\", wrap(help{at}, show{at}, help0))\n"));
    let source = format!(
        "package main\n\nimport \"github.com/gin-gonic/gin\"\n\n{helpers}{handlers}\nfunc routes(r *gin.Engine) {{\n{routes}\tr.GET(\"/all\", wrap({names}show7))\n}}\n"
    );
    let site = Env::with(&[("main.go", source.as_str())]);
    for at in [0, 7, MANY - 1] {
        assert_eq!(first(&site, &format!("GET /p{at}")), format!("show{at}"));
    }
    assert_eq!(first(&site, "GET /all"), "show7");
}

#[test]
fn methods_are_exported_among_other_values() {
    let values = many(|at| format!("export const limit{at} = {at}\n;;;\n"));
    let source = format!(
        "import {{ withUser }} from '../../../lib/user';\n\n{values}export const GET = withUser(\n  send,\n);\n{values}\
         export const {{ POST, GET }} = withUser(list);\n\nfunction send() {{}}\n\nfunction list() {{}}\n"
    );
    let site = Env::with(&[
        ("app/api/users/route.ts", source.as_str()),
        ("lib/user.ts", "export function withUser(f) {\n  return f;\n}\n"),
    ]);
    assert_eq!(routes(&site), ["GET /api/users", "POST /api/users"]);
    assert_eq!(first(&site, "GET /api/users"), "send");
    assert_eq!(first(&site, "POST /api/users"), "list");
}

#[test]
fn each_of_many_implementations_has_the_prefix_of_the_trait() {
    let implementations = many(|at| {
        format!(
            "pub struct Open{at};\n\nimpl Authorizer for Open{at} {{\n    fn new_router(&self) -> Router {{\n        \
             Router::new().route(\"/p{at}\", get(check))\n    }}\n}}\n\n"
        )
    });
    let source = format!(
        "use axum::{{Router, routing::get}};\n\npub trait Authorizer {{\n    fn new_router(&self) -> Router;\n}}\n\n\
         {implementations}async fn check() {{}}\n"
    );
    let site = Env::with(&[
        ("Cargo.toml", "[package]\nname = \"shop\"\n"),
        (
            "src/main.rs",
            "use axum::Router;\nmod auth;\n\npub fn app<A: auth::Authorizer>(authorizer: A) -> Router {\n    \
             Router::new().nest(\"/auth\", authorizer.new_router())\n}\n",
        ),
        ("src/auth.rs", source.as_str()),
    ]);
    let mut expected: Vec<String> = (0..MANY).map(|at| format!("GET /auth/p{at}")).collect();
    let mut found = routes(&site);
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
}

/// The calls after a resource are looked for in a number of bytes, which may end inside a character.
#[test]
fn calls_limit_a_resource_before_a_long_text() {
    for filler in ["x", "xx", "xxx"] {
        let text = format!("    // {filler}{}\n", "€".repeat(30)).repeat(20);
        let source = format!(
            "<?php\n\nuse App\\Http\\Controllers\\VaultController;\nuse Illuminate\\Support\\Facades\\Route;\n\n\
             Route::apiResource('vaults', VaultController::class)\n    ->only(['update'])\n{text}    \
             ->names('v');\n{text}Route::get('/all', [VaultController::class, 'index']);\n"
        );
        let site = Env::with(&[
            ("routes/api.php", source.as_str()),
            (
                "app/Http/Controllers/VaultController.php",
                "<?php\n\nnamespace App\\Http\\Controllers;\n\nclass VaultController\n{\n    \
                 public function update() {}\n    public function index() {}\n}\n",
            ),
        ]);
        assert_eq!(routes(&site), ["PUT /api/vaults/{vault}", "PATCH /api/vaults/{vault}", "GET /api/all"]);
    }
}
