#!/usr/bin/env python3
"""An experiment that does not ship: a small model that reads code, as one more feature of the learned order.

    reader.py pretrain PAIRS MODEL [NUMBER]   learns from NUMBER pairs of documentation and code (default: 100000)
    reader.py learn LISTS MODEL SCORES        learns from the candidates of questions, for each half of the
                                              repositories from the other half; starts from the shipped vectors
                                              alone if MODEL is `none`
    reader.py judge LISTS SCORES              the order with and without SCORES, by folds of repositories

PAIRS and LISTS are the outputs of `train reader-pairs` and `train reader-lists`. README.md has the commands, and
benches/records/README.md the figures. Needs numpy, scipy and JAX; runs on a CPU or a GPU.

The model is late interaction (Khattab and Zaharia 2020, "ColBERT") over static vectors: a convolution of width 3 gives
each word a vector in its context; each word of the question takes its maximum cosine over the words of the function,
and the weighted mean of these maxima is added to the cosine of the sums. It learns what the scores by words lack: they
are added before the softmax.
"""
import json, os, pickle, re, sys
import jax, jax.numpy as jnp, numpy as np
from scipy.sparse import csr_matrix

HERE = os.path.dirname(os.path.abspath(__file__))
SEED, WIDTH, BUCKETS = 20_261_124, 128, 1024
NAME, DOC, ROLES, QUESTION = 0, 7, 8, 8                 # roles, as in reader.rs
MOST = {0: 6, 1: 4, 2: 3, 3: 14, 7: 18}                 # most words with each role before the body
CODE, ASKED = 104, 16                                   # words of a function and of a question that are read
GROUP, GROUPS, FIRST = 16, 6, 20                        # functions in a group, groups in a batch, candidates reranked
FOLDS, WORDS, PULL, ROUNDS, RATE = 4, 3.0, 1e-3, 300, .05   # as in order.rs
SENTENCE = 1
FIELDS = np.array([3, 1.5, 1.2, 1.3, 1, 1.2, .8, .8])   # weight of each role in the score by words


def functions(path):
    """The functions of a file: package, words of the summary, words of the code, roles of these."""
    numbers, out, at = np.fromfile(path, '<u2'), [], 0
    while at < len(numbers):
        package, summary, code = map(int, numbers[at:at + 3])
        parts = np.split(numbers[at + 3:at + 3 + summary + 2 * code], [summary, summary + code])
        out.append((package, *parts))
        at += 3 + summary + 2 * code
    return out


def clipped(words, roles):
    """The words that the model reads: the first ones with each role, then the body."""
    head = [np.flatnonzero(roles == role)[:most] for role, most in MOST.items()]
    body = np.flatnonzero((roles > 3) & (roles < DOC))
    chosen = np.concatenate([*head, body])[:CODE]
    return words[chosen], roles[chosen]


def bare(words, roles):
    """The words without documentation."""
    return words[roles != DOC], roles[roles != DOC]


def padded(lists, length):
    out, mask = np.zeros((len(lists), length), np.int32), np.zeros((len(lists), length), bool)
    for row, words in enumerate(lists):
        out[row, :len(words[:length])] = words[:length]
        mask[row, :len(words[:length])] = True
    return out, mask


def texts(codes):
    """Words, roles and mask of functions, each as (words, roles)."""
    codes = [clipped(*code) for code in codes]
    (words, mask), (roles, _) = padded([c[0] for c in codes], CODE), padded([c[1] for c in codes], CODE)
    return words, roles, mask


# The model


def shipped_vectors():
    """Words, vectors and weights of words.bin; the layout is in crates/index/src/wordvec/table.rs."""
    data = open(f'{HERE}/../crates/index/src/wordvec/words.bin', 'rb').read()
    count, width = map(int, np.frombuffer(data, '<u4', 2, 4))
    asked = np.frombuffer(data, '<f4', count, 52)
    held = np.frombuffer(data, '<f4', count, 52 + 4 * count)
    vectors = np.frombuffer(data, 'i1', count * width, 52 + 8 * count).reshape(count, width).astype(np.float32)
    at = 52 + (8 + width) * count
    ends = np.frombuffer(data, '<u4', count, at)
    texts = data[at + (4 + 2 + 16 + 8) * count:]
    words = [texts[start:end].decode() for start, end in zip(np.r_[0, ends[:-1]], ends)]
    lengths = np.linalg.norm(vectors, axis=1)
    return words, vectors / lengths[:, None], np.log(asked * lengths), np.log(held * lengths)


