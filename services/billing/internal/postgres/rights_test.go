package postgres_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/credits"
)

const insufficientPrivilege = "42501"

func TestTheServicesOwnRoleCannotRewriteHistory(t *testing.T) {
	t.Parallel()
	b := setup(t)
	uid := b.member(t, 3)
	_, _, err := b.store.Hold(t.Context(), request(uid, 1, "work"))
	require.NoError(t, err)
	for _, statement := range []string{
		`UPDATE entries SET amount = amount + 1`,
		`UPDATE entries SET at = at`,
		`DELETE FROM entries`,
		`TRUNCATE entries`,
		`TRUNCATE entries CASCADE`,
		`INSERT INTO entries SELECT uid, position + 1, 'forged', from_account, to_account, amount, balance_after, at, '', '' FROM entries`,
		`MERGE INTO entries e USING entries o ON e.uid = o.uid WHEN MATCHED THEN DELETE`,
		`UPDATE balances SET top_up_available = 1000`,
		`DELETE FROM balances`,
		`TRUNCATE balances`,
		`INSERT INTO balances (uid, changed_at) VALUES (gen_random_uuid(), now())`,
		`UPDATE holds SET state = 'released', ended_at = now()`,
		`DELETE FROM holds`,
		`UPDATE plans SET trial_credits = 1000`,
		`UPDATE plan_prices SET amount = 1`,
		`INSERT INTO plan_prices VALUES ('free-trial', 'month', 1, 'gbp', 1000)`,
		`DELETE FROM plan_prices`,
		`TRUNCATE plan_prices`,
		`UPDATE trials SET started_at = now()`,
		`DELETE FROM trials`,
		`TRUNCATE trials`,
		`UPDATE mailboxes SET mailbox_key = mailbox_key`,
		`UPDATE cards SET card = card`,
		`UPDATE referrals SET referrer = gen_random_uuid()`,
		`DELETE FROM referrals`,
		`TRUNCATE referrals`,
		`UPDATE operator_acts SET reason = 'another'`,
		`DELETE FROM operator_acts`,
		`TRUNCATE operator_acts`,
		`UPDATE notes SET at = at`,
		`DELETE FROM notes`,
		`TRUNCATE notes`,
		`INSERT INTO notes SELECT uid, position, number + 1, kind, 'release:forged', 1, 0, balance_after, at, '', '' FROM notes`,
		`SELECT note(uid, 'release', 'release:forged', now(), 1, 0, '', '') FROM balances`,
		`ALTER TABLE notes DISABLE TRIGGER notes_append_only`,
		`SELECT note_grant()`,
		`ALTER TABLE entries DISABLE TRIGGER entries_note_grant`,
		`ALTER TABLE entries DISABLE TRIGGER ALL`,
		`ALTER TABLE entries DISABLE TRIGGER entries_append_only`,
		`DROP TRIGGER entries_append_only ON entries`,
		`DROP TABLE entries CASCADE`,
		`CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'`,
		`SET session_replication_role = replica`,
		`SET ROLE billing_owner`,
		`SELECT book(uid, 'forged', 'issued', now(), '', '', 0, 0, 100, 0) FROM balances`,
		`SELECT end_plan_credits(uid, now()) FROM balances`,
		`SELECT end_hold(h, 'released', now(), gen_random_uuid(), '') FROM holds h`,
		`SELECT emit(gen_random_uuid(), 'serein.billing.credits.granted.v1', '')`,
	} {
		_, err := b.Pool.Exec(t.Context(), statement)
		requireState(t, err, insufficientPrivilege, statement)
	}
	require.Equal(t, credits.Balance{TopUpAvailable: 2, Held: 1}, b.balance(t, uid))
	requireSound(t, b, uid)

	rows, err := b.Pool.Query(t.Context(), `SELECT proname::text FROM pg_proc
		WHERE prolang = (SELECT oid FROM pg_language WHERE lanname = 'plpgsql') AND proowner = 'billing_owner'::regrole
		AND proname !~ '^river_' AND has_function_privilege('billing', oid, 'EXECUTE') ORDER BY 1`)
	require.NoError(t, err)
	callable, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Equal(t, []string{
		"change_plan_credits", "end_plan", "grant_credits", "hold_and_balance", "hold_credits", "move_plan_expiry", "note_act",
		"note_failed_renewal", "refund_hold", "release_hold", "reverse_credits", "reverse_period_credits", "settle_credits", "spend_hold", "take_catalogue", "take_credits",
	}, callable)
}

