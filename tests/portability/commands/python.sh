# Floats, hashes, random numbers and dates of the interpreter.
python3 - <<'P'
import cmath, collections, datetime, decimal, fractions, hashlib, json, math, os, random, statistics, tempfile, time, uuid, zlib
print(random.random(), random.sample(range(1000), 5), uuid.uuid4(), os.urandom(8).hex())
print({"one", "two", "three", "four", "five", "six"}, hash("stet"), id(object()))
print(time.time(), time.perf_counter_ns(), datetime.datetime.now())
values = [math.sin(i) * math.exp(-i / 1000) for i in range(1, 5000)]
print(math.fsum(values), sum(values), statistics.stdev(values), statistics.correlation(values, values[::-1]))
print(math.gamma(5.3), math.erf(0.3), math.lgamma(9.1), cmath.sqrt(-2 + 1j), 1e22 / 3, 0.1 + 0.2, 2 ** 0.5, 7 ** -1.3)
print(decimal.Decimal(2).sqrt(), fractions.Fraction(math.pi), (12345 ** 678) % (10 ** 30 + 57))
print(hashlib.sha256(json.dumps(values).encode()).hexdigest(), zlib.crc32(repr(values).encode()))
print(tempfile.mkdtemp(), os.getpid(), os.cpu_count(), os.listdir("/"))
P
