//! Checks the calls on values of library types to which the repository adds members. Each test lists
//! all calls of a few lines of code.

use super::names::calls;

const PATCHES: &str = "
class String
  def shout = upcase
  def blank? = empty?
end
class Hash
  def deep = self
end
class Array
  def second = self[1]
end
class Integer
  def doubled = self * 2
end
module Enumerable
  def average = sum
end
class Object
  def blank? = false
end
";

#[test]
fn a_ruby_literal_has_the_members_that_the_repository_adds_to_its_type() {
    let source = "
def literals
  'a'.shout
  { a: 1 }.deep
  [1].second
  3.doubled
end
def variable
  name = \"b#{1}\"
  name.shout
end
def pass = take('c')
def take(text) = text.shout
def elements(name)
  [name].second
  %w[a b].second
end
";
    assert_eq!(
        calls(&[("lib/core_ext.rb", PATCHES), ("app.rb", source)]),
        [
            "elements -> Array::second",
            "literals -> Array::second",
            "literals -> Hash::deep",
            "literals -> Integer::doubled",
            "literals -> String::shout",
            "pass -> take",
            "take -> String::shout",
            "variable -> String::shout"
        ]
    );
}

#[test]
fn a_ruby_literal_has_no_members_of_other_types() {
    let source = "
def run
  [1].doubled
  'a'.deep
  3.shout
  'a'.upcase
  [1].doubled
  { a: 1 }.second
end
";
    assert_eq!(calls(&[("lib/core_ext.rb", PATCHES), ("app.rb", source)]), [""; 0]);
}

#[test]
fn a_ruby_literal_has_the_members_of_the_bases_of_its_type() {
    let source = "
def run
  [1].average
  4.blank?
  nil.blank?
end
def own = 'a'.blank?
";
    assert_eq!(
        calls(&[("lib/core_ext.rb", PATCHES), ("app.rb", source)]),
        ["own -> String::blank?", "run -> Enumerable::average", "run -> Object::blank?"]
    );
}

const PROTOTYPES: &str = "
String.prototype.shout = function () { return this; };
Array.prototype.second = function () { return this[1]; };
Number.prototype.doubled = function () { return this * 2; };
Object.prototype.described = function () { return ''; };
";

#[test]
fn a_javascript_literal_has_the_members_that_the_repository_adds_to_its_type() {
    let source = "
require('./core_ext');
function literals() {
  'a'.shout();
  `b`.shout();
  [1].second();
  [].second();
  (3).doubled();
  'a'.described();
}
function variable() {
  const name = 'b';
  name.shout();
  name.trim().shout();
}
";
    let expected = [
        "literals -> Array.second",
        "literals -> Number.doubled",
        "literals -> Object.described",
        "literals -> String.shout",
        "variable -> String.shout",
    ];
    assert_eq!(calls(&[("core_ext.js", PROTOTYPES), ("app.js", source)]), expected);
    assert_eq!(calls(&[("core_ext.ts", PROTOTYPES), ("app.ts", source)]), expected);
}

#[test]
fn a_javascript_value_has_no_members_of_other_library_types() {
    let source = "
import _ from 'lodash';
class Row extends Base { open() { this.second(); } }
function literals() {
  [1].doubled();
  'a'.second();
  (3).shout();
  'a'.trim();
  _(rows).second();
}
";
    assert_eq!(calls(&[("core_ext.js", PROTOTYPES), ("app.js", source)]), [""; 0]);
}

#[test]
fn a_function_of_one_object_is_no_member_of_a_library_type() {
    let source = "
const init = (inst) => { inst.min = (size) => inst; };
class Text { least(size) { return this; } }
function run() {
  new Text().min(3);
  'a'.min(3);
}
";
    assert_eq!(calls(&[("app.js", source)]), ["run -> Text"; 1]);
}

#[test]
fn a_javascript_function_has_one_meaning_whatever_its_arguments_are() {
    let source = "
export interface Schema { parse(data: string): void }
export function schema(): Schema { return { parse(data: string) {} } }
export function run() { schema().parse(3 as any); schema().parse({}); schema().parse(1); }
";
    let found = calls(&[("app.ts", source)]);
    assert!(found.iter().any(|call| call.starts_with("run -> ") && call.ends_with("parse")), "{found:?}");
}

#[test]
fn a_lua_string_has_the_members_that_the_repository_adds_to_its_table() {
    let added = "function string.shout(s) return s end\nfunction string:quiet() return self end\nfunction table.second(t) return t end\n";
    let source = "
require('core_ext')
local function run(name)
  ('a'):shout()
  local text = 'b'
  text:quiet()
  string.shout('c')
  table.second({})
end
local function other() ('a'):second() end
";
    assert_eq!(
        calls(&[("core_ext.lua", added), ("app.lua", source)]),
        ["run -> string.quiet", "run -> string.shout", "run -> table.second"]
    );
}
