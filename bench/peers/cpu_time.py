"""How the peers are timed: CPU time of this process, the median of several runs."""

import statistics
import time


def median_seconds(work, runs, warm_up=False):
    """The median CPU time of work(), which is called `runs` times, and once before with `warm_up`."""
    if warm_up:
        work()
    seconds = []
    for _ in range(runs):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return statistics.median(seconds)
