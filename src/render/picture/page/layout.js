"use strict";
// Where the nodes stand: around a name, what calls it on the left and what it calls on the right, a column for each call between;
// else by forces. The same data gives the same picture: the start is a tree drawn in rings, the forces run a
// fixed number of steps before anything is shown, and nothing is left to chance or to the clock.

window.addEventListener("error", () => {
  document.body.dataset.errors = String(Number(document.body.dataset.errors || 0) + 1);
});
document.body.dataset.errors = "0";

const data = JSON.parse(document.getElementById("data").textContent);
const byId = new Map(data.nodes.map((node) => [node.id, node]));
const nodes = data.nodes;
const edges = data.edges.map((edge) => ({ ...edge, a: byId.get(edge.a), b: byId.get(edge.b) }));
const centre = byId.get(data.centre) || null;
for (const node of nodes) node.edges = [];
for (const edge of edges) { edge.a.edges.push(edge); edge.b.edges.push(edge); }

// How much a node counts, from 0 to 1: relation strengths fall by halves, so their logarithm is what one can see.
const least = Math.min(...nodes.map((node) => node.weight).filter((weight) => weight > 0), .5);
for (const node of nodes) {
  node.size = centre ? 1 - Math.log(Math.max(node.weight, least)) / Math.log(least) : Math.sqrt(node.weight);
  node.radius = node === centre ? 15 : 5 + 7 * node.size;
}

// Up to so many nodes all names are shown. Then, beside what contains it, a definition's own name says enough.
const named = nodes.length <= 130;
const pen = document.createElement("canvas").getContext("2d");
pen.font = "12px system-ui, sans-serif";
for (const node of nodes) {
  node.holds = node.edges.filter((edge) => edge.a === node && edge.kind !== "call").length;
  const inside = node.edges.some((edge) => edge.b === node && edge.kind !== "call");
  const label = named && inside && !node.label.includes(" ") && node !== centre && node.name || node.label;
  node.text = label.length > (named ? 42 : 28) ? "…" + label.slice(named ? -41 : -27) : label;
  node.width = pen.measureText(node.text).width * (node === centre ? 1.1 : 1) + 4;
}

// How far from the middle a column stands.
const column = (node) => node.depth * 190;
const columns = centre && nodes.some((node) => node.depth);

const ideal = (edge) => 34 + Math.min(150, -26 * Math.log2(edge.weight));

// Each node's way to the start that weighs most; on the page of a directory, what contains it.
function tree(start) {
  const best = new Map([[start, 1]]), children = new Map(nodes.map((node) => [node, []])), done = new Set();
  const from = new Map();
  const queue = [start];
  while (queue.length) {
    let first = 0;
    for (let i = 1; i < queue.length; i++) if (best.get(queue[i]) > best.get(queue[first])) first = i;
    const node = queue.splice(first, 1)[0];
    if (done.has(node)) continue;
    done.add(node);
    if (from.has(node)) { children.get(from.get(node).other).push(node); node.tree = from.get(node).edge; }
    for (const edge of node.edges) {
      if (!centre && edge.kind === "call") continue;
      const other = edge.a === node ? edge.b : edge.a, through = best.get(node) * edge.weight;
      if (!done.has(other) && through > (best.get(other) || 0)) {
        best.set(other, through);
        from.set(other, { other: node, edge });
        queue.push(other);
      }
    }
  }
  for (const node of nodes) if (!done.has(node)) children.get(start).push(node);
  return children;
}

function rings(start) {
  const children = tree(start), leaves = new Map();
  const order = [start];
  for (let i = 0; i < order.length; i++) order.push(...children.get(order[i]));
  for (const node of order.slice().reverse()) {
    leaves.set(node, Math.max(1, children.get(node).reduce((sum, child) => sum + leaves.get(child), 0)));
  }
  Object.assign(start, { x: 0, y: 0, away: 0, from: 0, to: 2 * Math.PI });
  for (const node of order) {
    let at = node.from;
    for (const child of children.get(node)) {
      const share = (node.to - node.from) * leaves.get(child) / leaves.get(node);
      const angle = at + share / 2;
      child.away = node.away + (child.tree ? ideal(child.tree) : 150);
      Object.assign(child, { x: child.away * Math.cos(angle), y: child.away * Math.sin(angle), from: at, to: at + share });
      at += share;
    }
  }
}

