//! Tests that `whichfn check` reports a method that no longer implements or overrides what it did.

use crate::check::failing;

/// Checks the messages about the only edit of a file: its path and text, what replaces what, and
/// parts of the messages.
fn assert_found(cases: &[(&str, &str, &str, &str, &[&str])]) {
    for (path, text, old, new, expected) in cases {
        assert!(text.contains(old), "{old} is not in {text}");
        let found = failing(&[(path, text)], &[(path, &text.replace(old, new))]);
        let is_as_expected =
            found.len() == expected.len() && expected.iter().zip(&found).all(|(part, one)| one.contains(part));
        assert!(is_as_expected, "{old} -> {new} in\n{text}\n{found:?}");
    }
}

#[test]
fn a_method_that_an_interface_requires_is_missing() {
    let kotlin =
        "interface Task {\n  fun run(a: Int): Int\n}\nclass Job : Task {\n  override fun run(a: Int): Int = 2\n}\n";
    let java = "interface Task { void run(); }\nclass Job implements Task {\n  public void run() { }\n}\n";
    let php = "<?php\ninterface Task { public function run(); }\nclass Job implements Task {\n  public function run() { }\n}\n";
    let python = "from abc import ABC, abstractmethod\n\n\nclass Task(ABC):\n    @abstractmethod\n    def run(self): ...\n\n\nclass Job(Task):\n    def run(self):\n        return 1\n";
    let typescript = "interface Task { run(): void }\nclass Job implements Task {\n  run(): void {}\n}\n";
    let csharp = "interface ITask { void Run(); }\nclass Job : ITask {\n  public void Run() { }\n}\n";
    let swift = "protocol Task {\n    func run() -> Int\n}\nstruct Job: Task {\n    func run() -> Int { 1 }\n}\n";
    let rust = "trait Task {\n    fn run(&self) -> u8;\n}\nstruct Job;\nimpl Task for Job {\n    fn run(&self) -> u8 { 1 }\n}\n";
    let dart = "abstract class Task {\n  void run();\n}\nclass Job implements Task {\n  void run() {}\n}\n";
    let missing = &["no longer has run, which Task requires"][..];
    assert_found(&[
        ("a.kt", kotlin, "override fun run", "fun start", missing),
        ("Job.java", java, "public void run", "public void start", missing),
        ("a.php", php, "run() { }", "start() { }", missing),
        ("a.py", python, "def run(self):\n", "def start(self):\n", missing),
        ("a.ts", typescript, "run(): void {}", "start(): void {}", missing),
        ("a.cs", csharp, "public void Run", "public void Start", &["no longer has Run, which ITask requires"]),
        ("a.swift", swift, "func run() -> Int {", "func start() -> Int {", missing),
        ("a.rs", rust, "fn run(&self) -> u8 {", "fn start(&self) -> u8 {", missing),
        ("a.dart", dart, "void run() {}", "void start() {}", missing),
    ]);
}

