# NumPy has loops of its own for each generation of processors.
python3 - <<'P'
import hashlib
import numpy as np
def show(name, *arrays):
    print(name, hashlib.sha256(b"".join(np.ascontiguousarray(a).tobytes() for a in arrays)).hexdigest(), arrays[0].ravel()[:2])
rng = np.random.default_rng()
print(rng.integers(1 << 62), np.random.rand())
rng = np.random.default_rng(3)
x = rng.standard_normal(30001) * 3
for kind in (np.float16, np.float32, np.float64):
    v = x.astype(kind)
    p = np.abs(v) + kind(0.01)
    show("functions", np.sin(v), np.cos(v), np.exp(v), np.log(p), np.tanh(v), np.sqrt(p), np.power(p, v), np.arctan2(v, p))
    show("sums", v.sum(keepdims=True), v.mean(keepdims=True), v.std(keepdims=True), v.cumsum(), np.add.reduceat(v, [0, 77, 999]))
    show("order", np.sort(v), np.argsort(v), np.argsort(v, kind="stable"), np.partition(v, 500), np.unique(v.round(1)))
    show("arithmetic", v / p, v // p, v % p, np.reciprocal(p), np.hypot(v, p), v.astype(np.int32), np.maximum(v, p), np.isnan(v))
show("fourier", np.fft.fft(x), np.fft.irfft(np.fft.rfft(x)), np.convolve(x[:500], x[500:600]))
show("random", rng.normal(size=500), rng.gamma(2.5, size=500), rng.poisson(9, 500), rng.permutation(500))
show("einsum", np.einsum("ij,jk->ik", x[:900].reshape(30, 30), x[900:1800].reshape(30, 30)))
show("interpolation", np.interp(x, np.arange(-9.0, 9), np.arange(18.0) ** 2), np.histogram(x, 50)[0], np.percentile(x, [5, 50, 95]))
P
