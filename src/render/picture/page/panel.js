// Details, search, legend and keys.

const panel = document.getElementById("panel"), search = document.getElementById("search");
const results = document.getElementById("results");

// Names come from files: they are only ever put in as text.
function add(parent, name, text, attributes) {
  const element = document.createElement(name);
  if (text) element.textContent = text;
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  parent.appendChild(element);
  return element;
}

const short = (weight) => weight >= .001 ? String(Number(weight.toPrecision(2))) : weight.toExponential(1);

function select(node, move) {
  if (selected) selected.drawn.classList.remove("selected");
  selected = node;
  document.body.dataset.selected = node ? node.id : "";
  if (node) {
    node.drawn.classList.add("selected");
    if (move) show(node);
  }
  try { history.replaceState(null, "", node ? `#n=${node.id}` : "#"); } catch { /* a frame may forbid it */ }
  look(node);
  panel.replaceChildren();
  if (node) details(node); else welcome();
}

function welcome() {
  add(panel, "h1", data.title);
  add(panel, "p", `${nodes.length} nodes, ${edges.length} edges` + (centre || !data.left_out ? "" : `; ${data.left_out} less connected nodes are left out`));
  for (const notice of data.notices) add(panel, "p", notice);
  add(panel, "p", columns ? "On the left what calls it, on the right what it calls; a column for each call between." : centre ? `The larger a node, the more it is related to ${centre.label}.` : "The larger a node, the more it is connected.");
  add(panel, "p", "Click a node to see what it is tied to. Drag to move, scroll to zoom.");
  const keys = add(panel, "p");
  for (const [key, does] of [["/", "find"], ["← ↑ → ↓", "next node"], ["+ −", "zoom"], ["0", "all"], ["Esc", "nothing selected"]]) {
    add(keys, "kbd", key);
    keys.append(` ${does}  `);
  }
  if (columns) return levels();
  add(panel, "h3", centre ? "Most related" : "Most connected");
  const most = nodes.filter((node) => node !== centre && (centre || node.line > 0 && node.group !== "file"));
  most.sort((a, b) => b.weight - a.weight || a.id - b.id);
  const list = add(panel, "ul");
  for (const node of most.slice(0, 15)) entry(list, node, place(node), centre ? short(node.weight) : "");
}

// What calls the centre and what it calls, then those one call further, and so on.
function levels() {
  const deepest = Math.max(...nodes.map((node) => Math.abs(node.depth || 0)));
  for (let depth = 1; depth <= deepest; depth++) {
    for (const sign of [-1, 1]) {
      const level = nodes.filter((node) => node.depth === sign * depth);
      if (!level.length) continue;
      level.sort((a, b) => b.weight - a.weight || a.id - b.id);
      const all = depth > 1 ? level.length : Math.max(level.length, sign < 0 ? centre.callers : centre.callees);
      const title = sign < 0 ? "Called by" : "Calls";
      add(panel, "h3", `${title}${depth > 1 ? ` through ${depth} calls` : ""} (${all})`);
      if (all > level.length) add(panel, "p", `${all - level.length} of them not drawn`);
      const list = add(panel, "ul");
      for (const node of level) entry(list, node, called(node, sign), "");
    }
  }
}

// The line of a call between a node and the level before it; else where the node is.
function called(node, sign) {
  const between = node.edges.find((edge) => edge.kind === "call" && (sign < 0 ? edge.a === node && edge.b.depth === node.depth + 1 : edge.b === node && edge.a.depth === node.depth - 1));
  return between ? `at line ${between.line} of ${between.a.path}` : place(node);
}

function details(node) {
  add(panel, "h2", node.label);
  const tags = add(panel, "p");
  add(tags, "span", node.group, { class: `tag ${node.group}` });
  if (node.kind !== node.group) { tags.append(" "); add(tags, "small", node.kind); }
  const where = add(panel, "p");
  const way = data.base.concat(node.path.split("/").filter(Boolean));
  const file = (way[0] === ".." ? "" : "./") + way.map(encodeURIComponent).join("/");
  const href = data.address ? data.address + encodeURIComponent(place(node)) : file;
  add(where, "a", place(node), { href, rel: "noopener", target: "_blank" });
  where.append(" ");
  const copy = add(where, "button", "copy", { type: "button", class: "copy", title: "Copy the place" });
  copy.addEventListener("click", () => copied(place(node)).then(() => { copy.textContent = "copied"; }));
  if (node.signature) add(panel, "pre", node.signature);
  if (centre && node !== centre) add(panel, "p", `relation to ${centre.label}: ${short(node.weight)}`);
  const lists = [
    ["Called by", (e) => e.kind === "call" && e.b === node, node.callers], ["Calls", (e) => e.kind === "call" && e.a === node, node.callees],
    ["Inside", (e) => e.kind !== "call" && e.b === node, 0], ["Contains", (e) => e.kind !== "call" && e.a === node, 0],
  ];
  for (const [title, belongs, all] of lists) {
    const found = node.edges.filter(belongs).sort((a, b) => b.weight - a.weight);
    const count = Math.max(all, found.length);
    if (!count) continue;
    add(panel, "h3", `${title} (${count})`);
    if (count > found.length) add(panel, "p", `${count - found.length} of them not drawn`);
    const list = add(panel, "ul");
    for (const edge of found) {
      const other = edge.a === node ? edge.b : edge.a;
      entry(list, other, edge.line ? `at line ${edge.line}` + (edge.a === node ? "" : ` of ${edge.a.path}`) : place(other), short(edge.weight));
    }
  }
  panel.scrollTop = 0;
}

