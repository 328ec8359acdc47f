package postgres_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/plans"
	"serein.app/services/billing/internal/subscriptions"
)

const beginPaid = `INSERT INTO subscriptions (uid, plan_id, starts_at, ends_at, provider_id, period, price_id, renews, order_id)
	VALUES ($1, 'serein-core', '2027-03-01', '2027-04-01', $1::uuid::text, 'month', 'price', true, $1)`

// bring is how raw SQL, such as that of the release before, brings a plan into each status.
var bring = map[plans.Status][]string{
	plans.OnTrial:    {`INSERT INTO subscriptions (uid, plan_id, starts_at, ends_at) VALUES ($1, 'free-trial', '2027-03-01', '2027-03-08')`},
	plans.Active:     {beginPaid},
	plans.Cancelling: {beginPaid, `UPDATE subscriptions SET renews = false WHERE uid = $1`},
	plans.InGrace:    {beginPaid, `UPDATE subscriptions SET failed_at = '2027-04-01' WHERE uid = $1`},
	plans.Ended:      {beginPaid, `UPDATE subscriptions SET renews = false, ended_at = '2027-04-01' WHERE uid = $1`},
}

// become are the facts of each status.
var become = map[plans.Status]string{
	plans.OnTrial: `UPDATE subscriptions SET provider_id = NULL, period = NULL, price_id = NULL, order_id = NULL, renews = false, failed_at = NULL, ended_at = NULL,
		ended_reason = '' WHERE uid = $1`,
	plans.Active:     `UPDATE subscriptions SET renews = true, failed_at = NULL, ended_at = NULL, ended_reason = '' WHERE uid = $1`,
	plans.Cancelling: `UPDATE subscriptions SET renews = false, failed_at = NULL, ended_at = NULL, ended_reason = '' WHERE uid = $1`,
	plans.InGrace:    `UPDATE subscriptions SET renews = true, failed_at = '2027-04-01', ended_at = NULL, ended_reason = '' WHERE uid = $1`,
	plans.Ended:      `UPDATE subscriptions SET renews = false, failed_at = NULL, ended_at = '2027-04-01', ended_reason = 'x' WHERE uid = $1`,
}

// S1: the database enforces the same edges as the code, for every role. An ended membership stays ended: only another one can begin.
func TestRawSQLCannotBringAMembershipWhereItMayNotGo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.owner(t)
	for from := range bring {
		for to, sql := range become {
			if from == to || from == plans.OnTrial && to != plans.Ended {
				continue // what is bought over a trial is another membership
			}
			uid := uuid.New()
			for _, before := range bring[from] {
				_, err := owner.Exec(t.Context(), before, uid)
				require.NoError(t, err)
			}
			_, err := owner.Exec(t.Context(), sql, uid)
			allowed := from != plans.Ended && contains(subscriptions.Edges[from], to) || from == plans.Ended && to == plans.OnTrial
			if allowed {
				require.NoError(t, err, "%s to %s", from, to)
				require.Equal(t, string(to), b.text(t, `SELECT status FROM subscriptions WHERE uid = $1`, uid))
			} else {
				requireState(t, err, checkViolation, string(from)+" to "+string(to))
			}
		}
	}
}

func contains(all []plans.Status, one plans.Status) bool {
	for _, s := range all {
		if s == one {
			return true
		}
	}
	return false
}

func (b *harness) text(tb testing.TB, sql string, args ...any) (answer string) {
	tb.Helper()
	require.NoError(tb, b.Pool.QueryRow(tb.Context(), "SELECT x::text FROM ("+sql+") AS t(x)", args...).Scan(&answer))
	return answer
}

// The release before this one knows none of the new columns: what it writes has its access and its due moment all the same.
func TestWhatTheReleaseBeforeWritesFollowsTheRules(t *testing.T) {
	t.Parallel()
	b := setup(t)
	uid := uuid.New()
	row := func() string {
		return b.text(t, `SELECT concat_ws(' ', status, access_until AT TIME ZONE 'UTC', due_at AT TIME ZONE 'UTC', ended_at AT TIME ZONE 'UTC') FROM subscriptions WHERE uid = $1`, uid)
	}
	_, err := b.Pool.Exec(t.Context(), bring[plans.OnTrial][0], uid)
	require.NoError(t, err)
	require.Equal(t, "trial 2027-03-08 00:00:00 2027-03-06 00:00:00", row())
	_, err = b.Pool.Exec(t.Context(), `UPDATE subscriptions SET ended_at = ends_at WHERE uid = $1`, uid)
	require.NoError(t, err)
	require.Equal(t, "ended 2027-03-08 00:00:00 2027-03-08 00:00:00", row())
	// A membership is bought over the trial that is over.
	_, err = b.Pool.Exec(t.Context(), beginPaid+` ON CONFLICT (uid) DO UPDATE SET plan_id = excluded.plan_id, starts_at = excluded.starts_at, ends_at = excluded.ends_at,
		provider_id = excluded.provider_id, period = excluded.period, price_id = excluded.price_id, renews = excluded.renews, order_id = excluded.order_id`, uid)
	require.NoError(t, err)
	require.Equal(t, "active 2027-04-15 00:00:00 2027-04-01 00:00:00", row())
	// And its money goes back.
	_, err = b.Pool.Exec(t.Context(), `UPDATE subscriptions SET ends_at = '2027-03-20', renews = false WHERE uid = $1 AND provider_id = uid::text`, uid)
	require.NoError(t, err)
	require.Equal(t, "cancelling 2027-03-20 00:00:00 2027-04-01 00:00:00", row())
}

