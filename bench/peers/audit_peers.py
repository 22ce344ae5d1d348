"""Scores held against claims by scikit-learn and jax-privacy, as the JSON that bench/table.mjs reads.

The same numbers of scores as src/gauze/audit/audit_bench.cpp. CPU time, medians of three; one thread. jax-privacy's bounds
try every threshold and divide the risk among them (its default), Gauze tries seven numbers of guesses for one run, and for
many runs the threshold that was best on a half; so the work is alike, not the same.
"""

import json
import os
import sys

from cpu_time import median_seconds

os.environ["OMP_NUM_THREADS"] = "1"
os.environ["OPENBLAS_NUM_THREADS"] = "1"


def scores(count):
    import numpy

    random = numpy.random.default_rng(1)
    half = count // 2
    members = random.random(half) + random.random(half) + 0.1
    others = random.random(half) + random.random(half)
    return members, others


def scikit_learn_works():
    import numpy
    from sklearn.metrics import roc_auc_score

    for count in (100_000, 10_000_000):
        members, others = scores(count)
        label = numpy.concatenate([numpy.ones(len(members)), numpy.zeros(len(others))])
        both = numpy.concatenate([members, others])
        yield f"AUC of scores/{count}", count, lambda label=label, both=both: roc_auc_score(label, both)


def jax_privacy_works():
    from jax_privacy.auditing import CanaryScoreAuditor, Split

    for count in (1_000, 100_000):
        members, others = scores(count)
        yield (f"bound of one run, canaries/{count}", count,
               lambda members=members, others=others: CanaryScoreAuditor(members, others).epsilon_one_run(0.05, 1e-9))
    members, others = scores(100_000)
    yield ("bound of many runs, scores/100000", 100_000,
           lambda: CanaryScoreAuditor(members, others).epsilon_clopper_pearson(0.05, 1e-9, threshold_strategy=Split()))


def main():
    results = []
    for peer, works in {"scikit-learn": scikit_learn_works, "jax-privacy": jax_privacy_works}.items():
        try:
            for work, count, run in works():
                seconds = median_seconds(run, 3)
                results.append({"work": work, "peer": peer, "items_per_second": count / seconds})
        except ImportError as problem:
            print(f"{peer} is left out: {problem}", file=sys.stderr)
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
