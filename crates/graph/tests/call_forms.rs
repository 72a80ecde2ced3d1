//! Checks what the form of a call says about its target: a name, an assignment, a receiver. Each
//! test lists all calls of a few lines of code.

use super::linking::lines_called;
use super::names::calls;

#[test]
fn a_ruby_name_calls_no_value_that_a_member_holds() {
    let source = "
class Comment
  def initialize(a); end
end
class Rack
  def call(env); 1; end
end
class Base
  attr_accessor :kind
  def initialize(kind)
    self.kind = kind
  end
  def read
    kind >= 3
    kind.to_s
    kind(3)
  end
  def run
    kind.call(3)
    build(3)
  end
  def build(a) = Comment.new(a)
end
Base.new(Comment)
Base.new(Rack.new)
";
    assert_eq!(
        calls(&[("a.rb", source)]),
        [
            "Base::build -> Comment::initialize",
            "Base::run -> Base::build",
            "Base::run -> Rack::call",
            "a -> Base::initialize",
            "a -> Rack",
        ]
    );
}

#[test]
fn a_ruby_member_may_hold_more_than_the_objects_that_are_known() {
    let source = "
class Other; end
class Document
  def reset; end
end
class Proxy
  attr_reader :base
  def initialize(base)
    @base = base
  end
  def go
    base.reset
  end
end
Proxy.new(Other.new)
";
    assert_eq!(calls(&[("a.rb", source)]), ["Proxy::go -> Document::reset", "a -> Other", "a -> Proxy::initialize"]);
}

#[test]
fn a_ruby_assignment_to_a_member_calls_its_setter() {
    let source = "
class Thing
  def initialize(a); end
end
class Box
  attr_accessor :plain
  def size; @size; end
  def size=(value)
    value.use
    @size = value
  end
  def fill
    self.size = Thing.new(1)
    self.plain = 3
  end
  def read
    size = self.size
    self.size == 1
  end
end
class Thing
  def use; end
end
def assigned
  box = Box.new
  box.size = 4
end
def updated
  box = Box.new
  box.size += 4
  box.size ||= 4
end
def several
  box = Box.new
  box.size, other = 1, 2
end
def unknown(one)
  one.size = 4
  one&.size = 4
end
";
    assert_eq!(
        calls(&[("a.rb", source)]),
        [
            "Box::fill -> Box::size=",
            "Box::fill -> Thing::initialize",
            "Box::read -> Box::size",
            "Box::size= -> Thing::use",
            "assigned -> Box",
            "assigned -> Box::size=",
            "several -> Box",
            "several -> Box::size=",
            "unknown -> Box::size=",
            "updated -> Box",
            "updated -> Box::size",
            "updated -> Box::size=",
        ]
    );
}

#[test]
fn an_objective_c_assignment_to_a_property_calls_its_setter() {
    let source = "
@interface Box : NSObject
@property int size;
@end
@implementation Box
- (void)setSize:(int)value { _size = value; }
- (void)fill { self.size = 3; self.size += 1; }
@end
";
    assert_eq!(calls(&[("a.m", source)]), ["Box.fill -> Box.setSize:"]);
}

#[test]
fn a_ruby_class_has_methods_apart_from_those_of_its_objects() {
    let source = "
class Base
  def self.process; end
  def self.other
    process
    self.process
  end
  def process; end
  def instance
    process
    self.process
  end
  def of_class
    self.class.process
  end
  class << self
    def meta = hidden
    def hidden; end
    def [](key); end
  end
  process
  self.process
end
class Handler < Base
  process do
    1
  end
  def process; end
  def go
    process
  end
end
def explicit
  Base.process
  Handler.process
end
def object = Base.new.process
def element = Base[1]
def element_of_object = Base.new[1]
";
    let lines = |caller: &str| lines_called("a.rb", source, caller);
    assert_eq!(lines("Base"), [3, 3]);
    assert_eq!(lines("other"), [3, 3]);
    assert_eq!(lines("instance"), [8, 8]);
    assert_eq!(lines("of_class"), [3]);
    assert_eq!(lines("meta"), [18]);
    assert_eq!(lines("Handler"), [3]);
    assert_eq!(lines("go"), [28]);
    assert_eq!(lines("explicit"), [3, 3]);
    assert_eq!(lines("object"), [2, 8]);
    assert_eq!(lines("element"), [19]);
    assert_eq!(lines("element_of_object"), [2]);
}

