package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/oidcop"
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
			_, err := h.Clean(t.Context(), now.Add(c.goes-time.Microsecond))
			require.NoError(t, err)
			require.Equal(t, 1, h.count(c.rows))
			rows, err := h.Clean(t.Context(), now.Add(c.goes))
			require.NoError(t, err)
			require.Positive(t, rows, "and is counted")
			require.Zero(t, h.count(c.rows))
		})
	}
}

func TestOneTableThatCannotBeCleanedKeepsNoOther(t *testing.T) {
	t.Parallel()
	h := setup(t)
	_, err := h.Spend(t.Context(), []byte("key"), hourly, now)
	require.NoError(t, err)
	require.NoError(t, h.Register(t.Context(), registration("amara", "amara@example.org")))
	owner, err := pgx.Connect(t.Context(), h.db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.Background()) })
	_, err = owner.Exec(t.Context(), `REVOKE DELETE ON sessions FROM identity`)
	require.NoError(t, err)
	rows, err := h.Clean(t.Context(), now.Add(365*24*time.Hour))
	require.ErrorContains(t, err, "sessions")
	require.EqualValues(t, 2, rows)
	require.Zero(t, h.count(`SELECT count(*) FROM accounts`)+h.count(`SELECT count(*) FROM throttles`))
}
