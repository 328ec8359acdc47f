package postgres_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

const checkViolation, uniqueViolation = "23514", "23505"

// order writes an order of one thing as the service does, and gives its id.
func (b *harness) order(tb testing.TB) uuid.UUID {
	tb.Helper()
	id := uuid.Must(uuid.NewV7())
	tx, err := b.Pool.Begin(tb.Context())
	require.NoError(tb, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(tb.Context())) }()
	_, err = tx.Exec(tb.Context(), `INSERT INTO orders (id, uid, idempotency_key, request, membership, total, delivery, ships, currency, vat_percent, live,
		created_at, expires_at, read_at) VALUES ($1, $1, 'key', '', false, 1595, 395, true, 'gbp', 20, false, now(), now(), now())`, id)
	require.NoError(tb, err)
	_, err = tx.Exec(tb.Context(), `INSERT INTO order_lines VALUES ($1, 1, 'tote', '', 'product', 'Tote', 1, 1200, 0, 'price')`, id)
	require.NoError(tb, err)
	require.NoError(tb, tx.Commit(tb.Context()))
	return id
}

const payOrder = `UPDATE orders SET state = 'completed', session_id = id::text, session_url = 'u', payment_id = id::text, paid_amount = total,
	paid_currency = currency, completed_at = now() WHERE id = $1`

func TestTheServicesOwnRoleCannotRewriteAnOrderOrAPrice(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order(t)
	_, err := b.Pool.Exec(t.Context(), payOrder, id)
	require.NoError(t, err)
	for _, statement := range []string{
		`UPDATE orders SET total = 1`,
		`UPDATE orders SET uid = gen_random_uuid()`,
		`UPDATE orders SET number = 1`,
		`UPDATE orders SET live = true`,
		`UPDATE orders SET currency = 'jpy'`,
		`UPDATE orders SET membership = true`,
		`DELETE FROM orders`,
		`TRUNCATE orders CASCADE`,
		`UPDATE order_lines SET quantity = 2`,
		`DELETE FROM order_lines`,
		`TRUNCATE order_lines`,
		`UPDATE items SET amount = 1`,
		`UPDATE items SET credits = 1000`,
		`INSERT INTO items SELECT * FROM items`,
		`DELETE FROM items`,
		`TRUNCATE items`,
		`UPDATE webhook_events SET id = 'another'`,
		`UPDATE webhook_events SET refused = ''`,
		`TRUNCATE webhook_events`,
		`TRUNCATE customers`,
		`TRUNCATE departed`,
		`TRUNCATE departures`,
		`TRUNCATE leaving`,
		`TRUNCATE provider_progress`,
		`ALTER TABLE orders DISABLE TRIGGER ALL`,
		`DROP TRIGGER orders_rules ON orders`,
		`ALTER TABLE orders DROP CONSTRAINT orders_paid`,
		`ALTER SEQUENCE order_numbers RESTART`,
		`SELECT setval('order_numbers', 1)`,
	} {
		_, err := b.Pool.Exec(t.Context(), statement)
		requireState(t, err, insufficientPrivilege, statement)
	}
}

// The database enforces, for every role, an order's states and its sum, and that unpaid orders grant nothing.
func TestRawSQLCannotBringAnOrderWhereItMayNotGo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.owner(t)
	for name, c := range map[string]struct {
		before []string
		sql    string
	}{
		"completed without a payment": {nil, `UPDATE orders SET state = 'completed' WHERE id = $1`},
		"completed for less":          {nil, `UPDATE orders SET state = 'completed', session_id = 's', session_url = 'u', payment_id = 'p', paid_amount = 1, paid_currency = 'gbp', completed_at = now() WHERE id = $1`},
		"completed in another currency": {nil, `UPDATE orders SET state = 'completed', session_id = 's', session_url = 'u', payment_id = 'p', paid_amount = total,
			paid_currency = 'jpy', completed_at = now() WHERE id = $1`},
		"paid while it is open":       {nil, `UPDATE orders SET payment_id = 'p' WHERE id = $1`},
		"a page without an address":   {nil, `UPDATE orders SET session_id = 's' WHERE id = $1`},
		"refunded while it is open":   {nil, `UPDATE orders SET refunded = 1 WHERE id = $1`},
		"back to open":                {[]string{payOrder}, `UPDATE orders SET state = 'open', completed_at = NULL, payment_id = NULL, paid_amount = NULL WHERE id = $1`},
		"closed after it was given":   {[]string{payOrder}, `UPDATE orders SET state = 'closed' WHERE id = $1`},
		"returned after it was given": {[]string{payOrder}, `UPDATE orders SET state = 'returning' WHERE id = $1`},
		"opened again":                {[]string{`UPDATE orders SET state = 'closed' WHERE id = $1`}, `UPDATE orders SET state = 'open' WHERE id = $1`},
		"processing back to open":     {[]string{`UPDATE orders SET state = 'processing' WHERE id = $1`}, `UPDATE orders SET state = 'open' WHERE id = $1`},
		"closed and then processing":  {[]string{`UPDATE orders SET state = 'closed' WHERE id = $1`}, `UPDATE orders SET state = 'processing' WHERE id = $1`},
		"another payment":             {[]string{payOrder}, `UPDATE orders SET payment_id = 'other' WHERE id = $1`},
		"another page":                {[]string{payOrder}, `UPDATE orders SET session_id = 'other' WHERE id = $1`},
		"completed at another time":   {[]string{payOrder}, `UPDATE orders SET completed_at = now() + interval '1 day' WHERE id = $1`},
		"more refunded than paid":     {[]string{payOrder}, `UPDATE orders SET refunded = total + 1 WHERE id = $1`},
		"less refunded than before":   {[]string{payOrder, `UPDATE orders SET refunded = 100 WHERE id = $1`}, `UPDATE orders SET refunded = 99 WHERE id = $1`},
		"another total":               {nil, `UPDATE orders SET total = 1 WHERE id = $1`},
		"a further line":              {nil, `INSERT INTO order_lines VALUES ($1, 2, 'tote', '', 'product', 'Tote', 1, 1, 0, 'price')`},
		"more of a line":              {nil, `UPDATE order_lines SET quantity = 2 WHERE order_id = $1`},
		"a membership for a thing":    {nil, `UPDATE order_lines SET kind = 'membership' WHERE order_id = $1`},
		"none of a line":              {nil, `UPDATE order_lines SET quantity = 0 WHERE order_id = $1`},
		"an order without lines": {nil, `INSERT INTO orders (id, uid, idempotency_key, request, membership, total, delivery, ships, currency, vat_percent, live,
			created_at, expires_at, read_at) SELECT gen_random_uuid(), uid, 'other', '', false, 1, 0, false, 'gbp', 0, false, now(), now(), now() FROM orders WHERE id = $1`},
		"an order that begins closed": {nil, `INSERT INTO orders (id, uid, idempotency_key, request, membership, state, total, delivery, ships, currency, vat_percent, live,
			created_at, expires_at, read_at) SELECT gen_random_uuid(), uid, 'other', '', false, 'closed', 1, 0, false, 'gbp', 0, false, now(), now(), now() FROM orders WHERE id = $1`},
	} {
		id := b.order(t)
		for _, sql := range c.before {
			_, err := owner.Exec(t.Context(), sql, id)
			require.NoError(t, err, name)
		}
		_, err := owner.Exec(t.Context(), c.sql, id)
		requireState(t, err, checkViolation, name)
	}
}

