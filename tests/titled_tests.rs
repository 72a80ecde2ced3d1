//! Tests that `whichfn tests` finds tests whose body is a block and whose name is a string, in each
//! language that has them, also in the file with the tested code.

use crate::support::env::Env;
use serde_json::Value;

/// Returns the name and the line of each test that reaches `add`, and the arguments for the runner.
fn reached(files: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let value = Env::with(files).run(&["tests", "add", "--json"]).json();
    let list = |key: &str| value[key].as_array().expect("list").clone();
    let test = |test: &Value| format!("{} {}", test["line"], test["name"].as_str().expect("name"));
    let text = |argument: &Value| argument.as_str().expect("text").to_owned();
    (list("tests").iter().map(test).collect(), list("arguments").iter().map(text).collect())
}

/// Checks the tests that reach `add` in the code, and the arguments for them.
#[track_caller]
fn check(files: &[(&str, &str)], tests: &[&str], arguments: &[&str]) {
    let found = reached(files);
    let found = (found.0.iter().map(String::as_str).collect(), found.1.iter().map(String::as_str).collect());
    assert_eq!(found, (tests.to_vec(), arguments.to_vec()));
}

#[test]
fn zig_tests_are_next_to_the_code() {
    let code = "fn add(a: i32, b: i32) i32 {
    return a + b;
}

test \"adds two\" {
    try expect(add(1, 2) == 3);
}

test add {
    try expect(add(1, 1) == 2);
}

test {
    _ = add(3, 4);
}

test \"unrelated\" {}
";
    let arguments = ["src/main.zig --test-filter 'adds two'", "src/main.zig --test-filter add", "src/main.zig"];
    check(&[("src/main.zig", code)], &["5 adds two", "9 add", "13 test"], &arguments);
    let env = Env::with(&[("src/main.zig", code)]);
    let impact = env.run(&["impact", "add", "--json"]).json();
    assert_eq!((&impact["counts"]["affected"], &impact["counts"]["tests"]), (&0.into(), &3.into()));
    assert_eq!(env.run(&["check", "--dead"]).out, "");
}

#[test]
fn dart_tests_are_in_main() {
    let code = ("lib/math.dart", "int add(int a, int b) => a + b;\n");
    let test = "import 'package:test/test.dart';
import '../lib/math.dart';

int helper() => add(4, 4);

void main() {
  test('adds', () { expect(add(1, 2), 3); });
  group('group', () {
    setUp(() { helper(); });
    testWidgets('nested', (tester) async {
      expect(await add(1, 2), 3);
    });
    test('after setup', () {});
  });
  test('unrelated', () {});
}
";
    let tests = ["7 adds", "10 nested", "13 after setup"];
    check(&[code, ("test/math_test.dart", test)], &tests, &["test/math_test.dart"]);
}

/// The calls in `main` itself and in a group run before their tests.
#[test]
fn the_code_around_tests_runs_before_them() {
    let code = ("lib/math.dart", "int add(int a, int b) => a + b;\n");
    let test = |group: &str, main: &str| {
        format!(
            "import '../lib/math.dart';

void main() {{
  {main}
  group('group', () {{
    {group}
    test('in the group', () {{}});
  }});
  test('outside', () {{}});
}}
"
        )
    };
    let names = |test: &str| reached(&[code, ("test/math_test.dart", test)]).0;
    assert_eq!(names(&test("final sum = add(1, 2);", "")), ["7 in the group"]);
    assert_eq!(names(&test("", "final sum = add(1, 2);")), ["7 in the group", "9 outside"]);
}

const SCRIPT: (&str, &str) = ("math.ts", "export function add(a: number, b: number) { return a + b; }\n");

#[test]
fn a_call_in_a_script_counts_for_the_test_around_it_only() {
    let test = "import { add } from './math';

it('adds', function named() { add(1, 2); });
it('adds later', fakeAsync(() => { add(1, 2); }));
it('has a function', () => { const sum = () => add(1, 2); sum(); });
describe('group', () => {
  beforeEach(() => { add(1, 1); });
  it('after setup', () => {});
});
it('unrelated', () => {});
";
    check(
        &[SCRIPT, ("math.test.ts", test)],
        &["3 adds", "4 adds later", "5 has a function", "8 after setup"],
        &["math.test.ts -t '(adds|adds later|has a function|after setup)'"],
    );
}

