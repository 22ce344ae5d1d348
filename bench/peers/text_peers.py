"""SanText and d_chi in NumPy, by the algorithms of their published code, as the JSON that bench/table.mjs reads.

The published programs keep a matrix of all words by all words: distances, then the softmax of -epsilon d / 2 of every row;
a token is drawn with numpy.random.choice from its row. d_chi adds noise to one vector at a time and compares the sum with
every word. Vectors are random ones of the shape of GloVe (100 dimensions). CPU time of one thread; medians of five for
tokens, one run for the statistics.
"""

import json
import os
import sys

from cpu_time import median_seconds

os.environ["OMP_NUM_THREADS"] = "1"
os.environ["OPENBLAS_NUM_THREADS"] = "1"

DIMENSIONS = 100
EPSILON = 3.0


def main():
    try:
        import numpy
    except ImportError as problem:
        print(f"NumPy is left out: {problem}", file=sys.stderr)
        json.dump([], sys.stdout)
        return
    random = numpy.random.default_rng(1)

    def matrix(words):
        squares = (words * words).sum(axis=1)
        distances = squares[:, None] + squares[None, :] - 2 * words @ words.T
        numpy.maximum(distances, 0, out=distances)
        numpy.sqrt(distances, out=distances)
        numpy.fill_diagonal(distances, 0)
        scores = numpy.exp(-EPSILON / 2 * distances)
        return scores / scores.sum(axis=1, keepdims=True)

    def statistics(words):
        p = matrix(words)
        stays = numpy.diag(p).copy()
        above = p >= 0.01
        figures = [stays, above.sum(axis=1), above.sum(axis=0)]
        figures.append((1 - (1 - p) ** 100).sum(axis=1))
        figures.append(-(p * numpy.log2(p)).sum(axis=1))
        best = p.max(axis=0).mean()
        return figures, best

    results = []
    for size in (2_000, 10_000):
        words = random.normal(0, 0.5, (size, DIMENSIONS))
        seconds = median_seconds(lambda: statistics(words), 1)
        results.append({"work": f"santext statistics, words/{size}", "peer": "NumPy", "items_per_second": 1 / seconds})

    words = random.normal(0, 0.5, (20_000, DIMENSIONS))
    distances = numpy.linalg.norm(words - words[0], axis=1)
    row = numpy.exp(-EPSILON / 2 * distances)
    row /= row.sum()
    count = 500
    seconds = median_seconds(lambda: [random.choice(len(row), p=row) for _ in range(count)], 5)
    for work in ("santext, a token of a prepared word", "santext, text to text, tokens"):
        results.append({"work": work, "peer": "NumPy", "items_per_second": count / seconds})

    def dchi_token():
        direction = random.normal(size=DIMENSIONS)
        noise = direction / numpy.linalg.norm(direction) * random.gamma(DIMENSIONS, 1 / 20)
        return numpy.linalg.norm(words - (words[0] + noise), axis=1).argmin()

    seconds = median_seconds(lambda: [dchi_token() for _ in range(20)], 5)
    results.append({"work": "dchi, tokens in batches, epsilon", "peer": "NumPy", "items_per_second": 20 / seconds})
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
