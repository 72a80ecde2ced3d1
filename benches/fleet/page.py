"""Extrapolates the cost of a fleet of many repositories from measurements of a smaller one (benches/fleet/cost.py)."""
from typing import NamedTuple

from measure import Json, table


class Wanted(NamedTuple):
    repositories: int
    lines: int
    cores: int
    memory: int
    pushes: int


class Rates(NamedTuple):
    """Rates in seconds and bytes, per line unless stated otherwise."""
    build: float
    archive: float
    resident: float
    own: float
    scoped: float
    fixed: float
    searched: float


def rates(found: Json) -> Rates:
    build, one, all = found["build"], found["repository"], found["all"]["alone"]
    cpu = {name: (row["worker_cpu_ms"] + row["rank_cpu_ms"]) / 1e3 for name, row in (("one", one), ("all", all))}
    searched = max(0., (cpu["all"] - cpu["one"]) / (all["lines"] - one["lines"]))
    return Rates(build["cpu"] / build["lines"], build["bytes"] / build["lines"], all["resident_mb"] * 2**20 / all["lines"], all["own_mb"] * 2**20 / all["lines"],
                 cpu["one"], max(0., cpu["one"] - searched * one["lines"]), searched)


def short(number: float) -> str:
    """Formats a number with three digits and a unit prefix."""
    for size, word in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if abs(number) >= size:
            return f"{number / size:.3g}{word}"
    return f"{number:.3g}"


def span(seconds: float) -> str:
    for size, word in ((3600, "h"), (60, "min"), (1, "s")):
        if seconds >= size:
            return f"{seconds / size:.3g} {word}"
    return f"{seconds * 1e3:.3g} ms"


def measured(found: Json) -> str:
    build, push = found["build"], found["push"]
    quarter = build["quarter"]
    rows = [
        ["repositories, files, functions, lines", f"{build['members']}, {short(build['files'])}, {short(build['functions'])}, {short(build['lines'])}"],
        ["`fleet pack` of all: CPU, wall", f"{span(build['cpu'])}, {span(build['wall'])}"],
        ["lines per CPU second; for every fourth repository only", f"{short(build['lines'] / build['cpu'])}; {short(quarter['lines'] / quarter['cpu'])}"],
        ["shards, archive bytes, bytes per line; for every fourth only", f"{build['shards']}, {short(build['bytes'])}B, {build['bytes'] / build['lines']:.0f}; {quarter['bytes'] / quarter['lines']:.0f}"],
        ["the same again without changes: CPU", span(build["unchanged_cpu"])],
    ]
    for name, row in (("within one repository", found["repository"]), ("within one team", found["team"]), ("unscoped", found["all"]["alone"]), (f"unscoped, {found['all']['four']['together']} at a time", found["all"]["four"])):
        rows += [
            [f"question {name} ({row['questions']} questions, {short(row['lines'])} lines each): p50, p95", f"{row['p50_ms']:.1f} ms, {row['p95_ms']:.1f} ms"],
            [f"… CPU of the workers, of the coordinator; questions per second", f"{row['worker_cpu_ms']:.1f} ms, {row['rank_cpu_ms']:.1f} ms; {row['a_second']:.1f}"]]
    all = found["all"]["alone"]
    rows += [
        ["workers' memory after that: resident, resident and not mapped from archives; coordinator", f"{all['resident_mb']:.0f} MB, {all['own_mb']:.0f} MB; {all['rank_mb']:.0f} MB"],
        [f"push to answer ({push['pushes']} pushes, {short(push['lines'])} lines each on average): p50, p95, longest", f"{span(push['p50_s'])}, {span(push['p95_s'])}, {span(push['longest_s'])}"],
        ["… CPU of one, CPU of its packing; reload of workers and coordinator", f"{span(push['cpu'])}, {span(push['pack_cpu'])}; {push['reload_p50_ms']:.0f} ms"],
        ["load of the machine at the start of each phase", ", ".join(f"{name} {row['load']:.1f}" for name, row in found.items())],
    ]
    return table(["measured", ""], rows)