// A temporary table of the service's role must not stand in for a table of the ledger inside
// the functions, which run with the owner's rights.
func TestTemporaryTablesDoNotDeceiveTheFunctions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	uid := b.member(t, 1)
	conn, err := b.Pool.Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	_, err = conn.Exec(t.Context(), `CREATE TEMPORARY TABLE balances AS SELECT * FROM public.balances`)
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), `UPDATE pg_temp.balances SET top_up_available = 1000`)
	require.NoError(t, err)
	var outcome string
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT outcome FROM hold_credits(gen_random_uuid(), $1, 50, 'key', 'r', 'd',
		now(), now() + interval '1 hour', ARRAY[gen_random_uuid()], ARRAY[''::bytea])`, uid).Scan(&outcome))
	require.Equal(t, "insufficient", outcome)
}

func TestEvenTheOwnerCannotRewriteHistory(t *testing.T) {
	t.Parallel()
	b := setup(t)
	uid := b.member(t, 3)
	owner := b.owner(t)
	for _, statement := range []string{
		`UPDATE entries SET amount = amount + 1`,
		`UPDATE entries SET amount = amount WHERE false`,
		`DELETE FROM entries`,
		`TRUNCATE entries`,
		`UPDATE notes SET at = at`,
		`DELETE FROM notes`,
		`TRUNCATE notes`,
	} {
		_, err := owner.Exec(t.Context(), statement)
		requireState(t, err, insufficientPrivilege, statement)
	}
	requireSound(t, b, uid)
}

// The types and constraints refuse amounts that make no sense even from the owner's raw SQL.
func TestRawSQLCannotWriteImpossibleAmounts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	uid := b.member(t, 3)
	owner := b.owner(t)
	const checkViolation, uniqueViolation = "23514", "23505"
	entry := `INSERT INTO entries VALUES ($1, 2, `
	for statement, state := range map[string]string{
		`UPDATE balances SET top_up_available = -1 WHERE uid = $1`:                           checkViolation,
		`UPDATE balances SET plan_held = -1 WHERE uid = $1`:                                  checkViolation,
		entry + `'x', 'issued', 'plan', 0, 3, now(), '', '')`:                                checkViolation,
		entry + `'x', 'issued', 'plan', -1, 3, now(), '', '')`:                               checkViolation,
		entry + `'x', 'issued', 'spent', 1, 3, now(), '', '')`:                               checkViolation,
		entry + `'x', 'plan', 'top_up', 1, 3, now(), '', '')`:                                checkViolation,
		entry + `'x', 'spent', 'plan', 1, 3, now(), '', '')`:                                 checkViolation,
		entry + `'refund:x', 'spent', 'expired', 1, 3, now(), '', '')`:                       checkViolation,
		entry + `'refund:x', 'expired', 'plan', 1, 3, now(), '', '')`:                        checkViolation,
		entry + `'x', 'plan', 'plan', 1, 3, now(), '', '')`:                                  checkViolation,
		entry + `'x', 'spent', 'expired', 1, 3, now(), '', '')`:                              checkViolation,
		entry + `'gift:' || $1::uuid, 'issued', 'plan', 1, 3, now(), '', '')`:                uniqueViolation,
		`INSERT INTO entries SELECT * FROM entries WHERE uid = $1`:                           uniqueViolation,
		`INSERT INTO notes VALUES ($1, 1, 1, 'release', 'x', 0, 0, 3, now(), '', '')`:        checkViolation,
		`INSERT INTO notes VALUES ($1, 1, 1, 'release', 'x', -1, 3, 3, now(), '', '')`:       checkViolation,
		`INSERT INTO notes VALUES ($1, 1, 1, 'failed_renewal', 'x', 1, 0, 3, now(), '', '')`: checkViolation,
		`INSERT INTO notes VALUES ($1, 1, 0, 'failed_renewal', 'x', 0, 0, 3, now(), '', '')`: checkViolation,
		`SELECT note_failed_renewal($1, 'x', '', now())`:                                     "22023",
		`SELECT note_act($1, 'plan_end', 'trial:x', '', now())`:                              "22023",
		`SELECT note_act($1, 'reward_taken_back', 'reversal:order:x', '', now())`:            "22023",
		`SELECT note_act($1, 'release', 'operator:x', '', now())`:                            "22023",
		`SELECT grant_credits($1, 'top_up', 0, 'x', NULL, '', '', now())`:                    "22023",
		`SELECT grant_credits($1, 'top_up', -5, 'x', NULL, '', '', now())`:                   "22023",
		`SELECT grant_credits($1, 'plan', 5, 'x', NULL, '', '', now())`:                      "22023",
		`SELECT grant_credits($1, 'plan', 5, 'x', now(), '', '', now())`:                     "22023",
		`SELECT grant_credits($1, 'top_up', 5, 'x', now(), '', '', now())`:                   "22023",
		`SELECT grant_credits($1, 'top_up', 9223372036854775807, 'x', NULL, '', '', now())`:  "22003",
	} {
		_, err := owner.Exec(t.Context(), statement, uid)
		requireState(t, err, state, statement)
	}
	requireSound(t, b, uid)
}

func TestHoldsOfImpossibleAmountsAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	uid := b.member(t, 3)
	for _, amount := range []int64{0, -1, -1 << 62} {
		var outcome string
		err := b.Pool.QueryRow(t.Context(), `SELECT outcome FROM hold_credits(gen_random_uuid(), $1, $2, 'key', 'r', 'd',
			$3, $4, ARRAY[gen_random_uuid()], ARRAY[''::bytea])`, uid, amount, b.now, b.now.Add(time.Hour)).Scan(&outcome)
		require.Error(t, err, "amount %d: %s", amount, outcome)
	}
	require.Equal(t, credits.Balance{TopUpAvailable: 3}, b.balance(t, uid))
}

func requireState(t *testing.T, err error, state, statement string) {
	t.Helper()
	var pe *pgconn.PgError
	require.ErrorAs(t, err, &pe, statement)
	require.Equal(t, state, pe.Code, "%s: %s", statement, pe.Message)
}
