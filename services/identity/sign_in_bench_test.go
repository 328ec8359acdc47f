package identity_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"serein.app/services/identity/internal/password"
)

// membersOfBench sign in one after another: none has so many sessions that one must end, and no limit of one account is reached.
const membersOfBench = 256

// strongHasher hashes as production does.
func strongHasher() *password.Hasher {
	return password.New(password.OWASP, runtime.GOMAXPROCS(0), time.Minute)
}

// BenchmarkPasswordHash is what no sign-in can save: one hash of production's strength, on all processors.
func BenchmarkPasswordHash(b *testing.B) {
	hasher := strongHasher()
	phc, err := hasher.Hash(b.Context(), goodPassword)
	require.NoError(b, err)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if match, _, err := hasher.Verify(b.Context(), goodPassword, phc); err != nil || !match {
				b.Errorf("the right password: %t, %v", match, err)
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "hashes/s")
}

// BenchmarkSignIn is a whole sign-in by password, each in a new browser at an address of its own: the authorization, the page, its form, the code and its
// exchange, over HTTPS, with PostgreSQL, browsers and client in the same process.
func BenchmarkSignIn(b *testing.B) {
	h := setup(b)
	h.work = &countingHasher{Hasher: strongHasher()}
	phc, err := h.work.Hash(b.Context(), goodPassword)
	require.NoError(b, err)
	h.accounts = h.newAccounts()
	h.serve()
	for n := range membersOfBench {
		uid := h.insertMember(b)
		_, err := h.db.Pool.Exec(b.Context(), `UPDATE accounts SET username = $2, username_key = $2, password_hash = $3 WHERE uid = $1`,
			uid, fmt.Sprint("member", n), phc)
		require.NoError(b, err)
	}
	client := h.rp()
	var next atomic.Int64
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			n := next.Add(1)
			verifier, br := oauth2.GenerateVerifier(), h.browser()
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
}