def projected(found: Json, wanted: Wanted, of: Rates) -> str:
    push = found["push"]
    unscoped = of.fixed + of.searched * wanted.lines
    one_push = push["cpu"] - push["pack_cpu"] + of.build * wanted.lines / wanted.repositories
    rows = [
        ["building all", f"{wanted.lines * of.build / 3600:.1f} CPU-hours; {span(wanted.lines * of.build / wanted.cores)} on all cores", "CPU per line of `fleet pack`"],
        ["archives", f"{short(wanted.lines * of.archive)}B, {wanted.lines / 2e6:.0f} shards of 2 M lines or more", "bytes per line"],
        ["memory of the workers, if all is searched", f"{short(wanted.lines * of.resident)}B, of which {short(wanted.lines * of.own)}B are not released under pressure", "resident bytes per line after the unscoped questions"],
        ["questions within a repository", f"{short(1 / of.scoped)} per second and core; {short(wanted.cores / of.scoped)} on all cores", "CPU of a question within one repository"],
        ["one unscoped question", f"{span(unscoped)} of CPU; {span(unscoped / wanted.cores)} at best, with all cores", "CPU of an unscoped question, by lines searched"],
        ["unscoped questions", f"{short(wanted.cores / unscoped)} per second on all cores", "the same"],
        ["lines in a scope that take 1 s of one core", short(max(0., 1 - of.fixed) / of.searched) if of.searched else "any", "the same"],
        [f"{wanted.pushes} pushes per day, to repositories of {short(wanted.lines / wanted.repositories)} lines",
         f"{wanted.pushes * one_push / 3600:.1f} CPU-hours", "CPU of a push without packing, CPU per line of `fleet pack`"],
    ]
    return table([f"{short(wanted.repositories)} repositories, {short(wanted.lines)} lines, {wanted.cores} cores", "extrapolated", "from"], rows)


def verdict(found: Json, wanted: Wanted, of: Rates) -> str:
    unscoped, archive = of.fixed + of.searched * wanted.lines, wanted.lines * of.archive
    best = unscoped / wanted.cores
    does = "fit" if archive <= wanted.memory * 2**30 else "do not fit"
    team, row = found["team"], found["team"]["worker_cpu_ms"] + found["team"]["rank_cpu_ms"]
    said = [
        f"One machine with {wanted.cores} cores and {wanted.memory} GiB is **enough to build** ({span(wanted.lines * of.build / wanted.cores)}), and **enough for questions within a repository** "
        f"(up to {short(wanted.cores / of.scoped)} per second). Its archives {does} into memory" + (
            "." if does == "fit" else ": pages of repositories that are not searched stay on disk, and the first question about one reads them."),
        f"For unscoped questions over all {short(wanted.lines)} lines it is **{'enough' if best <= 1 else 'not enough'}**: the fastest possible answer takes {span(best)}" + (
            f", and more than {short(wanted.cores / unscoped)} of them per second need more machines." if best <= 1 else
            f", and all cores search {short(wanted.cores / of.searched)} lines per second. Scope the questions, or use {best:.0f} such machines for answers within a second."),
        "One machine does not answer while it restarts. To avoid that, or to keep access rights on separate machines, use several.",
        f"Reliability of the extrapolation: for one team ({short(team['lines'])} lines) it gives {span(of.fixed + of.searched * team['lines'])}, and {row:.1f} ms were measured. "
        f"It extends from {short(found['build']['lines'])} to {short(wanted.lines)} lines, {wanted.lines / found['build']['lines']:.0f} times as many; networks, disks and uneven shards are not in it.",
    ]
    return "\n".join(f"- {line}" for line in said)


def text(found: Json, wanted: Wanted) -> str:
    of = rates(found)
    return "\n\n".join((measured(found), projected(found, wanted, of), verdict(found, wanted, of)))
