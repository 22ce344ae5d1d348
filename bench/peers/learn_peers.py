"""Steps of training a second by other libraries, as the JSON that bench/table.mjs reads.

The perceptron of src/gauze/learn/step/training_bench.cpp: 140 numbers, hidden layers of 128 and 64, five classes, 35,000 rows. JAX
Privacy draws a Poisson sample (padded to a fixed size, as its examples do), sums clipped gradients in one compiled function
and adds Gaussian noise from its own floating-point generator; plain descent follows. scikit-learn's MLPClassifier has no privacy: it is
shuffled descent with the same batch. CPU time of one thread, medians of three; compiling is not measured.
"""

import json
import os
import sys

# one thread, before anything of it is loaded
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

from cpu_time import median_seconds

ROWS, INPUTS, WIDTHS, CLASSES = 35_000, 140, (128, 64), 5


def table():
    import numpy

    random = numpy.random.default_rng(1)
    return random.uniform(-1, 1, (ROWS, INPUTS)).astype("float32"), random.integers(0, CLASSES, ROWS)


def jax_privacy_step(batch):
    """A function that does `steps` steps."""
    import jax
    import jax.numpy as jnp
    import jax_privacy
    import numpy

    sizes = (INPUTS, *WIDTHS, CLASSES)
    random = numpy.random.default_rng(2)
    weights = [
        (jnp.asarray(random.normal(0, (2 / a) ** 0.5, (a, b)), "float32"), jnp.zeros(b, "float32"))
        for a, b in zip(sizes, sizes[1:])
    ]

    def loss(params, x, y):
        for place, (matrix, bias) in enumerate(params):
            x = x @ matrix + bias
            if place + 1 < len(params):
                x = jax.nn.relu(x)
        return -jnp.sum(jax.nn.log_softmax(x)[jnp.arange(x.shape[0]), y])

    gradient = jax_privacy.clipped_grad(loss, l2_clip_norm=1.0, batch_argnums=(1, 2))

    @jax.jit
    def step(params, x, y, is_padding, key):
        total = gradient(params, x, y, is_padding_example=is_padding)
        leaves, shape = jax.tree.flatten(total)
        keys = jax.random.split(key, len(leaves))
        noisy = [leaf + jax.random.normal(k, leaf.shape) for k, leaf in zip(keys, leaves)]
        move = jax.tree.unflatten(shape, noisy)
        return jax.tree.map(lambda w, g: w - 0.5 * g / batch, params, move)

    x, y = table()
    padded = batch + 6 * int(batch**0.5)

    def run(steps):
        params, key = weights, jax.random.key(3)
        for _ in range(steps):
            chosen = numpy.flatnonzero(random.random(ROWS) < batch / ROWS)[:padded]
            is_padding = numpy.arange(padded) >= len(chosen)
            chosen = numpy.pad(chosen, (0, padded - len(chosen)))
            key, own = jax.random.split(key)
            params = step(params, x[chosen], y[chosen], is_padding, own)
        jax.block_until_ready(params)

    return run


def scikit_learn_steps(batch):
    import warnings

    from sklearn.neural_network import MLPClassifier

    warnings.simplefilter("ignore")
    x, y = table()

    def run(steps):
        model = MLPClassifier(
            hidden_layer_sizes=WIDTHS, solver="sgd", batch_size=batch, learning_rate_init=0.5, max_iter=1, alpha=0)
        model.fit(x[: steps * batch], y[: steps * batch])

    return run


def main():
    results = []
    for peer, make in {"jax-privacy": jax_privacy_step, "scikit-learn, no privacy": scikit_learn_steps}.items():
        try:
            for batch, steps in ((64, 100), (512, 20)):
                run = make(batch)
                run(2)
                seconds = median_seconds(lambda: run(steps), 3)
                results.append({"work": f"train mlp, batch {batch}", "peer": peer, "items_per_second": steps / seconds})
        except ImportError as problem:
            print(f"{peer} is left out: {problem}", file=sys.stderr)
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
