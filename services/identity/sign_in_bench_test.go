package identity_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"serein.app/services/identity"
	"serein.app/services/identity/internal/password"
)

// membersOfBench sign in one after another: none has so many sessions that one must end, and no limit of one account is reached.
const membersOfBench = 256

// strongHasher hashes as production does.
func strongHasher() *password.Hasher {
	return password.New(password.OWASP, runtime.GOMAXPROCS(0), time.Minute)
}

// BenchmarkPasswordHash is what no sign-in can save: one hash of production's strength, on a single processor.
func BenchmarkPasswordHash(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	identity.Collect()
	hasher := strongHasher()
	phc, err := hasher.Hash(b.Context(), goodPassword)
	require.NoError(b, err)
	began := processorTime(b)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if match, _, err := hasher.Verify(b.Context(), goodPassword, phc); err != nil || !match {
				b.Errorf("the right password: %t, %v", match, err)
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "hashes/s")
	b.ReportMetric(float64(processorTime(b)-began)/float64(b.N), "hash-ns/op")
}

// callersOfBench sign in at once, so that the provider never waits for one of them.
const callersOfBench = 8

// BenchmarkSignIn is a whole sign-in by password, each in a new browser at another address: the authorization, the page, its form, the code and its
// exchange, over HTTPS, with PostgreSQL. The provider is a process that uses a single processor; browsers, client and PostgreSQL have the others.
func BenchmarkSignIn(b *testing.B) {
	p := startProvider(b)
	client := p.rp()
	var next atomic.Int64
	b.SetParallelism(max(1, callersOfBench/runtime.GOMAXPROCS(0)))
	provider, callers := p.processorTime(), processorTime(b)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			n := next.Add(1)
			verifier, br := oauth2.GenerateVerifier(), p.browser()
			br.address = netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)}).String()
			answer := br.submit(br.open(client, verifier), fmt.Sprint("member", n%membersOfBench), goodPassword)
			if answer.status != http.StatusFound {
				b.Errorf("%d: %s", answer.status, answer.body)
				return
			}
			if _, err := client.Exchange(client.ctx, answer.location(b).Query().Get("code"), oauth2.VerifierOption(verifier)); err != nil {
				b.Error(err)
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "sign-ins/s")
	b.ReportMetric(float64(p.processorTime()-provider)/float64(b.N), "provider-ns/op")
	b.ReportMetric(float64(processorTime(b)-callers)/float64(b.N), "callers-ns/op")
}

// processorTime of this process.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