function entry(list, node, where, weight) {
  const button = add(add(list, "li"), "button", "", { type: "button" });
  const text = add(button, "span", node.label);
  add(text, "br");
  add(text, "small", where);
  if (weight) add(button, "small", weight, { title: "weight" });
  button.addEventListener("click", () => select(node, true));
  button.addEventListener("pointerenter", () => hover(node));
  button.addEventListener("pointerleave", () => hover(null));
}

function copied(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = add(document.body, "textarea", text);
  area.select();
  document.execCommand("copy");
  area.remove();
  return Promise.resolve();
}

function found(words) {
  const wanted = words.trim().toLowerCase();
  if (!wanted) return [];
  const rank = (node) => {
    const label = node.label.toLowerCase(), name = (node.name || label).toLowerCase();
    if (name === wanted || label === wanted) return 0;
    if (name.startsWith(wanted)) return 1;
    return label.includes(wanted) ? 2 : node.path.toLowerCase().includes(wanted) ? 3 : 9;
  };
  const ranked = nodes.map((node) => [rank(node), node]).filter(([at]) => at < 9);
  return ranked.sort((a, b) => a[0] - b[0] || b[1].size - a[1].size || a[1].id - b[1].id).map(([, node]) => node);
}

function find() {
  const all = found(search.value);
  for (const node of nodes) node.drawn.classList.toggle("match", all.includes(node));
  results.replaceChildren();
  for (const node of all.slice(0, 12)) {
    const button = add(add(results, "li"), "button", node.label, { type: "button" });
    add(button, "br");
    add(button, "small", place(node));
    button.addEventListener("click", () => { results.replaceChildren(); select(node, true); svg.focus(); });
  }
  if (search.value.trim() && !all.length) add(add(results, "li"), "button", "nothing found", { type: "button", disabled: "" });
  return all;
}
search.addEventListener("input", find);
search.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && found(search.value).length) { select(found(search.value)[0], true); results.replaceChildren(); svg.focus(); }
  if (event.key === "ArrowDown" && results.querySelector("button")) { event.preventDefault(); results.querySelector("button").focus(); }
});
results.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], all = [...results.querySelectorAll("button")];
  if (!step) return;
  event.preventDefault();
  (all[all.indexOf(document.activeElement) + step] || search).focus();
});

function legendOf(names, counted, sample) {
  for (const name of names.filter(counted)) {
    const label = add(legend, "label");
    const box = add(label, "input", "", { type: "checkbox", checked: "" });
    const icon = make("svg", label, { viewBox: "-11 -8 22 16", "aria-hidden": "true" });
    sample(icon, name);
    const key = counted === edgeCount ? edgeKey(name) : name;
    label.append(counted === edgeCount ? { directory: "in a directory", root: "in a file", syntax: "in code" }[name] || name : name);
    add(label, "small", String(counted(name)));
    box.addEventListener("change", () => { box.checked ? hidden.delete(key) : hidden.add(key); draw(); });
  }
}
const nodeCount = (name) => nodes.filter((node) => node.group === name).length;
const edgeCount = (name) => edges.filter((edge) => edge.kind === name).length;

// In the direction of the key, the nearest; what lies aside counts as farther.
function step(dx, dy) {
  const from = selected || centre || nodes[0];
  const far = (node) => {
    const [x, y] = [node.x - from.x, node.y - from.y], ahead = x * dx + y * dy;
    return ahead > 0 ? ahead + 3 * Math.abs(x * dy - y * dx) : Infinity;
  };
  const next = nodes.filter((node) => visible(node) && node !== from).reduce((best, node) => far(node) < far(best || node) || !best ? node : best, null);
  if (!selected) return select(from, true);
  if (next && far(next) < Infinity) select(next, true);
}

document.addEventListener("keydown", (event) => {
  const area = svg.getBoundingClientRect(), way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (event.key === "Escape") { search.value = ""; find(); select(null); return svg.focus(); }
  if (event.target === search || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") { event.preventDefault(); search.select(); search.focus(); }
  if (event.key === "+" || event.key === "=") zoomAt(1.3, area.width / 2, area.height / 2);
  if (event.key === "-") zoomAt(1 / 1.3, area.width / 2, area.height / 2);
  if (event.key === "0") fit();
  if (way && event.target === svg) { event.preventDefault(); step(...way); }
});
for (const [id, does] of [["closer", () => "+"], ["farther", () => "-"], ["fit", () => "0"]]) {
  document.getElementById(id).addEventListener("click", () => document.dispatchEvent(new KeyboardEvent("keydown", { key: does() })));
}

// `?q=NAME` or `#q=NAME` selects what the search finds first; `#n=7` the node with this number.
function address() {
  const asked = new URLSearchParams(location.search), hash = new URLSearchParams(location.hash.slice(1));
  const words = hash.get("q") || (hash.has("n") ? null : asked.get("q"));
  const node = words ? found(words)[0] : byId.get(Number(hash.get("n") || NaN));
  if (words) { search.value = words; find(); results.replaceChildren(); }
  select(node || null, Boolean(node));
}

document.getElementById("app").hidden = false;
build();
legendOf(["directory", "file", "type", "function", "module"], nodeCount, (icon, name) => make("path", icon, { class: `node ${name}`, d: SHAPES[name](7) }));
add(legend, "hr");
legendOf(["directory", "root", "syntax", "call"], edgeCount, (icon, name) => make("path", icon, { class: `edge ${name}`, d: "M-11 0H11", "stroke-width": 2 }));
fit();
address();
addEventListener("hashchange", address);
addEventListener("resize", soon);
document.body.dataset.nodes = document.querySelectorAll("#nodes .node").length;
document.body.dataset.edges = document.querySelectorAll("#edges .edge").length;
document.body.dataset.ready = "true";