#[test]
fn a_method_that_something_else_supplies_is_not_missing() {
    let kotlin = "interface Task {\n  fun run(): Int = 1\n}\nclass Job : Task {\n  override fun run(): Int = 2\n}\n";
    let delegated =
        "interface Task {\n  fun run(): Int\n}\nclass Job(t: Task) : Task by t {\n  override fun run(): Int = 2\n}\n";
    let left_open =
        "interface Task { void run(); }\nabstract class Job implements Task {\n  public void run() { }\n}\n";
    let inherited = "interface Task { void run(); }\nclass Base { public void run() { } }\nclass Job extends Base implements Task {\n  public void run() { }\n}\n";
    let extended = "protocol Task {\n    func run()\n}\nextension Task {\n    func run() {}\n}\nstruct Job: Task {\n    func run() { print(1) }\n}\n";
    let optional = "interface Task { run?(): void }\nclass Job implements Task {\n  run(): void {}\n}\n";
    let field = "interface Task { run(): void }\nclass Job implements Task {\n  run(): void {}\n}\n";
    let plain = "class Task:\n    def run(self):\n        raise NotImplementedError\n\n\nclass Job(Task):\n    def run(self):\n        return 1\n";
    let both = "trait Task {\n    fn run(&self);\n}\nstruct Job;\nimpl Task for Job {\n    fn run(&self) {}\n}\n";
    assert_found(&[
        ("a.kt", kotlin, "  override fun run(): Int = 2\n", "", &[]),
        ("a.kt", delegated, "  override fun run(): Int = 2\n", "", &[]),
        ("Job.java", left_open, "public void run", "public void start", &[]),
        ("Job.java", inherited, "  public void run() { }\n", "", &[]),
        ("a.swift", extended, "    func run() { print(1) }\n", "", &[]),
        ("a.ts", optional, "run(): void {}", "start(): void {}", &[]),
        ("a.ts", field, "run(): void {}", "run = () => {}", &[]),
        ("a.py", plain, "    def run(self):\n        return 1\n", "    pass\n", &[]),
        ("a.rs", both, "fn run", "fn start", &[]),
        ("a.rs", both, "impl Task for Job {\n    fn run(&self) {}\n}\n", "", &[]),
    ]);
}

#[test]
fn an_override_overrides_nothing() {
    let kotlin = "open class Task {\n  open fun run(a: Int): Int = 1\n}\nclass Job : Task() {\n  override fun run(a: Int): Int = 2\n}\n";
    let swift = "class Task {\n    func run(a: Int) -> Int { 1 }\n}\nclass Job: Task {\n    override func run(a: Int) -> Int { 2 }\n}\n";
    let java = "class Task { void run(int a) { } }\nclass Job extends Task {\n  @Override\n  void run(int a) { }\n}\n";
    let plain = java.replace("  @Override\n", "");
    let rust = "trait Task {\n    fn run(&self) -> u8 { 1 }\n}\nstruct Job;\nimpl Task for Job {\n    fn run(&self) -> u8 { 2 }\n}\n";
    let library = "class Job extends lib.Task {\n  @Override\n  void run(int a) { }\n}\n";
    let cpp = "class Task {\n public:\n  virtual int run() = 0;\n};\nclass Job : public Task {\n public:\n  int run() override { return 2; }\n  int b;\n};\n";
    let initialized = "class Task {\n}\nclass Job: Task {\n    var b = 1\n}\n";
    let shown = "open class Task\nclass Job : Task() {\n  fun text(): String = \"\"\n}\n";
    assert_found(&[
        (
            "a.kt",
            kotlin,
            "override fun run",
            "override fun start",
            &["is marked as an override, but overrides nothing"],
        ),
        (
            "a.kt",
            kotlin,
            "override fun run(a: Int)",
            "override fun run(a: Int, b: Int)",
            &["no longer matches Task.run"],
        ),
        (
            "a.swift",
            swift,
            "override func run",
            "override func start",
            &["is marked as an override, but overrides nothing"],
        ),
        ("Job.java", java, "  void run(int a) { }\n", "  void start(int a) { }\n", &["is marked as an override"]),
        (
            "Job.java",
            java,
            "  void run(int a) { }\n",
            "  void run(int a, int b) { }\n",
            &["no longer matches Task.run"],
        ),
        ("Job.java", &plain, "  void run(int a) { }\n", "  void run(int a, int b) { }\n", &[]),
        ("a.rs", rust, "fn run(&self) -> u8 { 2", "fn run(&self, b: u8) -> u8 { 2", &["no longer matches Task::run"]),
        ("Job.java", library, "void run", "void start", &[]),
        ("a.cc", cpp, "int b;", "~Job() override { }", &[]),
        ("a.cc", cpp, "int b;", "int stop() override { return 1; }", &["is marked as an override"]),
        ("a.swift", initialized, "var b = 1", "override init() { super.init() }", &[]),
        ("a.kt", shown, "fun text", "override fun toString", &[]),
    ]);
}
