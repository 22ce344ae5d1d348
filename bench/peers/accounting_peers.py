"""Answers a second on one core of other libraries' accountants, as the JSON that bench/table.mjs reads.

The usual example: Poisson-sampled Gaussian noise, rate 0.01, sigma 1, 1,000 steps, epsilon at delta 1e-5. CPU time, median
of three. A library that cannot be imported is named on stderr and left out.
"""

import json
import sys

from cpu_time import median_seconds

RATE, SIGMA, STEPS, DELTA = 0.01, 1.0, 1000, 1e-5


def answers_per_second(answer):
    """The median rate of answer(), after one call to warm up."""
    return 1 / median_seconds(answer, 3, warm_up=True)


def dp_accounting_peers():
    import dp_accounting
    from dp_accounting.pld import PLDAccountant
    from dp_accounting.rdp import RdpAccountant

    event = dp_accounting.SelfComposedDpEvent(
        dp_accounting.PoissonSampledDpEvent(RATE, dp_accounting.GaussianDpEvent(SIGMA)), STEPS
    )
    return {
        "pld accounting, steps/1000": lambda: PLDAccountant().compose(event).get_epsilon(DELTA),
        "rdp accounting, steps/1000": lambda: RdpAccountant().compose(event).get_epsilon(DELTA),
    }


def prv_accountant_peers():
    from prv_accountant import PoissonSubsampledGaussianMechanism, PRVAccountant

    def answer():
        accountant = PRVAccountant(
            prvs=[PoissonSubsampledGaussianMechanism(noise_multiplier=SIGMA, sampling_probability=RATE)],
            max_self_compositions=[STEPS],
            eps_error=0.01,
            delta_error=1e-10,
        )
        return accountant.compute_epsilon(delta=DELTA, num_self_compositions=[STEPS])

    return {"pld accounting, steps/1000": answer}


def main():
    results = []
    for peer, make in {"dp_accounting": dp_accounting_peers, "prv_accountant": prv_accountant_peers}.items():
        try:
            for work, answer in make().items():
                results.append({"work": work, "peer": peer, "items_per_second": answers_per_second(answer)})
        except Exception as error:  # one broken library must not hide the others
            print(f"{peer}: {type(error).__name__}: {error}", file=sys.stderr)
    json.dump(results, sys.stdout, indent=2)
    print()
    return 0 if results else 1


if __name__ == "__main__":
    sys.exit(main())