#[test]
fn a_ruby_module_may_extend_a_class_and_itself() {
    let source = "
module Helper
  extend self
  def help = inner
  def inner; end
end
module Dsl
  def field(name) = register(name)
end
class Model
  extend Dsl
  def self.register(name); end
  field :x
end
class Table
  field :y
  def field(name); end
end
def go = Helper.help
";
    assert_eq!(
        calls(&[("a.rb", source)]),
        ["Dsl::field -> Model::register", "Helper::help -> Helper::inner", "Model -> Dsl::field", "go -> Helper::help",]
    );
}

#[test]
fn a_ruby_mixin_adds_the_methods_of_its_class_methods_to_the_class() {
    let mixin = "
module Actions
  def self.included(base)
    base.extend ClassMethods
  end
  module ClassMethods
    def source_root = find
    def find; end
  end
  def copy = self.class.source_root + self.class.own
end
";
    let group = "
class Group
  include Actions
  source_root
  def self.own; end
end
class Other
  source_root
end
def go = Group.source_root
";
    assert_eq!(
        calls(&[("actions.rb", mixin), ("group.rb", group)]),
        [
            "Actions::ClassMethods::source_root -> Actions::ClassMethods::find",
            "Actions::copy -> Actions::ClassMethods::source_root",
            "Actions::copy -> Group::own",
            "Group -> Actions::ClassMethods::source_root",
            "go -> Actions::ClassMethods::source_root"
        ]
    );
}

#[test]
fn a_function_of_each_ruby_class_is_none_of_the_repository() {
    let setup = "
def private
  1
end
def register(name); end
module Concern
  def self.included(base); end
end
";
    let source = "
module Outer
  def self.outer; end
  class Foo
    private
    outer
    register :foo
    def use = private
  end
end
module Part
  included do
    1
  end
end
class Own
  def self.private; end
  private
end
";
    assert_eq!(
        calls(&[("a.rb", source), ("setup.rb", setup)]),
        ["Outer::Foo -> register", "Outer::Foo::use -> private", "Own -> Own::private"]
    );
}

#[test]
fn another_name_of_a_ruby_method_calls_that_method() {
    let source = "
class Owner
  def name; end
  def size; end
end
class Relation
  attr_reader :owner
  def initialize
    @owner = Owner.new
  end
  def target; end
  alias klass target
  alias_method :kind, :target
  alias [] target
  def_delegators :owner, :name
  def_delegator :owner, :size, :owner_size
end
class Below < Relation
  delegate :size, to: :owner, allow_nil: true
  alias below target
  def own = below
end
class Other
  def kind; end
end
def go
  relation = Relation.new
  relation.klass
  relation.kind
  relation[1]
end
def delegated
  Relation.new.name
  Relation.new.owner_size
  Below.new.size
end
def inherited = Below.new.below
";
    assert_eq!(lines_called("a.rb", source, "go"), [8, 11, 11, 11]);
    assert_eq!(lines_called("a.rb", source, "delegated"), [3, 4, 4, 8, 8, 8]);
    assert_eq!(lines_called("a.rb", source, "inherited"), [8, 11]);
    assert_eq!(lines_called("a.rb", source, "own"), [11]);
}

#[test]
fn a_ruby_name_is_a_call_wherever_a_value_may_be() {
    let source = "
class Rows
  def go(kind)
    rows[key]
    case kind
    when other then nil
    end
    [first, *rest]
    (last)..limit
    !is_empty
    {**options}
    kind[kind]
  end
  def rows; end
  def key; end
  def other; end
  def first; end
  def rest; end
  def last; end
  def limit; end
  def is_empty; end
  def options; end
  def kind; end
end
";
    assert_eq!(lines_called("a.rb", source, "go"), [14, 15, 16, 17, 18, 19, 20, 21, 22]);
}

#[test]
fn a_bare_name_calls_a_method_that_a_block_defines() {
    let ruby = "
class Row
  def size = 1
  def wide = 1
end
describe Row do
  def row
    Row.new
  end
  def helper = row.size
  it 'has a size' do
    other = row
    row.size
    other.wide
  end
  it 'is a variable' do
    helper = 1
    helper
  end
end
";
    let found = calls(&[("spec/row_spec.rb", ruby)]);
    for call in ["helper -> Row::size", "row_spec -> Row::size", "row_spec -> Row::wide", "row_spec -> row"] {
        assert!(found.iter().any(|found| found == call), "{call} in {found:?}");
    }
}