def initial(path):
    """A model that starts from the shipped vectors, for the vocabulary of a file. Other words start at random."""
    words, vectors, asked, held = shipped_vectors()
    number = {word: at for at, word in enumerate(words)}
    own = open(f'{path}.words').read().split('\n')
    known = np.array([(at, number[word]) for at, word in enumerate(own) if word in number]).T
    random, all_words = np.random.default_rng(SEED), len(own) + BUCKETS
    _, axes = np.linalg.eigh(vectors.T @ vectors)
    start = random.normal(0, .7 / WIDTH ** .5, (all_words, WIDTH))
    start[known[0]] = (vectors @ axes[:, ::-1][:, :WIDTH])[known[1]]
    start[known[0]] /= np.linalg.norm(start[known[0]], axis=1, keepdims=True)

    def weights(shipped):
        out = np.full(all_words, np.median(shipped))
        out[known[0]] = shipped[known[1]]
        return out - shipped.mean()

    small = lambda *shape: random.normal(0, .02, shape)
    model = dict(words=start, asked=weights(asked), held=weights(held),
                 roles=small(ROLES + 1, WIDTH), role_bonus=np.zeros(ROLES), role_weight=np.zeros(ROLES),
                 code=2 * small(3, WIDTH, WIDTH), question=2 * small(3, WIDTH, WIDTH), bias=np.zeros(WIDTH),
                 late=np.log(20.), whole=np.log(8.), by_words=8., today=1.)
    return jax.tree.map(lambda x: jnp.array(x, jnp.float32), model)


def unit(x):
    return x * jax.lax.rsqrt((x * x).sum(-1, keepdims=True) + 1e-6)


def convolved(x, kernel):
    around = jnp.pad(x, ((0, 0), (1, 1), (0, 0)))
    return around[:, :-2] @ kernel[0] + x @ kernel[1] + around[:, 2:] @ kernel[2]


def encoded(model, words, roles, mask, kernel, bias, weights):
    """A vector for each word in its context, and one for the whole text."""
    plain = model['words'][words]
    own = (plain + model['roles'][roles]) * mask[..., None]
    each = unit(own + jax.nn.gelu(convolved(own, kernel) + bias)) * mask[..., None]
    return each, unit((plain * (weights * mask)[..., None]).sum(1))


def scores(model, asked, asked_mask, words, roles, mask):
    """Scores of each question for the functions of its group: [groups, questions, functions], late and whole."""
    groups, questions, _ = asked.shape
    flat = lambda x: x.reshape(-1, x.shape[-1])
    weights = jnp.exp(model['asked'][flat(asked)]) * flat(asked_mask)
    q, q_whole = encoded(model, flat(asked), QUESTION, flat(asked_mask), model['question'], 0, weights)
    held = jnp.exp(model['held'][flat(words)] + model['role_weight'][flat(roles)])
    c, c_whole = encoded(model, flat(words), flat(roles), flat(mask), model['code'], model['bias'], held)
    group = lambda x: x.reshape(groups, -1, *x.shape[1:])
    near = jnp.einsum('gqid,gcjd->gqcij', group(q), group(c))
    bonus = jnp.where(mask, .1 * model['role_bonus'][roles], -2.)
    near = (near + bonus[:, None, :, None]).max(-1)
    share = weights / (weights.sum(1, keepdims=True) + 1e-6)
    late = jnp.einsum('gqci,gqi->gqc', near, group(share))
    whole = jnp.einsum('gqd,gcd->gqc', group(q_whole), group(c_whole))
    return jnp.exp(model['late']) * late, jnp.exp(model['whole']) * whole


def learner(loss, steps, rate):
    """Adam with a linear decay; the vectors of the words stay as they are. Returns two functions: one for the initial
    state of a model, and one that takes a step."""
    def step(state, t, batch):
        model, first, second = state
        value, slope = jax.value_and_grad(loss)(model, *batch)
        slope['words'] *= 0  # Adam moves the vectors of rare words too far.
        first = jax.tree.map(lambda m, g: .9 * m + .1 * g, first, slope)
        second = jax.tree.map(lambda v, g: .99 * v + .01 * g * g, second, slope)
        now = rate * jnp.minimum(1, t / 50) * jnp.maximum(.03, 1 - t / steps)
        move = lambda p, m, v: p - now * m / (1 - .9 ** t) / (jnp.sqrt(v / (1 - .99 ** t)) + 1e-6)
        return (jax.tree.map(move, model, first, second), first, second), value
    zeros = lambda model: jax.tree.map(jnp.zeros_like, model)
    return lambda model: (model, zeros(model), zeros(model)), jax.jit(step)


