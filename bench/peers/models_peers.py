"""Models trained a second by scikit-learn, as the JSON that bench/table.mjs reads.

The same shapes as src/gauze/models/models_bench.cpp: distinct tuples of categorical codes with a weight for each outcome,
which scikit-learn takes as two rows a tuple with sample_weight; one-hot encoding is done beforehand and not measured. CPU
time, medians of five; one thread. Its tolerance is the default 1e-4, where Gauze goes on to 1e-8. The
trees are not grown by the same rules, only as many and as deep.
"""

import json
import os
import sys

from cpu_time import median_seconds

os.environ["OMP_NUM_THREADS"] = "1"
os.environ["OPENBLAS_NUM_THREADS"] = "1"

SHAPES = {"15": ([5, 4, 3, 3], 300), "189": ([73, 16, 6, 94], 30_000)}


def random_examples(cardinalities, tuples):
    import numpy

    random = numpy.random.default_rng(1)
    codes = numpy.stack([random.integers(0, k, tuples) for k in cardinalities], axis=1)
    score = -1 + numpy.sin(codes * numpy.arange(1, len(cardinalities) + 1)).sum(axis=1)
    weight = random.integers(1, 21, tuples)
    positive = numpy.round(weight / (1 + numpy.exp(-score)))
    outcome = numpy.repeat([1, 0], tuples)
    return numpy.concatenate([codes, codes]), outcome, numpy.concatenate([positive, weight - positive])


def scikit_learn_peers():
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import OneHotEncoder

    runs = {}
    for size, (cardinalities, tuples) in SHAPES.items():
        codes, outcome, weight = random_examples(cardinalities, tuples)
        columns = OneHotEncoder().fit_transform(codes)
        line = LogisticRegression(C=1, max_iter=1000)
        trees = HistGradientBoostingClassifier(
            max_iter=60, max_depth=3, learning_rate=0.2, l2_regularization=1, categorical_features=[0, 1, 2, 3],
            early_stopping=False)
        runs[f"logistic regression, {size} columns, tuples"] = (line, columns, outcome, weight)
        runs[f"boosted trees, {size} values, tuples"] = (trees, codes, outcome, weight)
    return runs


def main():
    results = []
    try:
        for work, (model, rows, outcome, weight) in scikit_learn_peers().items():
            seconds = median_seconds(lambda: model.fit(rows, outcome, sample_weight=weight), 5)
            results.append({"work": work, "peer": "scikit-learn", "items_per_second": 1 / seconds})
    except ImportError as problem:
        print(f"scikit-learn is left out: {problem}", file=sys.stderr)
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
