//! Checks what the form of a call says about its target: a name, an assignment, a receiver. Each
//! test lists all calls of a few lines of code.

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
