// The drawing, and moving about in it. Places are in the layout's units; on the screen they are multiplied by `zoom`
// and moved by `shift`, while names keep their size.

const svg = document.getElementById("graph"), world = document.getElementById("world");
const legend = document.getElementById("legend");
const SHAPES = {
  directory: (r) => `M${-r} ${-.8 * r}h${.8 * r}l${.35 * r} ${.35 * r}h${.85 * r}v${1.25 * r}h${-2 * r}z`,
  file: (r) => `M${-.75 * r} ${-r}h${r}l${.5 * r} ${.5 * r}v${1.5 * r}h${-1.5 * r}z`,
  type: (r) => `M0 ${-1.15 * r}L${1.15 * r} 0 0 ${1.15 * r} ${-1.15 * r} 0z`,
  function: (r) => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
  module: (r) => `M${-.5 * r} ${-r}h${r}l${.5 * r} ${r}l${-.5 * r} ${r}h${-r}l${-.5 * r} ${-r}z`,
};
let zoom = 1, shift = { x: 0, y: 0 }, selected = null;
// What the legend hides: groups of nodes, kinds of edges. Both have a `directory`.
const hidden = new Set(), edgeKey = (kind) => `edge ${kind}`;

function make(name, parent, attributes) {
  const element = document.createElementNS(svg.namespaceURI, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent.appendChild(element);
  return element;
}

function build() {
  const [below, middle, above] = ["edges", "nodes", "labels"].map((id) => document.getElementById(id));
  svg.classList.toggle("many", edges.length > 250);
  for (const edge of edges) {
    const width = Math.max(.7, 3.2 + .35 * Math.log2(edge.weight));
    edge.drawn = make("path", below, { class: `edge ${edge.kind}`, "stroke-width": width.toFixed(2) });
  }
  const order = nodes.slice().sort((a, b) => a.size - b.size || a.id - b.id);
  for (const node of order) {
    const at = { class: `node ${node.group}${node === centre ? " centre" : ""}`, "data-id": node.id };
    node.drawn = make("path", middle, at);
    make("title", node.drawn, {}).textContent = `${node.label}\n${place(node)}`;
    node.named = make("text", above, { class: `label ${node.group}${node === centre ? " strong" : ""}` });
    node.named.textContent = node.text;
  }
}

const place = (node) => node.line ? `${node.path}:${node.line}` : node.path || ".";
const visible = (node) => !hidden.has(node.group);
const shownRadius = (node) => node.radius * Math.min(1.8, Math.max(.62, Math.pow(zoom, .5)));

function draw() {
  for (const node of nodes) {
    const on = visible(node);
    node.drawn.classList.toggle("off", !on);
    if (!on) continue;
    node.drawn.setAttribute("d", SHAPES[node.group](shownRadius(node)));
    node.drawn.setAttribute("transform", `translate(${(node.x * zoom).toFixed(1)} ${(node.y * zoom).toFixed(1)})`);
  }
  for (const edge of edges) {
    const on = visible(edge.a) && visible(edge.b) && !hidden.has(edgeKey(edge.kind));
    edge.drawn.classList.toggle("off", !on);
    if (on) edge.drawn.setAttribute("d", line(edge));
  }
  names();
  pan();
}

// Calls are bent, so that a call back is a line of its own; the end stops at the edge of what is called.
function line(edge) {
  const [ax, ay, bx, by] = [edge.a.x * zoom, edge.a.y * zoom, edge.b.x * zoom, edge.b.y * zoom];
  if (edge.kind !== "call") return `M${ax.toFixed(1)} ${ay.toFixed(1)}L${bx.toFixed(1)} ${by.toFixed(1)}`;
  const mx = (ax + bx) / 2 - (by - ay) * .13, my = (ay + by) / 2 + (bx - ax) * .13;
  const far = Math.hypot(bx - mx, by - my) || 1, stop = Math.min(shownRadius(edge.b) + 2, far * .9);
  const [ex, ey] = [bx - (bx - mx) / far * stop, by - (by - my) / far * stop];
  return `M${ax.toFixed(1)} ${ay.toFixed(1)}Q${mx.toFixed(1)} ${my.toFixed(1)} ${ex.toFixed(1)} ${ey.toFixed(1)}`;
}

// Names in order of importance, each where it covers no other name and no node; else it waits for more room. What holds
// much stands among it, so its name may cover nodes.
function names() {
  const cell = 60, taken = new Map();
  const cells = (box, visit) => {
    for (let i = Math.floor(box.l / cell); i <= Math.floor(box.r / cell); i++)
      for (let j = Math.floor(box.t / cell); j <= Math.floor(box.b / cell); j++) if (visit(`${i},${j}`)) return true;
    return false;
  };
  const free = (box, own) => !cells(box, (key) => (taken.get(key) || []).some((other) =>
    other.own !== own && !(other.node && own.holds > 4) && box.l < other.r && other.l < box.r && box.t < other.b && other.t < box.b));
  const take = (box) => cells(box, (key) => { taken.set(key, [...(taken.get(key) || []), box]); return false; });
  const shown = nodes.filter(visible);
  for (const node of shown) {
    const r = shownRadius(node) * .9, x = node.x * zoom, y = node.y * zoom;
    take({ l: x - r, r: x + r, t: y - r, b: y + r, own: node, node: true });
  }
  const pressing = (node) => (node === selected ? 4 : 0) + (node === centre ? 3 : 0) + (node.asked ? 2 : 0) + node.size + Math.log2(1 + node.holds) / 4;
  for (const node of nodes) node.named.classList.toggle("off", true);
  for (const node of shown.sort((a, b) => pressing(b) - pressing(a) || a.id - b.id)) {
    const r = shownRadius(node), x = node.x * zoom, y = node.y * zoom, w = node.width;
    const options = [[r + 4, 4], [-r - 4 - w, 4], [-w / 2, r + 14], [-w / 2, -r - 6]];
    let at = options.find(([dx, dy]) => free({ l: x + dx, r: x + dx + w, t: y + dy - 12, b: y + dy + 3 }, node));
    if (!at && (node === selected || node === centre || node.asked)) at = options[0];
    if (!at) continue;
    take({ l: x + at[0], r: x + at[0] + w, t: y + at[1] - 12, b: y + at[1] + 3, own: node });
    node.named.classList.toggle("off", false);
    node.named.setAttribute("transform", `translate(${(x + at[0]).toFixed(1)} ${(y + at[1]).toFixed(1)})`);
  }
}

function pan() {
  world.setAttribute("transform", `translate(${shift.x.toFixed(1)} ${shift.y.toFixed(1)})`);
}

function zoomAt(factor, x, y) {
  const next = Math.min(8, Math.max(.05, zoom * factor));
  shift = { x: x - (x - shift.x) * next / zoom, y: y - (y - shift.y) * next / zoom };
  zoom = next;
  soon();
}

let waiting = false;
function soon() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; draw(); });
}