#[test]
fn other_functions_than_those_of_jest_take_tests() {
    let deno = "import { add } from './math.ts';

Deno.test('adds', () => { add(1, 2); });
Deno.test({ name: 'with options', fn() { add(1, 2); } });
Deno.test(function named() { add(1, 2); });
";
    let argument = "math_test.ts --filter '/(adds|with options|named)/'";
    check(&[SCRIPT, ("math_test.ts", deno)], &["3 adds", "4 with options", "5 named"], &[argument]);
    let playwright = "import { test } from '@playwright/test';
import { add } from './math';

test.describe('group', () => {
  test.beforeEach(() => { add(0, 0); });
  test.afterEach(() => { add(0, 1); });
  test.afterAll('closes', () => { add(0, 2); });
  test.skip('is not run', () => { add(0, 3); });
  test.fixme('is not run yet', () => { add(0, 4); });
  test('adds', async () => { await test.step('one step', () => { add(1, 2); }); });
});
";
    check(&[SCRIPT, ("math.spec.ts", playwright)], &["10 adds"], &["math.spec.ts -g '(adds)'"]);
    let qunit = "import { add } from './math';

QUnit.module('math', () => { QUnit.test('adds', (assert) => { assert.equal(add(1, 2), 3); }); });
";
    check(&[SCRIPT, ("math.test.ts", qunit)], &["3 adds"], &["math.test.ts -t '(adds)'"]);
}

#[test]
fn vitest_runs_tests_in_the_file_with_the_code() {
    let code = "function add(a, b) { return a + b; }

if (import.meta.vitest) {
  const { describe, it } = import.meta.vitest;
  describe('sums', () => { it('adds', () => { add(1, 2); }); });
  it('unrelated', () => {});
}
";
    check(&[("src/math.js", code)], &["5 adds"], &["src/math.js -t '(adds)'"]);
    assert_eq!(Env::with(&[("src/math.js", code)]).run(&["check", "--dead"]).out, "");
}

#[test]
fn ruby_tests_are_blocks() {
    let code = ("lib/math.rb", "def add(a, b)\n  a + b\nend\n");
    let test = "describe 'math' do
  it 'adds' do
    add(1, 2)
  end
  it { expect(add(1, 2)).to eq 3 }
  it 'is unrelated' do
  end
end
";
    check(&[code, ("spec/math_spec.rb", test)], &["2 adds", "5 it"], &["spec/math_spec.rb:2", "spec/math_spec.rb:5"]);
}

#[test]
fn a_helper_of_elixir_tests_is_not_a_test() {
    let code = ("lib/calc.ex", "defmodule Calc do\n  def add(a, b), do: a + b\nend\n");
    let test = "defmodule CalcTest do
  use ExUnit.Case

  test \"adds\" do
    assert sum() == 3
  end

  defp sum do
    Calc.add(1, 2)
  end
end
";
    check(&[code, ("test/calc_test.exs", test)], &["4 CalcTest.adds"], &["test/calc_test.exs:4"]);
}

