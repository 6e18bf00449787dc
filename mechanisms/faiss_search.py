"""faiss, imported on first use and set up for exact searches with many queries."""

from __future__ import annotations

from typing import Any

# faiss multiplies matrices only above this many queries and loops below it. As shipped (128,000) a
# thousand queries over 400,000 words take four times as long.
_FAISS_BLAS_THRESHOLD = 20


def faiss() -> Any:
    """The faiss module, imported on first use and set up for many queries at once.

    One OpenMP thread for each Python thread that asks: a search is hundreds of short products, and
    where the cores have other work to do its threads wait for one another after every one. Two
    threads beside two busy processes take 80 times as long as one. Use Python threads for more.
    """
    import faiss as module

    module.cvar.distance_compute_blas_threshold = _FAISS_BLAS_THRESHOLD
    module.omp_set_num_threads(1)  # a setting of the calling thread
    return module
