package identity_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"serein.app/services/identity"
	"serein.app/services/identity/internal/jobs"
	"serein.app/services/identity/internal/keys"
	"serein.app/services/identity/internal/postgres"
	"serein.app/services/platform/outbox"
)

// counted has the harness ask its database over one connection on which the round trips are counted.
func (b *harness) counted() interface{ Least(fn func()) int64 } {
	b.t.Helper()
	pool, trips := b.db.CountRoundTrips(b.t)
	b.store = postgres.New(pool, outbox.New(pool, nil, identity.Name, b.log, b.clock.Now), nil, jobs.For)
	var err error
	b.ring, err = keys.New(b.store, keySecret, "", b.clock.Now)
	require.NoError(b.t, err)
	b.accounts = b.newAccounts()
	return trips
}

// A member who signs in waits for the hash of the password and for little else: the account is found, the attempt counted and taken back,
// and the session begun with its code and the letter of a new device. The client waits twice: for the code's request, and for its grant.
// Before they were joined a sign-in took 23 round trips.
func TestASignInTakesSixRoundTripsToTheDatabase(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.member("amara")
	trips := b.counted()
	client := b.serve().rp()
	b.browser().signIn(client, "amara") // the first of its life has no letter
	var verifier string
	var asked, answer page
	var br *browser
	require.Equal(t, int64(0), trips.Least(func() {
		verifier, br = oauth2.GenerateVerifier(), b.browser()
		asked = br.open(client, verifier)
	}))
	require.Equal(t, int64(4), trips.Least(func() {
		verifier, br = oauth2.GenerateVerifier(), b.browser()
		asked = br.open(client, verifier)
		answer = br.submit(asked, "amara", goodPassword)
		require.Equal(t, http.StatusFound, answer.status, answer.body)
	}))
	require.Equal(t, int64(6), trips.Least(func() { b.browser().signIn(client, "amara") }))
	letters := b.count(`SELECT count(*) FROM river_job WHERE kind = 'identity.account_mail'`)
	require.Equal(t, b.count(`SELECT count(*) FROM sessions`)-1, letters, "each new browser has its letter")
}