func TestWhatIsOnceAtTheProviderIsOnceHere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, second := b.order(t), b.order(t)
	_, err := b.Pool.Exec(t.Context(), payOrder, first)
	require.NoError(t, err)
	for _, sql := range []string{
		`UPDATE orders SET session_id = (SELECT session_id FROM orders WHERE id = $2), session_url = 'u' WHERE id = $1`,
		`UPDATE orders SET state = 'completed', session_id = 's', session_url = 'u', payment_id = (SELECT payment_id FROM orders WHERE id = $2), paid_amount = total,
			paid_currency = currency, completed_at = now() WHERE id = $1`,
		`INSERT INTO orders (id, uid, idempotency_key, request, membership, total, delivery, ships, currency, vat_percent, live, created_at, expires_at, read_at)
			SELECT gen_random_uuid(), uid, idempotency_key, '', false, 1, 0, false, 'gbp', 0, false, now(), now(), now() FROM orders WHERE id IN ($1, $2)`,
	} {
		_, err := b.Pool.Exec(t.Context(), sql, second, first)
		requireState(t, err, uniqueViolation, sql)
	}
	_, err = b.Pool.Exec(t.Context(), `INSERT INTO customers VALUES ($1, 'cus', now())`, first)
	require.NoError(t, err)
	_, err = b.Pool.Exec(t.Context(), `INSERT INTO customers VALUES ($1, 'cus', now())`, second)
	requireState(t, err, uniqueViolation, "one customer, one member")
}

// Credits are taken back from what a grant gave, and nobody else's.
func TestAReversalTakesWhatItsGrantGaveAndNoMore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	uid, other := b.member(t, 10), b.member(t, 10)
	take := func(whose uuid.UUID, grant string, amount int, cause string) (outcome string, taken int64) {
		require.NoError(t, b.Pool.QueryRow(t.Context(), `SELECT outcome, taken FROM reverse_credits($1, 'top_up', $2, $3, $4, '', '', $5)`,
			whose, grant, amount, cause, b.now).Scan(&outcome, &taken))
		return outcome, taken
	}
	gift := "gift:" + uid.String()
	_, taken := take(other, gift, 5, "reversal:a")
	require.Zero(t, taken, "another's grant")
	_, taken = take(uid, "gift:unknown", 5, "reversal:b")
	require.Zero(t, taken)
	_, taken = take(uid, gift, 11, "reversal:c")
	require.Zero(t, taken, "more than it gave")
	_, taken = take(uid, gift, 6, "reversal:d")
	require.Equal(t, int64(6), taken)
	outcome, taken := take(uid, gift, 6, "reversal:d")
	require.Equal(t, "repeated", outcome)
	require.Zero(t, taken)
	_, taken = take(uid, gift, 6, "reversal:e")
	require.Equal(t, int64(4), taken, "as far as it is there")
	requireSound(t, b, uid)
	requireSound(t, b, other)
	for _, sql := range []string{
		`SELECT reverse_credits($1, 'top_up', 'x', 0, 'reversal:x', '', '', now())`,
		`SELECT reverse_credits($1, 'top_up', 'x', -5, 'reversal:x', '', '', now())`,
		`SELECT reverse_credits($1, 'spent', 'x', 5, 'reversal:x', '', '', now())`,
		`SELECT reverse_credits($1, 'top_up', 'x', 5, 'gift:x', '', '', now())`,
	} {
		_, err := b.Pool.Exec(t.Context(), sql, uid)
		requireState(t, err, "22023", sql)
	}
	_, err := b.owner(t).Exec(t.Context(), `INSERT INTO entries VALUES ($1, 99, 'x', 'top_up', 'issued', 1, 0, now(), '', '')`, uid)
	requireState(t, err, checkViolation, "nothing goes back to issued without a reversal")
}