// Springs along edges, all nodes push each other away; Verlet steps that cool down.
function forces() {
  const n = nodes.length, steps = Math.max(40, Math.min(320, Math.floor(9e7 / (n * n + 1))));
  const push = centre ? 260 : 130, reach = 700 * 700, keep = .62;
  const [x, y, vx, vy] = [0, 0, 0, 0].map(() => new Float64Array(n));
  nodes.forEach((node, i) => { node.number = i; x[i] = node.x; y[i] = node.y; });
  const springs = edges.map((edge) => {
    const [a, b] = [edge.a.number, edge.b.number], tied = edge === edge.a.tree || edge === edge.b.tree;
    const few = Math.min(edge.a.edges.length, edge.b.edges.length);
    return { a, b, length: ideal(edge), pull: (tied ? 1 : centre ? .12 : .004) / few, share: edge.a.edges.length / (edge.a.edges.length + edge.b.edges.length) };
  });
  for (let step = 0, heat = 1; step < steps; step++, heat *= Math.pow(.002, 1 / steps)) {
    for (const { a, b, length, pull, share } of springs) {
      let dx = x[b] + vx[b] - x[a] - vx[a] || .01, dy = y[b] + vy[b] - y[a] - vy[a] || .01;
      const far = Math.hypot(dx, dy), by = (far - length) / far * heat * pull;
      dx *= by; dy *= by;
      vx[b] -= dx * share; vy[b] -= dy * share;
      vx[a] += dx * (1 - share); vy[a] += dy * (1 - share);
    }
    for (let i = 0; i < n; i++) {
      for (let j = i + 1; j < n; j++) {
        const dx = x[j] - x[i] || .01 * (1 + i % 7), dy = y[j] - y[i] || .01 * (1 + j % 5);
        const far = dx * dx + dy * dy;
        if (far > reach) continue;
        const by = push * heat / Math.max(far, 30);
        vx[i] -= dx * by; vy[i] -= dy * by; vx[j] += dx * by; vy[j] += dy * by;
      }
    }
    for (let i = 0; i < n; i++) {
      const bound = columns && nodes[i].depth !== null;
      vx[i] = (vx[i] - (bound ? (x[i] - column(nodes[i])) * .5 : x[i] * .012) * heat) * keep;
      vy[i] = (vy[i] - y[i] * .012 * heat) * keep;
      x[i] += vx[i]; y[i] += vy[i];
    }
  }
  nodes.forEach((node, i) => { node.x = x[i] * 1.35; node.y = y[i] * (columns && nodes.length < 40 ? 1.7 : .95); });
}

// Pushes nodes apart until the boxes around them are free: with their names if there is room for names.
function spread() {
  // A little more than the names need, because the whole picture is often shown a little smaller.
  const box = (node) => ({ left: node.radius + 4, right: node.radius + (named ? node.width * 1.15 + 6 : 3), high: node.radius + (named ? 5 : 2) });
  const boxes = nodes.map((node) => box(node));
  for (let round = 0; round < (named ? 120 : 30); round++) {
    let moved = false;
    for (let i = 0; i < nodes.length; i++) {
      for (let j = i + 1; j < nodes.length; j++) {
        const [a, b, p, q] = [boxes[i], boxes[j], nodes[i], nodes[j]];
        const across = Math.min(p.x + a.right - q.x + b.left, q.x + b.right - p.x + a.left);
        const along = Math.max(a.high, 10) + Math.max(b.high, 10) - Math.abs(p.y - q.y);
        if (across <= 0 || along <= 0) continue;
        moved = true;
        // Names are wide and low: moving up or down costs less of the picture.
        if (along < across) {
          const by = (p.y <= q.y ? 1 : -1) * (along / 2 + .1);
          p.y -= by; q.y += by;
        } else {
          const by = (p.x <= q.x ? 1 : -1) * (across / 2 + .1);
          p.x -= by; q.x += by;
        }
      }
    }
    if (!moved) break;
  }
}

if (nodes.length) {
  rings(centre || nodes[0]);
  if (columns) for (const node of nodes) if (node.depth !== null) node.x = column(node);
  forces();
  spread();
}
