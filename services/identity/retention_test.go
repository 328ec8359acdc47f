package identity_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/identity/internal/postgres"
	"serein.app/services/testkit"
)

func TestCleaningKeepsWhatIsAlive(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	b.member("amara")
	client := b.rp()
	b.browser().signIn(client, "amara")
	_, err := b.accounts.SignUp(t.Context(), form("lapsing", "lapsing@example.org"))
	require.NoError(t, err)
	testkit.Retain(t, b.db.Pool, postgres.Retention(), b.clock.Now())
	require.Equal(t, 2, b.count(`SELECT count(*) FROM accounts`))
	require.Equal(t, 1, b.count(`SELECT count(*) FROM grants`))

	b.clock.Advance(100 * 24 * time.Hour)
	testkit.Retain(t, b.db.Pool, postgres.Retention(), b.clock.Now())
	require.Equal(t, 1, b.count(`SELECT count(*) FROM accounts`), "confirmed accounts stay")
	for _, table := range []string{"grants", "refresh_tokens", "sessions", "auth_requests", "codes", "throttles"} {
		require.Zero(t, b.count(`SELECT count(*) FROM `+table), table)
	}
}
