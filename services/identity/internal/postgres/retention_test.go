package postgres_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/oidcop"
	"serein.app/services/identity/internal/postgres"
	"serein.app/services/testkit"
)

func TestEachThingIsCleanedUpAtItsOwnTimeAndNotBefore(t *testing.T) {
	t.Parallel()
	const kept = 24 * time.Hour
	for name, c := range map[string]struct {
		rows string
		goes time.Duration
		make func(h *harness)
	}{
		"a sign-up that was not confirmed": {`SELECT count(*) FROM accounts`, account.UnconfirmedLife, func(h *harness) {
			require.NoError(h.t, h.Register(h.t.Context(), registration("amara", "amara@example.org")))
		}},
		"a code, a day after its life, so that it is said to be old": {`SELECT count(*) FROM codes`, account.CodeLife + kept, func(h *harness) { h.member("amara") }},
		"a request, a day after its life, so that a replay is known": {`SELECT count(*) FROM auth_requests`, oidcop.CodeLife + kept, func(h *harness) { h.answered(h.session(h.member("amara")), "code") }},
		"a change of an address, as a code": {`SELECT count(*) FROM address_changes`, account.CodeLife + kept, func(h *harness) {
			c := account.AddressChange{ID: newID(), UID: h.member("amara"), Email: "a@new.example", EmailKey: "a@new.example", At: now, ExpiresAt: now.Add(account.CodeLife)}
			code := func(kind account.CodeKind) account.Code {
				return account.Code{ID: newID(), Kind: kind, Hash: []byte("code"), ExpiresAt: c.ExpiresAt}
			}
			require.NoError(h.t, h.BeginAddressChange(h.t.Context(), c, code(account.CodeAddressPresent), code(account.CodeAddressNew)))
		}},
		"a session":       {`SELECT count(*) FROM sessions`, oidcop.SessionLife, func(h *harness) { h.session(h.member("amara")) }},
		"a refresh token": {`SELECT count(*) FROM refresh_tokens`, oidcop.RefreshLife, func(h *harness) { h.grant(h.session(h.member("amara")), "a") }},
		"a grant":         {`SELECT count(*) FROM grants`, oidcop.GrantLife, func(h *harness) { h.grant(h.session(h.member("amara")), "a") }},
		"counted attempts": {`SELECT count(*) FROM throttles`, hourly.Window, func(h *harness) {
			_, err := h.Spend(h.t.Context(), []byte("key"), hourly, now)
			require.NoError(h.t, err)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			c.make(h)
			testkit.Retain(t, h.db.Pool, postgres.Retention(), now.Add(c.goes-time.Microsecond))
			require.Equal(t, 1, h.count(c.rows))
			require.Positive(t, testkit.Retain(t, h.db.Pool, postgres.Retention(), now.Add(c.goes)), "and is counted")
			require.Zero(t, h.count(c.rows))
		})
	}
}