def likelihood_loss(scores, right, mask=None):
    scores = scores if mask is None else jnp.where(mask, scores, -1e9)
    return -jax.nn.logsumexp(jnp.where(right, jax.nn.log_softmax(scores, -1), -1e9), -1).mean()


# Pretraining: each function among those that the words of its documentation find


def excluded():
    """Names of the packages that questions are about: folds of repositories stay unseen."""
    text = open(f'{HERE}/sources.toml').read()
    names = re.findall(r'(?:repo|name) = "([^"]+)"', text)
    return {part.lower().replace('_', '-') for name in names for part in (name, name.split('/')[-1])}


def name_of(package):
    return re.sub(r'-\d[^-]*(-.*)?$', '', package.lower().replace('_', '-'))


def question(function, random):
    """The summary as a question, usually without the words of the name, which people who search do not know."""
    _, summary, words, roles = function
    other = summary[~np.isin(summary, words[roles == NAME])]
    return (other if len(other) >= 3 and random.random() < .6 else summary)[:ASKED]


def groups(by_package, vocabulary, random):
    """Endless groups of functions of one package: one, and those that the words of its summary find."""
    packages = [functions for functions in by_package.values() if len(functions) >= 3 * GROUP]
    size = np.array([min(len(functions), 600) for functions in packages], float)
    while True:
        package = packages[random.choice(len(packages), p=size / size.sum())]
        package = [package[i] for i in random.permutation(len(package))[:1200]]
        counts = by_words(package, vocabulary)
        rare = np.log(1 + len(package) / (np.bincount(counts.indices, minlength=vocabulary) + .5)).astype(np.float32)
        columns = counts.tocsc()
        for at in random.permutation(len(package))[:max(2, min(len(package) // GROUP, 24))]:
            words = np.unique(question(package[at], random))
            found = columns[:, words] @ rare[words]
            found[at] = np.inf
            best = np.argsort(-found, kind='stable')[:40]
            near = np.r_[best[:GROUP // 2], random.choice(best[GROUP // 2:], GROUP // 2, replace=False)]
            asked = [question(package[i], random) for i in near]
            distinct = [np.unique(q) for q in asked]
            shares = [counts[near][:, q] @ rare[q] / rare[q].sum() for q in distinct]
            yield [package[i] for i in near], asked, np.array(shares, np.float32)


def by_words(package, vocabulary):
    """Saturated counts of words in functions, without documentation."""
    rows, columns, values = [], [], []
    for row, (_, _, words, roles) in enumerate(package):
        kept = roles != DOC
        distinct, inverse = np.unique(words[kept], return_inverse=True)
        count = np.bincount(inverse, FIELDS[roles[kept]]) / (.4 + .6 * len(words) / 120)
        rows.append(np.full(len(distinct), row)), columns.append(distinct), values.append(count / (1 + count))
    parts = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
    return csr_matrix(parts, (len(package), vocabulary))


def batches(by_package, vocabulary, random):
    pool, source = [], groups(by_package, vocabulary, random)
    while True:
        while len(pool) < 200:
            pool.append(next(source))
        chosen = [pool.pop(random.integers(len(pool))) for _ in range(GROUPS)]
        shown = lambda words, roles: (words, roles) if random.random() < .2 else bare(words, roles)
        codes = texts([shown(*function[2:]) for group in chosen for function in group[0]])
        asked = padded([words for group in chosen for words in group[1]], ASKED)
        grouped = [x.reshape(GROUPS, GROUP, -1) for x in (*asked, *codes)]
        yield np.stack([group[2] for group in chosen]), grouped


def pretrain(pairs, out, number='100000'):
    names, random = open(f'{pairs}.packages').read().split('\n'), np.random.default_rng(SEED)
    known, model = excluded(), initial(pairs)
    vocabulary = len(model['words'])
    learned, apart = {}, {}
    for function in functions(f'{pairs}.code'):
        package = function[0]
        if name_of(names[package]) not in known:
            (apart if package % 29 == 7 else learned).setdefault(package, []).append(function)
    judged = batches(apart, vocabulary, np.random.default_rng(0))
    judged = [next(judged) for _ in range(15)]
    both = jax.jit(lambda model, shares, batch: model['by_words'] * shares + sum(scores(model, *batch)))
    right = jnp.eye(GROUP, dtype=bool)
    start, step = learner(lambda *b: likelihood_loss(both(*b), right), int(number) // (GROUP * GROUPS), 1e-3)
    state, losses = start(model), []
    report = lambda name, found: f'{name} {np.mean([1 / place for place in found]):.4f}'
    place = lambda s: (1 + (s > np.diagonal(s, axis1=1, axis2=2)[:, :, None]).sum(2)).ravel()
    for t, batch in enumerate(batches(learned, vocabulary, random)):
        if t % 100 == 0 or t * GROUP * GROUPS >= int(number):
            found = np.concatenate([place(np.array(both(state[0], *b))) for b in judged])
            alone = np.concatenate([place(b[0]) for b in judged])
            print(t * GROUP * GROUPS, report('words', alone), report('both', found), np.mean(losses[-100:] or 0),
                  flush=True)
        if t * GROUP * GROUPS >= int(number):
            break
        state, loss = step(state, float(t + 1), batch)
        losses.append(float(loss))
    pickle.dump(jax.tree.map(np.array, state[0]), open(out, 'wb'))


# Questions: the first candidates of the learned order, and the order with the model's score


class Lists:
    """The questions of one form: up to 100 candidates each, with features, functions and correctness."""

    def __init__(self, path):
        rows = np.fromfile(f'{path}.lists', '<f4')
        width = int(rows[0])
        rows = rows[1:].reshape(-1, width)
        rows = rows[rows[:, 2] == SENTENCE]
        numbers, starts = np.unique(rows[:, 0], return_index=True)
        ends, shape = np.r_[starts[1:], len(rows)], (len(numbers), 100)
        self.x, self.right = np.zeros((*shape, width - 5), np.float32), np.zeros(shape, bool)
        self.mask, self.function = np.zeros(shape, bool), np.zeros(shape, int)
        for at, (start, end) in enumerate(zip(starts, ends)):
            some = rows[start:min(end, start + 100)]
            self.x[at, :len(some)], self.right[at, :len(some)] = some[:, 5:], some[:, 3] > 0
            self.mask[at, :len(some)], self.function[at, :len(some)] = True, some[:, 4]
        self.set = rows[starts, 1].astype(int)
        lines = [json.loads(line) for line in open(f'{path}.text') if '"list":' in line]
        repos = {line['list']: line['repo'] for line in lines if 'list' in line}
        self.repo = np.array([repos[int(n)] for n in numbers])
        self.fold = np.array([fold_of(repo) for repo in self.repo])
        asked, at, self.asked = np.fromfile(f'{path}.asked', '<u2'), 0, []
        while at < len(asked):
            end = at + 1 + int(asked[at])
            self.asked.append(asked[at + 1:end])
            at = end
        self.asked = [self.asked[int(n)] for n in numbers]
        self.x = self.x[:, :, self.x[self.mask].std(0) > 1e-6]

    def keep(self, order):
        """Keeps the candidates at the places in `order`."""
        for name in ('right', 'mask', 'function'):
            setattr(self, name, np.take_along_axis(getattr(self, name), order, 1))
        self.x = np.take_along_axis(self.x, order[:, :, None], 1)


def fold_of(repo):
    """As in folds.rs."""
    value = 7
    for byte in repo.encode():
        value = (value * 31 + byte) % 10_007
    return value % FOLDS


@jax.jit
def weights_of(x, right, mask):
    """The linear order, as in fit.rs."""
    def round_(state, t):
        weights, first, second = state
        odds = jax.nn.softmax(jnp.where(mask, x @ weights, -1e9), 1)
        likely = odds * right
        off = odds - likely / jnp.maximum(likely.sum(1, keepdims=True), 1e-12)
        slope = jnp.einsum('lc,lcf->f', off, x) / len(x) + PULL * weights
        first, second = .9 * first + .1 * slope, .99 * second + .01 * slope * slope
        move = RATE * first / (1 - .9 ** t) / (jnp.sqrt(second / (1 - .99 ** t)) + 1e-8)
        return (weights - move, first, second), None
    zero = jnp.zeros(x.shape[2])
    return jax.lax.scan(round_, (zero, zero, zero), jnp.arange(1., ROUNDS + 1))[0][0]


def by_fold(x, lists):
    """Scores of the candidates by weights that were learned without the question's fold."""
    out = np.zeros(x.shape[:2])
    for fold in range(FOLDS):
        apart, some = lists.fold == fold, (lists.fold != fold) & lists.right.any(1)
        scale = np.maximum(x[some][lists.mask[some]].std(0), 1e-3)
        weights = np.array(weights_of(jnp.array(x[some] / scale), lists.right[some], lists.mask[some])) / scale
        weights[0] += WORDS
        out[apart] = np.where(lists.mask[apart], x[apart] @ weights, -1e9)
    return out


def reciprocal_ranks(scores, lists):
    best = np.where(lists.right, scores, -np.inf).max(1, keepdims=True)
    return np.where(lists.right.any(1), 1 / (1 + (scores > best).sum(1)), 0)


def reranked(path):
    """The questions with their first candidates in today's order, and the scores of this order."""
    lists = Lists(path)
    today = by_fold(lists.x, lists)
    order = np.argsort(-today, 1, kind='stable')[:, :FIRST]
    lists.keep(order)
    return lists, np.take_along_axis(today, order, 1)


def learn(path, start, out, epochs=2, size=16, count=12):
    lists, today = reranked(path)
    code = functions(f'{path}.code')
    whole = [(np.r_[f[1], f[2]], np.r_[np.full(len(f[1]), DOC), f[3]]) for f in code]
    undocumented = [bare(*f[2:]) for f in code]

    def batch(rows, chosen, codes):
        picked = lists.function[rows[:, None], chosen].ravel()
        asked = padded([lists.asked[row] for row in rows], ASKED)
        parts = texts([codes[at] for at in picked])
        return [x.reshape(len(rows), -1, x.shape[-1]) for x in (*asked, *parts)]

    def loss(model, today, shown, right, mask, batch):
        both = model['today'] * today * shown + sum(scores(model, *batch))[:, 0]
        return likelihood_loss(both, right, mask)

    found = np.zeros((*today.shape, 2), np.float32)
    score = jax.jit(lambda model, batch: jnp.stack(scores(model, *batch), -1)[:, 0])
    for half in (0, 1):
        random, some = np.random.default_rng(SEED + half), np.flatnonzero((lists.fold % 2 != half) & lists.right.any(1))
        model = initial(path) if start == 'none' else pickle.load(open(start, 'rb'))
        begin, step = learner(loss, epochs * (len(some) // size), 1e-3)
        state, t, losses = begin(jax.tree.map(jnp.array, model)), 0, []
        parts = [rows for _ in range(epochs) for rows in np.array_split(random.permutation(some), len(some) // size)]
        for rows in parts:
            rows = rows[:size]  # one shape: compiled once
            # The right candidates, the best of the others, and some of the rest.
            tie = random.random(lists.mask[rows].shape)
            tie[:, :7] += 1
            key = tie + 4 * lists.right[rows] - 9 * ~lists.mask[rows]
            chosen = np.argsort(-key, 1)[:, :count]
            take = lambda x: np.take_along_axis(x[rows], chosen, 1)
            t += 1
            words = batch(rows, chosen, whole if random.random() < .6 else undocumented)
            shown = random.random((size, 1)) < .8  # In one of five questions, the model orders them alone.
            state, value = step(state, float(t), (take(today), shown, take(lists.right), take(lists.mask), words))
            losses.append(float(value))
        print(f'half {half}: loss {np.mean(losses[:50]):.3f} to {np.mean(losses[-50:]):.3f}', flush=True)
        apart = np.flatnonzero(lists.fold % 2 == half)
        for rows in np.array_split(apart, -(-len(apart) // 8)):
            rows = np.resize(rows, 8)
            found[rows] = score(state[0], batch(rows, np.tile(np.arange(FIRST), (8, 1)), whole))
    np.save(out, found)


def judge(path, found):
    lists, _ = reranked(path)
    before = reciprocal_ranks(by_fold(lists.x, lists), lists)
    after = reciprocal_ranks(by_fold(np.concatenate([lists.x, np.load(found)], 2), lists), lists)
    random = np.random.default_rng(0)
    for number in np.unique(lists.set):
        repos = [np.flatnonzero((lists.repo == repo) & (lists.set == number)) for repo in np.unique(lists.repo)]
        drawn = [random.integers(len(repos), size=len(repos)) for _ in range(2000)]
        change = [np.mean((after - before)[np.concatenate([repos[i] for i in some])]) for some in drawn]
        here = lists.set == number
        low, high = np.quantile(change, [.025, .975])
        print(f'set {number}: n {here.sum()}, MRR {before[here].mean():.4f} to {after[here].mean():.4f}, '
              f'change [{low:+.4f}, {high:+.4f}]')


if __name__ == '__main__':
    steps = dict(pretrain=pretrain, learn=learn, judge=judge)
    if len(sys.argv) < 4 or sys.argv[1] not in steps:
        sys.exit(__doc__)
    steps[sys.argv[1]](*sys.argv[2:])