#[test]
fn kotlin_tests_are_calls_of_functions_or_strings() {
    let code = ("src/main/Calc.kt", "fun add(a: Int, b: Int): Int = a + b\n");
    let test = "class FunTest : FunSpec({
    test(\"adds\") { add(1, 2) shouldBe 3 }
    test(\"unrelated\") { }
})
class StringTest : StringSpec({
    \"adds two\" { add(1, 2) shouldBe 3 }
    \"adds three\".config(enabled = true) { add(1, 2) shouldBe 3 }
})
class WordTest : WordSpec({
    \"A sum\" should { \"be positive\" { add(1, 2) shouldBe 3 } }
})
class InitTest : FunSpec() {
    init { test(\"in init\") { add(1, 2) shouldBe 3 } }
}
";
    let tests = ["2 adds", "6 adds two", "7 adds three", "10 be positive", "13 in init"];
    check(&[code, ("src/test/CalcTest.kt", test)], &tests, &["FunTest", "StringTest", "WordTest", "InitTest"]);
}

#[test]
fn scala_tests_are_blocks() {
    let code = ("src/main/Calc.scala", "package app\nobject Calc {\n  def add(a: Int, b: Int): Int = a + b\n}\n");
    let test = "package app
class MUnitTest extends munit.FunSuite {
  test(\"adds\") { assertEquals(Calc.add(1, 2), 3) }
  test(\"adds slowly\".tag(Slow)) { Calc.add(1, 2) }
  test(\"unrelated\") { }
}
class FlatTest extends AnyFlatSpec {
  \"A sum\" should \"be positive\" in { Calc.add(1, 2) }
  it should \"be small\" in { Calc.add(1, 2) }
}
class FreeTest extends AnyFreeSpec {
  \"outer\" - { \"inner\" in { Calc.add(1, 2) } }
}
class IndentedTest extends munit.FunSuite:
  test(\"indented\"):
    Calc.add(1, 2)
";
    let tests = ["3 adds", "4 adds slowly", "8 be positive", "9 be small", "12 inner", "15 indented"];
    check(&[code, ("src/test/CalcTest.scala", test)], &tests, &["MUnitTest", "FlatTest", "FreeTest", "IndentedTest"]);
}

#[test]
fn swift_tests_have_types_or_not() {
    let code = (
        "Sources/Calc.swift",
        "func add(_ a: Int, _ b: Int) -> Int { a + b }\n\n@Test func adds() { #expect(add(1, 2) == 3) }\n",
    );
    let test = "class CalcSpec: QuickSpec {
  override class func spec() {
    describe(\"sums\") { it(\"adds two\") { expect(add(1, 2)).to(equal(3)) } }
    it(\"unrelated\") { }
  }
}
@Suite struct Sums { @Test func `adds three`() { #expect(add(1, 2) == 3) } }
";
    check(
        &[code, ("Tests/CalcSpec.swift", test)],
        &["3 adds", "3 adds two", "7 Sums.`adds three`"],
        &["adds", "CalcSpec", "'Sums/adds three'"],
    );
}

#[test]
fn go_tests_are_functions_or_nodes_of_ginkgo() {
    let go = ("go.mod", "module x\n");
    let code = ("calc.go", "package x\n\nfunc add(a, b int) int { return a + b }\n");
    let test = "package x

func TestAdd(t *testing.T) { t.Run(\"sub\", func(t *testing.T) { add(1, 2) }) }

var _ = Describe(\"sums\", func() {
	It(\"adds\", func() { add(1, 2) })
	It(\"is unrelated\", func() {})
})
";
    check(
        &[go, code, ("calc_test.go", test)],
        &["3 TestAdd", "6 adds"],
        &["-run '^(TestAdd)$' ./", "./ -ginkgo.focus '(adds)'"],
    );
}

/// The parser reads the head as a call, and the body as a block behind it.
#[test]
fn cpp_tests_are_calls_of_macros() {
    let code = "int add(int a, int b) { return a + b; }

TEST_CASE(\"adds\", \"[math]\") { CHECK(add(1, 2) == 3); }
TEST_CASE_METHOD(Fixture, \"adds with a fixture\")
{
  SECTION(\"part\") { add(1, 2); }
}
namespace inner {
SCENARIO(\"adds in a namespace\") { add(1, 2); }
}
#ifdef SLOW
TEST_CASE(\"adds slowly\") { add(1, 2); }
#endif
TEST(Math, Adds) { add(1, 2); }
BOOST_AUTO_TEST_CASE(adds_one) { BOOST_TEST(add(1, 2) == 3); }
BOOST_FIXTURE_TEST_CASE(adds_two, Fixture) { add(1, 2); }
TEST_CASE(\"unrelated\") {}
";
    check(
        &[("src/math.cpp", code)],
        &[
            "3 adds",
            "4 adds with a fixture",
            "9 adds in a namespace",
            "12 adds slowly",
            "14 Math::Adds",
            "15 adds_one",
            "16 adds_two",
        ],
        &["adds", "'adds with a fixture'", "'adds in a namespace'", "'adds slowly'", "Adds", "adds_one", "adds_two"],
    );
}

#[test]
fn c_tests_are_functions_or_calls_of_macros() {
    let code = ("src/math.c", "int add(int a, int b) { return a + b; }\n");
    let test = "int add(int a, int b);
START_TEST(adds) { ck_assert(add(1, 2) == 3); }
END_TEST
START_TEST(adds_too) { ck_assert(add(1, 2) == 3); }
END_TEST
Test(math, adds_two) { add(1, 2); }
TEST(adds_three)
{
  add(1, 2);
}
void test_four(void) { add(1, 2); }
Test(math, unrelated) {}
";
    check(
        &[code, ("test/test_math.c", test)],
        &["2 adds", "4 adds_too", "6 adds_two", "7 adds_three", "11 test_four"],
        &["adds", "adds_too", "adds_two", "adds_three", "test_four"],
    );
}

#[test]
fn objc_tests_are_blocks_or_methods() {
    let code = ("Calc/Calc.m", "int add(int a, int b) { return a + b; }\n");
    let test = "SpecBegin(Calc)
describe(@\"sums\", ^{
  it(@\"adds\", ^{ add(1, 2); });
  it(@\"is unrelated\", ^{ });
});
SpecEnd
";
    check(&[code, ("CalcTests/CalcTests.m", test)], &["3 adds"], &["CalcTests/CalcTests.m"]);
}

#[test]
fn php_tests_are_functions_of_pest_or_methods() {
    let code = ("src/math.php", "<?php\nfunction add($a, $b) { return $a + $b; }\n");
    let test = "<?php
it('adds', function () { expect(add(1, 2))->toBe(3); })->group('sums');
test('adds two', fn () => expect(add(1, 2))->toBe(3));
it('is unrelated', function () {});
class MathTest extends TestCase {
  /** @test */
  public function adds_three() { add(1, 2); }
}
";
    check(
        &[code, ("tests/MathTest.php", test)],
        &["2 adds", "3 adds two", "7 MathTest::adds_three"],
        &["--filter '(adds|adds two|adds_three)' tests/MathTest.php"],
    );
}

#[test]
fn lua_tests_are_functions_without_a_name() {
    let code = ("src/math.lua", "local M = {}\nfunction M.add(a, b) return a + b end\nreturn M\n");
    let test = "local math = require('src.math')
describe('math', function()
  it('adds', function() math.add(1, 2) end)
  it([[adds two]], function() math.add(1, 2) end)
  it('is unrelated', function() end)
end)
";
    check(&[code, ("spec/math_spec.lua", test)], &["3 adds", "4 adds two"], &["spec/math_spec.lua"]);
}

#[test]
fn haskell_tests_are_expressions() {
    let code = ("src/Calc.hs", "module Calc where\nadd :: Int -> Int -> Int\nadd a b = a + b\n");
    let test = "module CalcSpec where
import Calc

spec :: Spec
spec = describe \"sums\" $ do
  it \"adds\" $ do
    add 1 2 `shouldBe` 3
  it \"adds two\" (add 1 2 `shouldBe` 3)
  prop \"adds nothing\" $ \\x -> add x 0 == x
  it \"is unrelated\" $ pure ()

tests :: TestTree
tests = testGroup \"sums\" [testCase \"adds in tasty\" $ add 1 2 @?= 3]
";
    check(
        &[code, ("test/CalcSpec.hs", test)],
        &["6 adds", "8 adds two", "9 adds nothing", "13 adds in tasty"],
        &["adds", "'adds two'", "'adds nothing'", "'adds in tasty'"],
    );
}

#[test]
fn julia_tests_are_nested_blocks() {
    let code = ("src/Calc.jl", "module Calc\nadd(a, b) = a + b\nend\n");
    let test = "using Test, Calc
@testset \"sums\" begin
    @testset \"adds\" begin
        @test total() == 3
    end
    @testset \"unrelated\" begin
    end
end
@testset begin
    @test Calc.add(1, 2) == 3
end
function total()
    Calc.add(1, 2)
end
";
    check(&[code, ("test/runtests.jl", test)], &["9 testset", "3 \"sums\".\"adds\""], &["test/runtests.jl"]);
}

#[test]
fn r_tests_are_blocks_in_braces() {
    let code = ("R/math.R", "add <- function(a, b) a + b\n");
    let test = "test_that(\"adds\", {
  expect_equal(add(1, 2), 3)
})
describe(\"sums\", {
  it(\"adds two\", { expect_equal(add(1, 2), 3) })
})
test_that(\"unrelated\", {
})
";
    check(&[code, ("tests/testthat/test-math.R", test)], &["1 adds", "5 adds two"], &["tests/testthat/test-math.R"]);
}

#[test]
fn bats_tests_have_one_word_or_several() {
    let code = ("lib/math.sh", "add() { echo $(($1 + $2)); }\n");
    let test = "load ../lib/math.sh
@test \"adds\" {
  run add 1 2
}
@test \"adds two\" {
  add 1 2
}
";
    check(&[code, ("test/math.bats", test)], &["2 adds", "5 adds two"], &["test/math.bats"]);
}

/// A block around many functions is read once for each of them.
#[test]
fn a_test_with_thousands_of_functions_is_listed_in_bounded_time() {
    let rows: String = (0..20_000).map(|row| format!("() => add({row}, 1),\n")).collect();
    let test = format!(
        "import {{ add }} from './math';\n\nit('adds', () => {{}});\nit.each([{rows}])('adds %s', (row) => {{ row(); }});\n"
    );
    let (tests, _) = reached(&[SCRIPT, ("math.test.ts", &test)]);
    assert!(!tests.is_empty());
}