// An invoice's order is completed as every order is, and keeps what it was made by.
func TestAnInvoiceIsOneOrderAndNeedsNoCheckout(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.owner(t)
	add := func(cause, invoice string) error {
		_, err := owner.Exec(t.Context(), `WITH o AS (INSERT INTO orders (id, uid, idempotency_key, request, membership, total, delivery, ships, currency, vat_percent,
			live, created_at, expires_at, read_at, cause, invoice_id) VALUES (gen_random_uuid(), gen_random_uuid(), 'k', '', true, 799, 0, false, 'gbp', 20, false, now(), now(),
			now(), $1::order_cause, nullif($2, '')) RETURNING id)
			INSERT INTO order_lines SELECT id, 1, 'core', 'month', 'membership', 'Core', 1, 799, 20, 'price' FROM o`, cause, invoice)
		return err
	}
	require.NoError(t, add("renewal", "in_1"))
	requireState(t, add("renewal", "in_1"), uniqueViolation, "one invoice, one order")
	requireState(t, add("renewal", ""), checkViolation, "a renewal without an invoice")
	requireState(t, add("checkout", "in_2"), checkViolation, "a checkout with one")
	_, err := owner.Exec(t.Context(), `UPDATE orders SET cause = 'change' WHERE invoice_id = 'in_1'`)
	requireState(t, err, checkViolation, "another cause")
	_, err = owner.Exec(t.Context(), `UPDATE orders SET state = 'completed', payment_id = 'pi', paid_amount = 799, paid_currency = 'gbp', completed_at = now(),
		subscription_id = 'sub', period_start = now() WHERE invoice_id = 'in_1'`)
	require.NoError(t, err)
	require.NoError(t, add("checkout", ""))
	_, err = owner.Exec(t.Context(), `UPDATE orders SET state = 'completed', payment_id = 'pi_2', paid_amount = 799, paid_currency = 'gbp', completed_at = now(),
		subscription_id = 'sub', period_start = now() WHERE cause = 'checkout'`)
	requireState(t, err, checkViolation, "a checkout needs its page")
}

// A change's figures are checked where they are written.
func TestChangesOfPlanCreditsThatCannotBeAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	uid := b.member(t, 10)
	for _, sql := range []string{
		`SELECT change_plan_credits($1, 'sub', -1, 5, 'change:sub:1', $2::timestamptz + interval '1 day', '', '', $2)`,
		`SELECT change_plan_credits($1, 'sub', 1, -5, 'change:sub:1', $2::timestamptz + interval '1 day', '', '', $2)`,
		`SELECT change_plan_credits($1, 'sub', 1, 5, 'change:other:1', $2::timestamptz + interval '1 day', '', '', $2)`,
		`SELECT change_plan_credits($1, 'sub', 1, 5, 'change:sub:1', $2, '', '', $2)`,
		`SELECT reverse_period_credits($1, 'sub', 0, 'reversal:x', '', '', $2)`,
		`SELECT reverse_period_credits($1, 'sub', 5, 'gift:x', '', '', $2)`,
	} {
		_, err := b.Pool.Exec(t.Context(), sql, uid, b.now)
		requireState(t, err, "22023", sql)
	}
	requireSound(t, b, uid)
}

// The row keeps no card when its membership ends or another begins, also if the previous release writes the row.
func TestAMembershipsCardIsClearedWhenItEndsOrIsReplaced(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const card, cards = `UPDATE subscriptions SET card_id = 'pm_1', card_brand = 'visa', card_last4 = '4242', card_given = 'pm_0' WHERE uid = $1`,
		`SELECT concat_ws(' ', card_id, card_brand, card_last4, card_given) FROM subscriptions WHERE uid = $1`
	for name, sql := range map[string]string{
		"it ends":           become[plans.Ended],
		"another is bought": `UPDATE subscriptions SET provider_id = 'sub_2' WHERE uid = $1`,
		"it will end":       `UPDATE subscriptions SET renews = false WHERE uid = $1`,
	} {
		uid := uuid.New()
		for _, before := range []string{beginPaid, card} {
			_, err := b.Pool.Exec(t.Context(), before, uid)
			require.NoError(t, err)
		}
		_, err := b.Pool.Exec(t.Context(), sql, uid)
		require.NoError(t, err, name)
		want := ""
		if name == "it will end" {
			want = "pm_1 visa 4242 pm_0"
		}
		require.Equal(t, want, strings.TrimSpace(b.text(t, cards, uid)), name)
	}
	uid := uuid.New()
	_, err := b.Pool.Exec(t.Context(), bring[plans.OnTrial][0], uid)
	require.NoError(t, err)
	_, err = b.Pool.Exec(t.Context(), card, uid)
	require.NoError(t, err)
	require.Empty(t, strings.TrimSpace(b.text(t, cards, uid)), "a trial is charged to none")
	_, err = b.Pool.Exec(t.Context(), `UPDATE subscriptions SET card_last4 = '4242' WHERE uid = $1`, uid)
	requireState(t, err, checkViolation, "digits of no card")
}