// All of it, in the space that the search box and the legend leave. Names keep their size, so they count by themselves.
function fit() {
  const shown = nodes.filter(visible);
  if (!shown.length) return;
  const area = svg.getBoundingClientRect(), top = 60, bottom = legend.offsetHeight + 30, side = named ? 40 : 90;
  const span = (at) => ({
    l: Math.min(...shown.map((n) => n.x * at - n.radius - (columns && n.depth < 0 ? n.width : 0))),
    r: Math.max(...shown.map((n) => n.x * at + n.radius + (named ? n.width : 0))),
    t: Math.min(...shown.map((n) => n.y * at - n.radius)),
    b: Math.max(...shown.map((n) => n.y * at + n.radius)),
  });
  const fits = (at) => {
    const { l, r, t, b } = span(at);
    return r - l <= area.width - 2 * side && b - t <= area.height - top - bottom;
  };
  zoom = 1.6;
  while (zoom > .05 && !fits(zoom)) zoom *= .97;
  const { l, r, t, b } = span(zoom);
  shift = { x: (area.width - l - r) / 2, y: (area.height + top - bottom - t - b) / 2 };
  draw();
}

function show(node) {
  const area = svg.getBoundingClientRect();
  if (zoom < .9) zoom = .9;
  shift = { x: area.width / 2 - node.x * zoom, y: area.height / 2 - node.y * zoom };
  draw();
}

// What is looked at is lit with all that it is tied to.
function look(node) {
  for (const lit of svg.querySelectorAll(".lit")) lit.classList.remove("lit");
  svg.classList.toggle("looking", Boolean(node));
  const asked = new Set(node ? node.edges.flatMap((edge) => [edge.a, edge.b]).concat(node) : []);
  for (const one of asked) { one.drawn.classList.add("lit"); one.named.classList.add("lit"); }
  if (node) for (const edge of node.edges) edge.drawn.classList.add("lit");
  const few = asked.size <= 40;
  for (const one of nodes) one.asked = few && asked.has(one);
  names();
}

const fingers = new Map();
let dragged = null;
svg.addEventListener("pointerdown", (event) => {
  fingers.set(event.pointerId, event);
  dragged = { moved: 0, node: byId.get(Number(event.target.dataset.id)) || null };
  svg.setPointerCapture(event.pointerId);
});
svg.addEventListener("pointermove", (event) => {
  const before = fingers.get(event.pointerId);
  if (!before) return hover(byId.get(Number(event.target.dataset.id)) || null);
  const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
  const other = [...fingers.values()].find((finger) => finger.pointerId !== event.pointerId);
  if (other) {
    const far = (finger) => Math.hypot(finger.clientX - other.clientX, finger.clientY - other.clientY) || 1;
    zoomAt(far(event) / far(before), (event.clientX + other.clientX) / 2, (event.clientY + other.clientY) / 2);
  }
  fingers.set(event.pointerId, event);
  dragged.moved += Math.abs(dx) + Math.abs(dy);
  if (dragged.moved < 4) return;
  svg.classList.add("moving");
  if (dragged.node && !other) {
    dragged.node.x += dx / zoom;
    dragged.node.y += dy / zoom;
    soon();
  } else {
    shift = { x: shift.x + dx, y: shift.y + dy };
    pan();
  }
});
function release(event) {
  fingers.delete(event.pointerId);
  svg.classList.remove("moving");
  if (event.type === "pointerup" && dragged && dragged.moved < 4) select(dragged.node);
  dragged = null;
}
svg.addEventListener("pointerup", release);
svg.addEventListener("pointercancel", release);
svg.addEventListener("pointerleave", () => hover(null));
svg.addEventListener("wheel", (event) => {
  event.preventDefault();
  const area = svg.getBoundingClientRect();
  zoomAt(Math.exp(-event.deltaY * (event.deltaMode ? .05 : .0016)), event.clientX - area.left, event.clientY - area.top);
}, { passive: false });

let hovered = null;
function hover(node) {
  if (node === hovered) return;
  hovered = node;
  look(hovered || selected);
}
