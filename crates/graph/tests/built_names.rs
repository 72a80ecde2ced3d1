//! Calls of members whose names the code builds.

use super::names::calls;

#[test]
fn a_built_name_calls_the_methods_that_start_like_it_also_in_other_files() {
    let walker = r#"
class Walker:
    def find(self, node):
        return getattr(self, f"visit_{node.kind}", None)
    def visit(self, node):
        visitor = self.find(node)
        if visitor is not None:
            return visitor(node)
        return self.other(node)
    def other(self, node): ...
"#;
    let printer = r#"
from walker import Walker
class Printer(Walker):
    def visit_Name(self, node): ...
    def visit_Call(self, node): ...
    def visitor(self): ...
    def revisit_Name(self): ...
def show(node):
    Printer().visit(node)
"#;
    let all = calls(&[("walker.py", walker), ("printer.py", printer)]);
    let from_visit: Vec<_> = all.iter().filter(|call| call.starts_with("Walker.visit ")).collect();
    assert_eq!(
        from_visit,
        [
            "Walker.visit -> Printer.visit_Call",
            "Walker.visit -> Printer.visit_Name",
            "Walker.visit -> Walker.find",
            "Walker.visit -> Walker.other"
        ]
    );
}

#[test]
fn the_start_of_a_name_may_be_in_a_variable_and_be_built_in_several_ways() {
    let python = r#"
class Visitor:
    def visit(self, node):
        method = "visit_" + type(node).__name__
        visitor = getattr(self, method, self.generic)
        return visitor(node)
    def old(self, kind):
        return getattr(self, "parse_%s" % kind)()
    def newer(self, kind):
        return getattr(self, "parse_{}".format(kind))()
    def plain(self):
        renew = getattr(self, "renew")
        return renew()
    def unknown(self, name):
        return getattr(self, name)()
    def generic(self, node): ...
    def visit_Name(self, node): ...
    def parse_row(self): ...
    def renew(self): ...
"#;
    assert_eq!(
        calls(&[("a.py", python)]),
        [
            "Visitor.newer -> Visitor.parse_row",
            "Visitor.old -> Visitor.parse_row",
            "Visitor.plain -> Visitor.renew",
            "Visitor.visit -> Visitor.generic",
            "Visitor.visit -> Visitor.visit_Name"
        ]
    );
}

#[test]
fn a_built_name_calls_methods_in_other_languages() {
    let script = "
class Panel {
  emit(name, row) { return this[`on${name}`](row) }
  send(name) {
    const method = 'on' + name
    return this[method]()
  }
  onOpen(row) {}
  onClose() {}
  once() {}
}
";
    for path in ["a.js", "a.ts"] {
        assert_eq!(
            calls(&[(path, script)]),
            [
                "Panel.emit -> Panel.onClose",
                "Panel.emit -> Panel.onOpen",
                "Panel.send -> Panel.onClose",
                "Panel.send -> Panel.onOpen"
            ],
            "{path}"
        );
    }
    let ruby = r##"
class Parser
  def parse(kind)
    send("parse_#{kind}")
  end
  def again(kind)
    self.send(:"parse_#{kind}")
  end
  def parse_row; end
  def parser; end
end
class Below < Parser
  def below(kind) = public_send("parse_" + kind)
end
"##;
    assert_eq!(
        calls(&[("a.rb", ruby)]),
        [
            "Below::below -> Parser::parse_row",
            "Parser::again -> Parser::parse_row",
            "Parser::parse -> Parser::parse_row"
        ]
    );
    let php = r#"<?php
class Mapper {
    function read($key) {
        $method = "get" . $key;
        return $this->$method();
    }
    function write($key) { return $this->{"set$key"}(1); }
    function getName() {}
    function setName($value) {}
    function gets() {}
}
"#;
    assert_eq!(calls(&[("a.php", php)]), ["Mapper::read -> Mapper::getName", "Mapper::write -> Mapper::setName"]);
}
