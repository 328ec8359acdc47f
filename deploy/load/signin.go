package main

import (
	"context"
	"time"
)

// signInRuns of both benchmarks, side by side in time; the median counts.
const signInRuns = 3

// measureSignIn runs identity's and the gateway's own benchmarks: whole sign-ins against the hash of the password alone, what a call pays
// for its session, and what a session weighs.
func measureSignIn(ctx context.Context, b *bench) ([]Figure, error) {
	found := results{}
	for range signInRuns {
		run, err := goBenchWithDatabase(ctx, "services/identity", "^Benchmark(PasswordHash|SignIn)$", b.during/2, 1)
		if err != nil {
			return nil, err
		}
		found.add(run)
	}
	checks, err := goBench(ctx, "gateway/internal/session", "^BenchmarkCheck$", max(b.during/5, 100*time.Millisecond), 1)
	if err != nil {
		return nil, err
	}
	found.add(checks)
	return signInFigures(found)
}

func signInFigures(found results) ([]Figure, error) {
	var values []float64
	for _, one := range []struct{ bench, unit string }{
		{"SignIn", "sign-ins/s"},
		{"PasswordHash", "hashes/s"},
		{"Check/Known", "ns/op"},
		{"Check/Read", "ns/op"},
		{"Check/Known", "bytes/session"},
		{"SignIn", "provider-ns/op"},
		{"PasswordHash", "hash-ns/op"},
		{"SignIn", "callers-ns/op"},
	} {
		value, err := found.get(one.bench, one.unit)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	const nanosecondsPerMicrosecond, nanosecondsPerMillisecond, sessions, bytesPerMebibyte = 1000, 1_000_000, 100_000, 1 << 20
	used := func(name string, nanoseconds float64) Figure {
		return Figure{Name: "sign-in by password, processor time of " + name, Value: Quantity{nanoseconds / nanosecondsPerMillisecond, "ms"}}
	}
	return []Figure{
		Figure{Name: "sign-ins by password, provider on one processor", Value: Quantity{values[0], "/s"}}.against("hash of the password alone, on one", values[1]).atLeast(0.9),
		used("the provider", values[5]).against("hash of the password alone", values[6]/nanosecondsPerMillisecond),
		used("browser and client", values[7]),
		Figure{Name: "session check, known for a second", Value: Quantity{values[2] / nanosecondsPerMicrosecond, "µs"}}.below(10),
		{Name: "session check, read from Redis", Value: Quantity{values[3] / nanosecondsPerMicrosecond, "µs"}},
		{Name: "100,000 sessions, keys and values", Value: Quantity{values[4] * sessions / bytesPerMebibyte, "MiB"}},
	}, nil
}
