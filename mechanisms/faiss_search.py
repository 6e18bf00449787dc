"""faiss, imported on first use and set up for exact searches."""

from __future__ import annotations

from typing import Any

# faiss multiplies matrices where queries × dimensions reach this, and loops over the queries below.
# As shipped (128,000) a thousand queries over 400,000 words take four times as long.
LOOPED = 400


def faiss() -> Any:
    """The faiss module, imported on first use and set up for one query or for many at once.

    One OpenMP thread for each Python thread that asks: a search is hundreds of short products, and
    where the cores have other work to do its threads wait for one another after every one. Two
    threads beside two busy processes take 80 times as long as one. Use Python threads for more.
    """
    import faiss as module

    module.cvar.distance_compute_blas_threshold = LOOPED
    module.omp_set_num_threads(1)  # a setting of the calling thread
    return module
