//! Checks that functions flow through variables whose declared type is a function type, and that the
//! call of a member of a function (`run.Invoke()`) calls the function.

use super::names::calls;

#[test]
fn csharp_delegates_hold_functions() {
    let source = "
using System;
using System.Collections.Generic;
delegate int Job(int x);
record Command(string Name, Func<int, int> Run);
class Box {
  public Func<int, int> Work { get; set; }
  public event EventHandler Changed;
  public void Fire() { Changed?.Invoke(this, null); }
  public void FireAgain() { Changed(this, null); }
}
static class P {
  static int A(int x) => x;
  static int B(int x) => x;
  static int C(int x) => x;
  static int D(int x) => x;
  static void OnChanged(object s, EventArgs e) {}
  static readonly Dictionary<string, Func<int, int>> Table = new() { [\"a\"] = A, [\"b\"] = B };
  static readonly Dictionary<string, Job> Old = new Dictionary<string, Job> { { \"c\", C }, { \"d\", D } };
  static readonly List<Command> Commands = new() { new Command(\"d\", D) };
  static Func<int, int>[] Jobs = { A, C };
  static int Look(string k) => Table[k](1);
  static int LookOld(string k) { return Old[k].Invoke(1); }
  static void Each() { foreach (var c in Commands) c.Run(1); }
  static void EachJob() { foreach (var j in Jobs) j(1); }
  static int Apply(Func<int, int> f) => f(3);
  static int Use() => Apply(B);
  static int Init() { var b = new Box { Work = D }; return b.Work(1); }
  static void Subscribe(Box b) { b.Changed += OnChanged; }
  static int Switch(string k) { Func<int, int> f = k switch { \"a\" => A, _ => B }; return f(1); }
}
";
    let expected = [
        "Box.Fire -> P.OnChanged",
        "Box.FireAgain -> P.OnChanged",
        "P -> Command",
        "P.Apply -> P.B",
        "P.Each -> P.D",
        "P.EachJob -> P.A",
        "P.EachJob -> P.C",
        "P.Init -> Box",
        "P.Init -> P.D",
        "P.Look -> P.A",
        "P.Look -> P.B",
        "P.LookOld -> P.C",
        "P.LookOld -> P.D",
        "P.Switch -> P.A",
        "P.Switch -> P.B",
        "P.Use -> P.Apply",
    ];
    assert_eq!(calls(&[("a.cs", source)]), expected);
}

#[test]
fn java_interfaces_with_one_method_hold_functions() {
    let source = "
import java.util.*;
import java.util.function.*;
interface Handler { int handle(int x); }
record Cmd(String name, Handler handler) {}
class A {
  static int a(int x) { return x; }
  static int b(int x) { return x; }
  int c(int x) { return x; }
  static final List<Cmd> COMMANDS = List.of(new Cmd(\"b\", A::b));
  int apply(IntUnaryOperator f) { return f.applyAsInt(1); }
  int use() { return apply(A::a); }
  int run(Handler h) { return h.handle(2); }
  int useMethod() { return run(this::c); }
  void each() { for (Cmd one : COMMANDS) one.handler().handle(1); }
  final Handler named = A::a;
  int named() { return 1; }
  int useNamed() { return named(); }
}
";
    let expected = [
        "A -> Cmd",
        "A.apply -> A.a",
        "A.each -> A.b",
        "A.each -> Handler.handle",
        "A.run -> A.c",
        "A.run -> Handler.handle",
        "A.use -> A.apply",
        "A.useMethod -> A.run",
        "A.useNamed -> A.named",
    ];
    assert_eq!(calls(&[("A.java", source)]), expected);
}

#[test]
fn kotlin_functional_interfaces_hold_functions() {
    let source = "
fun interface Handler { fun handle(x: Int): Int }
fun a(x: Int) = x
fun run(h: Handler) = h.handle(2)
fun use() = run(::a)
fun job(f: (Int) -> Int) = f.invoke(1)
fun useJob() = job(::a)
";
    let found = calls(&[("a.kt", source)]);
    assert!(found.contains(&"run -> Handler.handle".to_owned()), "{found:?}");
}

#[test]
fn dart_fields_of_a_function_type_hold_functions() {
    let source = "
int a(int x) => x;
int b(int x) => x;
class Command {
  final int Function(int) run;
  final void Function()? onPressed;
  final VoidCallback? onClosed;
  const Command(this.run, {this.onPressed, this.onClosed});
  void press() { onPressed?.call(); }
  void close() { onClosed?.call(); }
}
const commands = [Command(b)];
void loop() { for (final each in commands) { each.run(1); } }
class Door {
  void tap() {}
  void shut() {}
  Command build() { return Command(a, onPressed: tap, onClosed: shut); }
}
";
    let expected = [
        "Command.close -> Door.shut",
        "Command.press -> Door.tap",
        "Door.build -> Command.Command",
        "a.dart -> Command.Command",
        "loop -> a",
        "loop -> b",
    ];
    let found: Vec<String> =
        calls(&[("a.dart", source)]).iter().map(|one| one.replace("a -> C", "a.dart -> C")).collect();
    assert_eq!(found, expected);
}

#[test]
fn php_callables_hold_functions() {
    let source = "<?php
function fa($x) { return $x; }
function fb($x) { return $x; }
class Job {
  function __construct(private \\Closure $done) {}
  function two($x) { return $x; }
  function apply(callable $f) { return $f(1); }
  function named() { return $this->apply(fa(...)); }
  function method() { return $this->apply($this->two(...)); }
  function close() { return ($this->done)(1); }
  static function make() { return new Job(fb(...)); }
}
";
    let found = calls(&[("a.php", source)]);
    let through = ["Job::apply -> Job::two", "Job::apply -> fa", "Job::close -> fb"];
    assert_eq!(through.iter().find(|one| !found.contains(&(**one).to_owned())), None, "{found:?}");
}

#[test]
fn call_and_apply_call_a_javascript_function() {
    let source = "
function a(x) { return x() }
function b(x) { return x() }
function called() {}
function shifted() {}
function applyIt(f, xs) { return f.apply(null, xs) }
function callIt(f) { return f.call(shifted, called) }
function useApply() { return applyIt(a, [called]) }
function useCall() { return callIt(b) }
class Phone { call(f) { f() } }
function dial() { new Phone().call(shifted) }
";
    let expected = [
        "Phone.call -> shifted",
        "applyIt -> a",
        "b -> called",
        "callIt -> b",
        "dial -> Phone",
        "dial -> Phone.call",
        "useApply -> applyIt",
        "useCall -> callIt",
    ];
    assert_eq!(calls(&[("a.js", source)]), expected);
    assert_eq!(calls(&[("a.ts", source)]), expected);
}

/// Only functions reach such a variable, and no function reaches a variable of another type.
#[test]
fn variables_of_other_types_hold_no_functions() {
    let java = "
interface Handler { int handle(int x); }
interface Door { void open(); void shut(); }
class Gate implements Handler { public int handle(int x) { return 1; } }
class Hatch { int handle(int x) { return 1; } }
class A {
  static int a(int x) { return x; }
  static void run(Handler h) { h.handle(1); }
  static void enter(Door d) { d.open(); }
  static void use() { run(new Gate()); enter(A::a); }
}
";
    assert_eq!(
        calls(&[("A.java", java)]),
        ["A.enter -> Door.open", "A.run -> Handler.handle", "A.use -> A.enter", "A.use -> A.run", "A.use -> Gate"]
    );
    let csharp = "
class Func { public void Invoke() {} }
class P {
  static void A() {}
  static void Run(Func f) { f.Invoke(); }
  static void Use() { Run(A); }
}
";
    assert_eq!(calls(&[("a.cs", csharp)]), ["P.Run -> Func.Invoke", "P.Use -> P.Run"]);
}
