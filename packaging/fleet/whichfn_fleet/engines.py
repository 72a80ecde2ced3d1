"""Runs tasks on an engine: this machine, Ray or Spark. The engine places and queues tasks, and retries them after it lost a machine."""

import os
import sys
from argparse import Namespace
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

Json = dict[str, Any]


def run(args: Namespace, work: Callable[[Json], Json], tasks: list[Json]) -> list[Json]:
    """Returns the result of each task, in order, or `{"error": why}`. Raises TimeoutError if a task exceeds `args.deadline` seconds."""

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

        cloudpickle.register_pickle_by_value(sys.modules[__package__])  # other machines need the program, but not this package
        conf = SparkConf().setAppName("whichfn-fleet").setIfMissing("spark.ui.enabled", "false")
        context = SparkContext.getOrCreate(conf.setMaster(args.address) if args.address else conf)
        futures = [threads.submit(context.parallelize(tasks, len(tasks)).flatMap(caught).collect)]
    else:
        futures = [threads.submit(caught, task) for task in tasks]
    if late := wait(futures, args.deadline).not_done:
        if args.engine == "spark":
            context.cancelAllJobs()
        raise TimeoutError(f"{len(late)} tasks of {args.engine} did not finish within {args.deadline:g} s: does it have a free machine?")
    return [result for future in futures for result in future.result()]


def ray(address: str | None) -> Any:
    """Returns Ray, connected to the cluster at `address`, or else to a cluster of this process on loopback. Usage reports are disabled."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if not address or address.startswith("127."):  # otherwise Ray uses the machine's external address, which others can reach
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    import ray as module

    if not module.is_initialized():
        module.init(address or "local", include_dashboard=None if address else False, log_to_driver=False)
    module.cloudpickle.register_pickle_by_value(sys.modules[__package__])
    return module
