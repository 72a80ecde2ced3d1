// The page of `whichfn serve`: a question, its results, and one function with what is around it.
// All text comes from files of a repository: it is only ever put in as text.
"use strict";

const $ = (id) => document.getElementById(id);
const body = document.body;
body.dataset.errors = "0";
addEventListener("error", () => { body.dataset.errors = String(Number(body.dataset.errors) + 1); });
addEventListener("unhandledrejection", () => { body.dataset.errors = String(Number(body.dataset.errors) + 1); });

/* Elements */

function add(parent, name, text, attributes) {
  const element = document.createElement(name);
  if (text) element.textContent = text;
  for (const [key, value] of Object.entries(attributes || {})) if (value !== undefined) element.setAttribute(key, value);
  parent.appendChild(element);
  return element;
}

// Documentation without the marks that only its own tools read.
const plain = (doc) => doc.replaceAll("``", "`").replace(/:\w+:`([^`]*)`/g, "$1");

const place = (of) => `${of.path}:${of.line}`;

function say(text, kind) {
  $("state").textContent = text;
  $("state").className = kind || "";
}

/* Questions to the server */

let token = "";
try { token = sessionStorage.getItem("token") || ""; } catch { /* storage may be forbidden */ }

class Failure extends Error {
  constructor(status, error) {
    super(error.what);
    this.status = status;
    this.next = error.next;
    this.candidates = error.candidates || [];
  }
}

async function fetched(path, fields) {
  const query = new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== "" && value !== undefined));
  let reply;
  try {
    reply = await fetch(`${path}?${query}`, token ? { headers: { Authorization: `Bearer ${token}` } } : {});
  } catch {
    throw new Failure(0, { what: "the server does not answer", next: "restart it: whichfn serve" });
  }
  const value = await reply.json();
  if (!reply.ok) throw new Failure(reply.status, value.error);
  return value;
}

/* What is shown stands in the address: q, kind, root, at. So Back goes back. */

const shown = () => ({ root: $("root").value, ...Object.fromEntries(new URLSearchParams(location.hash.slice(1))) });

function address(changes) {
  const all = { ...shown(), ...changes };
  const usual = { kind: "function", root: $("root").options[0]?.value };
  const kept = Object.entries(all).filter(([key, value]) => value && value !== usual[key]);
  return `#${new URLSearchParams(kept)}`;
}

const opening = (of) => address({ at: place(of) });

/* Code: comments, strings, numbers and words that many languages share; and the words of the question that were found */

const WORDS = new Set(("abstract as async await break case catch class const continue def default defer del do elif else enum except export extends " +
  "false False final finally fn for foreach from func function go if impl implements import in instanceof interface is lambda let loop match " +
  "mod module mut namespace new nil None nonlocal not null or and override package pass pub public private protected raise range rescue " +
  "return self static struct super switch template this throw throws trait true True try type typedef unless use using var virtual void " +
  "when where while with yield").split(" "));

