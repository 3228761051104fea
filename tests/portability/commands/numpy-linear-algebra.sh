# OpenBLAS chooses its kernels, and how it cuts matrices into blocks, by the processor.
for threads in 1 4; do
	OPENBLAS_NUM_THREADS=$threads OPENBLAS_VERBOSE=2 python3 - <<'P'
import hashlib
import numpy as np
def show(name, *arrays):
    print(name, hashlib.sha256(b"".join(np.ascontiguousarray(a).tobytes() for a in arrays)).hexdigest(), arrays[0].ravel()[:2])
rng = np.random.default_rng(7)
for kind in (np.float32, np.float64, np.complex128):
    a, b = rng.standard_normal((120, 97)).astype(kind), rng.standard_normal((97, 110)).astype(kind)
    s = a.T @ a + np.eye(97, dtype=kind)
    show("product", a @ b, a.T @ a, a @ b[:, 0], np.vdot(a, a).reshape(1))
    show("solve", np.linalg.solve(s, b), np.linalg.inv(s), np.linalg.cholesky(s))
    show("factors", *np.linalg.svd(a), *np.linalg.eigh(s), *np.linalg.qr(a))
    show("values", np.linalg.eigvals(s), np.linalg.det(s / 100).reshape(1), np.linalg.lstsq(a, a[:, :3], rcond=None)[0])
show("polynomial", np.polyfit(np.arange(30.0), np.sin(np.arange(30.0)), 6))
P
done
