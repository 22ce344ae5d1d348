"""Samples a second on one core of other libraries' noise, as the JSON that bench/table.mjs reads.

Each library is called the way its documentation calls it for many values: vectors where it has them, else one call a
value, which then includes the cost of a Python call. CPU time, median of several rounds. A library that cannot be
imported is named on stderr and left out.
"""

import json
import statistics
import sys
import time

ROUNDS = 5
SECONDS_A_ROUND = 0.2


def samples_per_second(draw, batch):
    """The median rate of draw(), which gives `batch` samples."""
    draw()  # warm up
    rates = []
    for _ in range(ROUNDS):
        calls = 0
        start = time.process_time()
        elapsed = 0.0
        while elapsed < SECONDS_A_ROUND:
            draw()
            calls += 1
            elapsed = time.process_time() - start
        rates.append(calls * batch / elapsed)
    return statistics.median(rates)


def repeated(function, count=1000):
    """A function of one value, called `count` times."""

    def draw():
        for _ in range(count):
            function()

    return draw, count


def opendp_peers():
    import opendp.prelude as dp

    dp.enable_features("contrib")
    count = 10_000

    def measurement(make, value, distance):
        kind = type(value)
        domain = dp.atom_domain(T=float, nan=False) if kind is float else dp.atom_domain(T=kind)
        noise = make(dp.vector_domain(domain), distance(T=kind), scale=10.0)
        data = [value] * count
        return (lambda: noise(data)), count

    return {
        "laplace": measurement(dp.m.make_laplace, 0.0, dp.l1_distance),
        "discrete-laplace": measurement(dp.m.make_laplace, 0, dp.l1_distance),
        "gaussian": measurement(dp.m.make_gaussian, 0.0, dp.l2_distance),
        "discrete-gaussian": measurement(dp.m.make_gaussian, 0, dp.l2_distance),
    }


def diffprivlib_peers():
    from diffprivlib import mechanisms

    laplace = mechanisms.Laplace(epsilon=0.1, sensitivity=1)
    geometric = mechanisms.Geometric(epsilon=0.1, sensitivity=1)
    gaussian = mechanisms.GaussianAnalytic(epsilon=0.1, delta=1e-6, sensitivity=1)
    discrete = mechanisms.GaussianDiscrete(epsilon=0.5, delta=1e-6, sensitivity=1)
    return {
        "laplace": repeated(lambda: laplace.randomise(0.0)),
        "discrete-laplace": repeated(lambda: geometric.randomise(0)),
        "gaussian": repeated(lambda: gaussian.randomise(0.0)),
        "discrete-gaussian": repeated(lambda: discrete.randomise(0), 100),
    }


def python_dp_peers():
    from pydp.algorithms.numerical_mechanisms import GaussianMechanism, LaplaceMechanism

    laplace = LaplaceMechanism(0.1, 1.0)
    gaussian = GaussianMechanism(0.1, 1e-6, 1.0)
    return {
        "laplace": repeated(lambda: laplace.add_noise(0.0)),
        "gaussian": repeated(lambda: gaussian.add_noise(0.0)),
    }


def main():
    results = []
    libraries = {"opendp": opendp_peers, "diffprivlib": diffprivlib_peers, "python-dp": python_dp_peers}
    for peer, make in libraries.items():
        try:
            for work, (draw, batch) in make().items():
                rate = samples_per_second(draw, batch)
                results.append({"work": work, "peer": peer, "items_per_second": rate})
        except Exception as error:  # one broken library must not hide the others
            print(f"{peer}: {type(error).__name__}: {error}", file=sys.stderr)
    json.dump(results, sys.stdout, indent=2)
    print()
    return 0 if results else 1


if __name__ == "__main__":
    sys.exit(main())
