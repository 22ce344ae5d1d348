"""Reports of local differential privacy that other libraries aggregate a second, as the JSON that bench/table.mjs reads.

Direct encoding, optimised unary encoding and optimised local hashing at epsilon 1, 128 and 1,024 values. CPU time of the
aggregation alone, estimates included where a library does both in one call; reports are made before. Absent libraries are
named on stderr and left out.
"""

import json
import sys

from cpu_time import median_seconds

SIZES = (128, 1024)
RUNS = 3


def counts(size):
    """How many reports each mechanism is given: enough for a tenth of a second or so."""
    return {"de": 200_000, "oue": 20_000, "olh": 400 if size < 1024 else 60}


def pure_ldp_peers(size):
    from pure_ldp.frequency_oracles.direct_encoding import DEClient, DEServer
    from pure_ldp.frequency_oracles.local_hashing import LHClient, LHServer
    from pure_ldp.frequency_oracles.unary_encoding import UEClient, UEServer

    def index(value):
        return value

    makers = {
        "de": (DEClient(1, size, index_mapper=index), lambda: DEServer(1, size, index_mapper=index)),
        "oue": (UEClient(1, size, use_oue=True, index_mapper=index), lambda: UEServer(1, size, use_oue=True, index_mapper=index)),
        "olh": (LHClient(1, size, use_olh=True, index_mapper=index), lambda: LHServer(1, size, use_olh=True, index_mapper=index)),
    }
    for mechanism, (client, server) in makers.items():
        reports = [client.privatise(i % size) for i in range(counts(size)[mechanism])]
        yield mechanism, len(reports), lambda s=server, r=reports: s().aggregate_all(r)


def multi_freq_ldpy_peers(size):
    from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Aggregator_MI, GRR_Client
    from multi_freq_ldpy.pure_frequency_oracles.LH import LH_Aggregator_MI, LH_Client
    from multi_freq_ldpy.pure_frequency_oracles.UE import UE_Aggregator_MI, UE_Client

    makers = {
        "de": (lambda v: GRR_Client(v, size, 1), lambda r: GRR_Aggregator_MI(r, size, 1)),
        "oue": (lambda v: UE_Client(v, size, 1), lambda r: UE_Aggregator_MI(r, 1)),
        "olh": (lambda v: LH_Client(v, size, 1), lambda r: LH_Aggregator_MI(r, size, 1)),
    }
    for mechanism, (encode, aggregate) in makers.items():
        reports = [encode(i % size) for i in range(counts(size)[mechanism])]
        yield mechanism, len(reports), lambda a=aggregate, r=reports: a(r)


def main():
    results = []
    for peer, make in {"pure-ldp": pure_ldp_peers, "multi-freq-ldpy": multi_freq_ldpy_peers}.items():
        try:
            for size in SIZES:
                for mechanism, reports, run in make(size):
                    rate = reports / median_seconds(run, RUNS)
                    results.append({"work": f"count {mechanism}/{size}", "peer": peer, "items_per_second": rate})
        except ImportError as problem:
            print(f"{peer} is left out: {problem}", file=sys.stderr)
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
