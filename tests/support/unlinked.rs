//! A repository in which linking one language reaches its step limit.

use super::env::Env;

/// Files in Ruby: a shop, and code that uses it.
const SHOP: &str = "class Shop
  def open_shop(x)
    tidy(x)
  end

  def tidy(x)
    x
  end

  private

  def unused_one(x)
    x
  end
end
";
const USE: &str = "require_relative 'shop'

def run(shop)
  shop.open_shop(1)
end
";
const PYTHON: &str = "def store(x):
    return x


def run_all(pool):
    pool.handler = store


def main():
    run_all(None)


def _unused():
    pass
";

/// Returns the source of a Ruby file whose calls take more steps than the limit: each of many named
/// arguments is looked up among as many parameters.
fn beyond_the_step_limit() -> String {
    let list = |one: fn(usize) -> String| (0..5_000).map(one).collect::<Vec<_>>().join(", ");
    let (parameters, arguments) = (list(|i| format!("a{i}:")), list(|i| format!("a{i}: 1")));
    format!("def wide({parameters})\nend\n\nwide({arguments})\n")
}

/// Returns a repository in Ruby, whose calls are not all linked, and Python.
pub fn ruby() -> Env {
    let wide = beyond_the_step_limit();
    Env::with(&[("a_wide.rb", &wide), ("shop.rb", SHOP), ("use.rb", USE), ("store.py", PYTHON)])
}

/// The beginning of the notice.
pub const NOTICE: &str = "calls in Ruby are not linked (linking reached its step limit)";
