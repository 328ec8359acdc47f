package billing

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/platform/auth"
)

func TestACorrectionByCommandIsAnEntryWithItsReasonOnceByItsKey(t *testing.T) {
	t.Parallel()
	r := start(t)
	uid, admin, key := r.onTrial(t), newMember(), uuid.NewString()
	ctx := auth.WithMember(t.Context(), uid)
	topUps := func() int64 {
		account, err := r.accounts(t, "gateway").GetAccount(ctx, &billingv1.GetAccountRequest{})
		require.NoError(t, err)
		return account.GetBalance().GetTopUpAvailable()
	}
	run := func(args ...string) (string, error) {
		return output(t, Program().Commands["correct"], map[string]string{"DATABASE_URL": r.URL}, args...)
	}
	for range 2 {
		said, err := run("--by", admin, "--key", key, uid, "12", "A meditation had a gap in it")
		require.NoError(t, err)
		require.Contains(t, said, "+12 credits")
		require.EqualValues(t, 12, topUps())
	}
	said, err := run("--by", admin, uid, "-30", "They were given to the wrong member")
	require.NoError(t, err)
	require.Contains(t, said, "-20 credits", "no more than there are, the trial's too")
	require.Zero(t, topUps())
	require.Equal(t, 12, count(t, r.Pool, `SELECT amount::int FROM entries WHERE uid = $1 AND description = 'A meditation had a gap in it'`, uid))
	require.Equal(t, 20, count(t, r.Pool, `SELECT sum(amount)::int FROM entries WHERE uid = $1 AND description = 'They were given to the wrong member'`, uid))
	require.Equal(t, 2, count(t, r.Pool, `SELECT count(*)::int FROM operator_acts WHERE actor = $1`, admin))

	for _, bad := range [][]string{
		{uid, "12", "why"},
		{"--by", admin, uid, "0", "why"},
		{"--by", admin, uid, "1001", "why"},
		{"--by", admin, uid, "1", " "},
		{"--by", admin, uid, "1", "no"},
		{"--by", admin, uid, "1", "a bell\a in it"},
		{"--by", admin, uid, "1", strings.Repeat("a", 201)},
		{"--by", admin, "nobody", "1", "why"},
		{"--by", admin, newMember(), "1", "why"},
		{"--by", admin, "--key", key, uid, "13", "why"},
	} {
		_, err := run(bad...)
		require.Error(t, err, bad)
	}
	require.Zero(t, topUps())
}
