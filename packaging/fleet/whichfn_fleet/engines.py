"""Tasks on an engine: this machine, Ray or Spark. Placement, queues, and retries after a lost machine are the engine's."""

import os
import sys
from argparse import Namespace
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

Json = dict[str, Any]


def run(args: Namespace, work: Callable[[Json], Json], tasks: list[Json]) -> list[Json]:
    """What each task gives, in order; of one that fails `{"error": why}`. TimeoutError if not all end in `args.deadline` seconds."""

    def caught(task: Json) -> list[Json]:
        try:
            return [work(task)]
        except Exception as cause:
            return [{"error": f"{type(cause).__name__}: {cause}"}]

    threads = ThreadPoolExecutor(args.jobs)
    if args.engine == "ray":
        remote = ray(args.address).remote(max_retries=5)(caught)
        futures = [remote.remote(task).future() for task in tasks]
    elif args.engine == "spark":
        from pyspark import SparkConf, SparkContext, cloudpickle

        cloudpickle.register_pickle_by_value(sys.modules[__package__])  # machines need the program, not this package
        conf = SparkConf().setAppName("whichfn-fleet").setIfMissing("spark.ui.enabled", "false")
        context = SparkContext.getOrCreate(conf.setMaster(args.address) if args.address else conf)
        futures = [threads.submit(context.parallelize(tasks, len(tasks)).flatMap(caught).collect)]
    else:
        futures = [threads.submit(caught, task) for task in tasks]
    if late := wait(futures, args.deadline).not_done:
        if args.engine == "spark":
            context.cancelAllJobs()
        raise TimeoutError(f"{len(late)} tasks of {args.engine} did not end in {args.deadline:g} s: has it a machine that is free?")
    return [result for future in futures for result in future.result()]


def ray(address: str | None) -> Any:
    """Ray, connected to the cluster at `address`; without one to a cluster of this process, on loopback. It reports nothing home."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if not address or address.startswith("127."):  # else Ray takes the machine's own address for it, which others reach
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    import ray as module

    if not module.is_initialized():
        module.init(address or "local", include_dashboard=None if address else False, log_to_driver=False)
    module.cloudpickle.register_pickle_by_value(sys.modules[__package__])
    return module