/* Comments, strings, numbers and names of a file, by its ending. */
function tokens(path) {
  const hash = /\.(py|pyi|rb|sh|toml|ya?ml|r|pl)$/.test(path), lifetimes = /\.rs$/.test(path);
  const parts = [
    hash ? /(#.*)/ : /(\/\*[\s\S]*?(?:\*\/|$)|\/\/.*)/,
    hash ? /("""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)/
      : lifetimes ? /("(?:\\[\s\S]|[^"\\])*"?|'(?:\\[^']+|[^'\\\n])')/
        : /("(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`(?:\\[\s\S]|[^`\\])*`)/,
    /(\b\d[\w.]*)/, /([A-Za-z_]\w*)/,
  ];
  return new RegExp(parts.map((one) => one.source).join("|"), "g");
}
const SMALL = new Set("a an and are as at be by do does for from has how if in is it of on or that the this to was what when where whether which who with".split(" "));
const KINDS = ["c", "s", "n"];

/* Lines with their numbers; `here` is the line of the name. */
function code(parent, path, text, numbers, found, here) {
  const block = add(parent, "pre", "", { tabindex: "0", "aria-label": "Code" });
  const marks = new Set(found.map((word) => word.toLowerCase()));
  let row = null, rows = 0;
  const begin = () => {
    row = add(block, "span", "", { class: numbers[rows] === here ? "row here" : "row" });
    add(row, "i", String(numbers[rows++]));
  };
  const put = (piece, kind) => piece.split("\n").forEach((line, at) => {
    if (at > 0) { row.append("\n"); begin(); }
    if (line) marked(kind ? add(row, "span", "", { class: kind }) : row, line, marks);
  });
  begin();
  let end = 0;
  for (const match of text.matchAll(tokens(path))) {
    put(text.slice(end, match.index), "");
    end = match.index + match[0].length;
    put(match[0], KINDS[match.slice(1, 4).findIndex(Boolean)] || (WORDS.has(match[4]) ? "k" : ""));
  }
  put(text.slice(end), "");
  row.append("\n");
}

function marked(parent, text, marks) {
  for (const part of text.split(/(\w+)/)) {
    if (marks.has(part.toLowerCase())) add(parent, "mark", part); else parent.append(part);
  }
}

/* Results */

function welcome() {
  const list = $("list");
  list.replaceChildren();
  const hints = add(list, "div", "", { class: "hints" });
  add(hints, "p", "Describe what a function does, in your own words. You can also paste an error message, a line of a stack trace or a name.");
  const keys = add(hints, "p");
  for (const [key, does] of [["/", "ask"], ["↑ ↓", "next result"], ["Enter", "open"], ["Esc", "back"]]) {
    add(keys, "kbd", key);
    keys.append(` ${does}   `);
  }
  const more = add(hints, "p");
  add(more, "a", "The repository as a picture", { href: graph(""), target: "_blank", rel: "noopener" });
  more.append(" · ");
  add(more, "a", "HTTP API", { href: "/openapi.json" });
  if (token) more.remove();
}

function graph(name) {
  const fields = { name, root: shown().root || "" };
  return `/graph?${new URLSearchParams(Object.entries(fields).filter(([, value]) => value))}`;
}

function result(found, trust) {
  const card = add($("list"), "div", "", { class: "result", "data-place": place(found) });
  const head = add(card, "div", "", { class: "line" });
  const title = add(head, "h2");
  add(title, "a", found.qualified_name, { href: opening(found) });
  add(head, "span", found.kind, { class: "chip" });
  const chance = trust && trust.level !== "nothing fits" ? ` · ${Math.round(100 * trust.chance)} %` : "";
  if (trust) add(head, "span", trust.level + chance, { class: `chip ${trust.level}` });
  add(card, "div", place(found), { class: "place" });
  if (found.doc) add(card, "p", plain(found.doc), { class: "doc" });
  if (found.snippet) code(card, found.path, found.snippet, found.snippet_lines, found.evidence.map((one) => one.found));
  const most = Math.max(...found.evidence.map((one) => one.weight));
  const telling = found.evidence.filter((one) => one.weight > most / 10 && !SMALL.has(one.query));
  const why = telling.slice(0, 5).map((one) => {
    const met = one.query === one.found.toLowerCase() ? one.found : `${one.query} → ${one.found}`;
    return `${met} (${one.field})`;
  });
  if (why.length) add(card, "p", `why: ${why.join(", ")}`, { class: "why" });
  for (const copy of found.alike || []) add(card, "p", `the same in ${copy.path}:${copy.start_line}`, { class: "why" });
  card.addEventListener("click", (event) => {
    if (!event.target.closest("a") && String(getSelection()) === "") location.hash = opening(found);
  });
}

let asked = "";

async function ask({ q, kind, root }) {
  const key = JSON.stringify([q, kind, root]);
  if (key === asked) return;
  asked = key;
  body.dataset.results = "";
  if (!q) { say(""); welcome(); return; }
  const wait = waiting();
  try {
    const answer = await fetched("/ask", { question: q, kind, root, snippet: "best", snippet_lines: 4 });
    if (asked !== key) return;
    $("list").replaceChildren();
    const { results, trust, index } = answer;
    results.forEach((found, at) => result(found, at ? null : trust));
    const much = `${index.functions.toLocaleString()} functions in ${index.files.toLocaleString()} files of ${answer.root}`;
    const list = answer.total > results.length ? `${results.length} of ${answer.total} ${answer.asked_as}. ` : "";
    const missing = answer.total === 0 ? "The graph has no answer; showing the results of a search. " : "";
    const fits = trust && trust.level === "nothing fits" ? "No good match; showing the closest results. " : "";
    const next = list + missing + fits;
    say(results.length ? `${next}${much}, ${answer.query_ms.toFixed(1)} ms` : `Nothing found: try different words. ${much}`);
    for (const line of answer.notices || []) say(`${line}. ${$("state").textContent}`);
    body.dataset.results = String(results.length);
  } catch (failure) {
    if (asked === key) { asked = ""; failed(failure, $("list")); }
  } finally {
    clearInterval(wait);
  }
}

/* While an index is being made, how far it is. */
function waiting() {
  say("…");
  return setInterval(async () => {
    try {
      const { repositories } = await fetched("/health", {});
      const busy = repositories.find((one) => one.total);
      if (busy) say(`${busy.state}: ${busy.done} of ${busy.total} files of ${busy.root}`);
    } catch { /* said by whoever asked */ }
  }, 700);
}

function failed(failure, parent) {
  if (!(failure instanceof Failure)) throw failure;
  parent.replaceChildren();
  say(failure.next ? `${failure.message}: ${failure.next}` : failure.message, "error");
  if (failure.status === 401) wanted(parent);
  const list = failure.candidates.length ? add(parent, "ul") : null;
  for (const one of failure.candidates) entry(list, one, "");
}

function wanted(parent) {
  const form = add(parent, "form");
  const input = add(form, "input", "", { type: "password", placeholder: "token", "aria-label": "Token", autocomplete: "off" });
  add(form, "button", "Go", { type: "submit" });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    token = input.value.trim();
    try { sessionStorage.setItem("token", token); } catch { /* then it is asked for again */ }
    asked = "";
    opened = "";
    show();
  });
}

/* One function */

function entry(list, of, why) {
  const link = add(add(list, "li"), "a", "", { href: opening(of) });
  const line = add(link, "span", "", { class: "line" });
  add(line, "b", of.name);
  add(line, "span", of.at_line ? `${of.path}:${of.at_line}` : place(of), { class: "place" });
  if (why) add(link, "code", why);
}

let opened = "";

async function openOne({ at, root }) {
  const key = JSON.stringify([at, root]);
  const one = $("one");
  for (const card of document.querySelectorAll(".result")) {
    if (card.dataset.place === at) card.setAttribute("aria-current", "true"); else card.removeAttribute("aria-current");
  }
  document.querySelector("main").classList.toggle("two", Boolean(at));
  one.hidden = !at;
  if (!at) { opened = ""; body.dataset.at = ""; return; }
  if (key === opened) return;
  opened = key;
  try {
    const found = await fetched("/function", { name: at, root });
    if (opened !== key) return;
    one.replaceChildren();
    details(one, found);
    one.scrollTop = 0;
    body.dataset.at = place(found.of);
    const [reached, below] = await Promise.all([
      fetched("/tests", { name: at, root, k: 10 }),
      fetched("/implementations", { name: at, root, k: 10 }),
    ]);
    if (opened === key) { tests($("tests"), reached); implementations($("implementations"), below); }
  } catch (failure) {
    if (opened === key) { opened = ""; failed(failure, one); }
  }
}

function details(one, { of, doc, signature, source, callers, callees, related, notices = [] }) {
  const head = add(one, "div", "", { class: "line" });
  add(head, "h2", of.name);
  add(head, "span", of.kind, { class: "chip" });
  add(one, "div", place(of), { class: "place" });
  const tools = add(one, "div", "", { class: "tools" });
  const back = add(tools, "a", "✕ close", { href: address({ at: "" }) });
  back.title = "Esc";
  const copy = add(tools, "button", "copy location", { type: "button" });
  copy.addEventListener("click", async () => {
    try { await navigator.clipboard.writeText(place(of)); copy.textContent = "copied"; } catch { copy.textContent = place(of); }
  });
  if (!token) add(tools, "a", "picture ↗", { href: graph(place(of)), target: "_blank", rel: "noopener" });
  if (doc) add(one, "p", plain(doc), { class: "doc" });
  const lines = source.split("\n"), numbers = lines.map((_, at) => of.start_line + at);
  const indents = lines.filter((line) => line.trim()).map((line) => line.length - line.trimStart().length);
  const shared = Math.min(...indents), text = lines.map((line) => line.slice(shared)).join("\n");
  if (source) code(one, of.path, text, numbers, [], of.line);
  else add(one, "p", signature || "The file changed while it was being read: open it again.", { class: "doc" });
  const list = (title, around, nothing) => {
    add(one, "h3", around.all ? `${title} (${around.all})` : nothing);
    const all = add(one, "ul");
    for (const other of around.named) entry(all, other, other.why);
    if (around.all > around.named.length) add(one, "p", `and ${around.all - around.named.length} more`, { class: "why" });
  };
  for (const notice of notices) add(one, "p", notice, { class: "why" });
  list("Callers", callers, "No callers found");
  list("Callees", callees, "No callees in this repository");
  // Filled when their answers arrive.
  add(one, "div", "", { id: "implementations" });
  add(one, "div", "", { id: "tests" });
  // Siblings come last: a caller says more about a function than its neighbor in the file.
  if (related.all) list("Related", related, "");
}

function tests(part, { total, tests }) {
  add(part, "h3", total ? `Tests (${total})` : "No test reaches it through calls");
  const all = add(part, "ul");
  for (const test of tests) entry(all, test, test.steps.map((step) => step.to.name).join(" → "));
  if (total > tests.length) add(part, "p", `and ${total - tests.length} more`, { class: "why" });
}

/* Subtypes of a type, or overrides of a method, level by level. */
function implementations(part, { total, tree }) {
  if (!total) return;
  add(part, "h3", `Implementations (${total})`);
  const all = add(part, "ul");
  const shown = [...tree];
  for (const one of shown) {
    entry(all, one, one.signature);
    shown.push(...one.tree);
  }
  if (total > shown.length) add(part, "p", `and ${total - shown.length} more`, { class: "why" });
}

/* Keys, and the way through it */

function step(by) {
  const links = [...document.querySelectorAll(".result h2 a")];
  const at = links.indexOf(document.activeElement);
  const next = links[at < 0 ? (by > 0 ? 0 : links.length - 1) : Math.min(Math.max(at + by, 0), links.length - 1)];
  if (next) { next.focus(); next.closest(".result").scrollIntoView({ block: "nearest" }); }
}

addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, select, textarea");
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/" && !typing) { event.preventDefault(); $("question").select(); }
  else if (event.key === "Escape" && shown().at) location.hash = address({ at: "" });
  else if (event.key === "Escape" && typing) typing.blur();
  else if (["ArrowDown", "ArrowUp"].includes(event.key) && !event.target.closest("select, pre, #one")) {
    event.preventDefault();
    step(event.key === "ArrowDown" ? 1 : -1);
  }
});

$("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  const wanted = address({ q: $("question").value.trim(), kind: $("kind").value, root: $("root").value, at: "" });
  if (wanted === location.hash) { asked = ""; show(); } else location.hash = wanted;
});
for (const id of ["kind", "root"]) $(id).addEventListener("change", () => { if ($("question").value) $("ask").requestSubmit(); });

async function show() {
  const state = shown();
  $("question").value = state.q || "";
  $("kind").value = state.kind || "function";
  if (state.root) $("root").value = state.root;
  document.title = state.at || state.q ? `${state.at || state.q} · whichfn` : "whichfn";
  await Promise.all([ask(state), openOne(state)]);
  await openOne(shown());
  body.dataset.ready = "true";
}

async function begin() {
  try {
    const { repositories } = await fetched("/health", {});
    for (const { root } of repositories) add($("root"), "option", root.split(/[\\/]/).pop(), { value: root, title: root });
    $("root").hidden = repositories.length < 2;
    if (repositories.length < 2) $("root").replaceChildren();
  } catch (failure) {
    if (failure.status !== 401) throw failure;
  }
  addEventListener("hashchange", show);
  await show();
}

begin();
