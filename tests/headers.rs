//! Tests C functions that are documented in a header.

use crate::support::env::Env;

const HEADER: &str = "#ifndef DOOR_H
#define DOOR_H

/** Let a visitor in, unless the alarm is armed. */
API int door_open(struct door *self, int visitor);

/* Doors that nobody watches. */
int door_count(void);
int door_total(void);

#endif
";
const SOURCE: &str = "#include <house/door.h>

API int door_open(struct door *self, int visitor) {
  return self->state ? -1 : visitor;
}

int door_count(void) { return 1; }

int door_total(void) { return 2; }
";

#[test]
fn finds_a_function_by_the_documentation_in_its_header() {
    let env = Env::with(&[("include/house/door.h", HEADER), ("src/door.c", SOURCE)]);
    let found = env.run(&["which function admits a visitor when no alarm is armed", "--json"]).found().json();
    let first = &found["results"][0];
    assert_eq!((&first["name"], &first["path"]), (&"door_open".into(), &"src/door.c".into()), "{found}");
    assert_eq!(first["doc"], "Let a visitor in, unless the alarm is armed.");
    let all = env.run(&["visitor alarm", "--kind", "any", "--json"]).found().json();
    let kinds: Vec<&str> =
        all["results"].as_array().into_iter().flatten().filter_map(|of| of["kind"].as_str()).collect();
    assert!(kinds.contains(&"function") && !kinds.contains(&"declaration"), "a declaration is no result: {all}");
    let related = env.run(&["relate", "door_open"]).found();
    assert!(
        related.out.contains("src/door.c") && !related.out.contains("door.h"),
        "one thing bears the name: {related:?}"
    );
}
