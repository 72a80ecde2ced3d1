//! Checks that a name has the type that a test has found, in the code that the test guards.

use super::names::calls;

#[test]
fn a_name_has_the_tested_type_in_the_guarded_code() {
    let python = "
class Door:
    def open(self): pass
class Gate:
    def open(self): pass
class Hatch:
    def open(self): pass
def guarded(x):
    if isinstance(x, Door): x.open()
    elif isinstance(x, (Gate, Hatch)) and x: x.open()
def both(x): return isinstance(x, Door) and x.open()
def chosen(x): return x.open() if isinstance(x, Door) else 1
def left(x):
    if not isinstance(x, Door): return 1
    return x.open()
def skipped(xs):
    for x in xs:
        if not isinstance(x, Door) or not x:
            continue
        x.open()
def asserted(x):
    assert isinstance(x, Door)
    x.open()
def listed(xs): return [x.open() for x in xs if isinstance(x, Door)]
def inner(x):
    if isinstance(x, Door):
        def later(): return x.open()
";
    let expected = [
        "asserted -> Door.open",
        "both -> Door.open",
        "chosen -> Door.open",
        "guarded -> Door.open",
        "guarded -> Gate.open",
        "guarded -> Hatch.open",
        "inner.later -> Door.open",
        "left -> Door.open",
        "listed -> Door.open",
        "skipped -> Door.open",
    ];
    assert_eq!(calls(&[("a.py", python)]), expected);
    let javascript = "
class Door { open() {} }
class Gate { open() {} }
function guarded(x) { if (x instanceof Door && x) { x.open() } else if (x instanceof Gate) x.open() }
function both(x) { return x && x instanceof Door && x.open() }
function chosen(x) { return x instanceof Door ? x.open() : 1 }
function left(x) { if (!(x instanceof Door)) { return 1 } return x.open() }
function thrown(x) { if (!(x instanceof Door)) throw new Error(); else x.open() }
function inner(x) { if (x instanceof Door) [1].map(() => x.open()) }
";
    let expected = [
        "both -> Door.open",
        "chosen -> Door.open",
        "guarded -> Door.open",
        "guarded -> Gate.open",
        "inner -> Door.open",
        "left -> Door.open",
        "thrown -> Door.open",
    ];
    assert_eq!(calls(&[("a.js", javascript)]), expected);
    assert_eq!(calls(&[("a.ts", &javascript.replace("(x)", "(x: unknown)"))]), expected);
    let php = "<?php
class Door { function open() {} }
class Gate { function open() {} }
function guarded($x) { if ($x instanceof Door && $x) { $x->open(); } elseif ($x instanceof Gate) { $x->open(); } }
function both($x) { return $x instanceof Door && $x->open(); }
function chosen($x) { return $x instanceof Door ? $x->open() : 1; }
function left($x) { if (! $x instanceof Door) { return 1; } return $x->open(); }
function thrown($x) { if (!($x instanceof Door)) { throw new E(); } $x->open(); }
";
    let expected = [
        "both -> Door::open",
        "chosen -> Door::open",
        "guarded -> Door::open",
        "guarded -> Gate::open",
        "left -> Door::open",
        "thrown -> Door::open",
    ];
    assert_eq!(calls(&[("a.php", php)]), expected);
}

/// The tested type replaces the declared one, whose members may be overridden elsewhere.
#[test]
fn a_tested_type_is_more_precise_than_the_declared_one() {
    let python = "
class Door:
    def open(self): pass
class Gate(Door):
    def shut(self): pass
    def open(self): pass
def guarded(x: Door):
    if isinstance(x, Gate): x.shut()
    x.open()
";
    assert_eq!(calls(&[("a.py", python)]), ["guarded -> Door.open", "guarded -> Gate.shut"]);
    let typescript = "
class Door { open() {} }
class Gate extends Door { shut() {} open() {} }
function guarded(x: Door) { if (x instanceof Gate) { x.shut() } x.open() }
";
    assert_eq!(calls(&[("a.ts", typescript)]), ["guarded -> Door.open", "guarded -> Gate.shut"]);
    let php = "<?php
class Door { function open() {} }
class Gate extends Door { function shut() {} function open() {} }
function guarded(Door $x) { if ($x instanceof Gate) { $x->shut(); } $x->open(); }
";
    assert_eq!(calls(&[("a.php", php)]), ["guarded -> Door::open", "guarded -> Gate::shut"]);
}

#[test]
fn a_test_says_nothing_where_it_may_have_failed() {
    let python = "
class Door:
    def open(self): pass
class Gate:
    def open(self): pass
def other(x: Gate):
    if isinstance(x, Door) or x: x.open()
def outside(x: Gate):
    if isinstance(x, Door): pass
    x.open()
def negated(x: Gate):
    if not isinstance(x, Door): x.open()
def renamed(x):
    if isinstance(x, Door): x = Gate()
    x.open()
def replaced(x):
    if not isinstance(x, str):
        x = Gate()
        x.open()
def foreign(x: Gate):
    if isinstance(x, Unknown): x.open()
def passed(x):
    if isinstance(x, Door): return x
def used(): passed(Gate()).open()
";
    let expected = [
        "foreign -> Gate.open",
        "negated -> Gate.open",
        "other -> Gate.open",
        "outside -> Gate.open",
        "renamed -> Gate",
        "renamed -> Gate.open",
        "replaced -> Gate",
        "replaced -> Gate.open",
        "used -> Gate",
        "used -> Gate.open",
        "used -> passed",
    ];
    assert_eq!(calls(&[("a.py", python)]), expected);
}
