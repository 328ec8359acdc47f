package postgres_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"serein.app/services/identity/internal/postgres"
	"serein.app/services/testkit/year"
)

// yearOfAccounts is a year of members who signed up, sign in and were let in, with what ended and lapsed
// meanwhile.
var yearOfAccounts = []string{
	`INSERT INTO accounts (uid, username, username_key, email, email_key, given_name, family_name, password_hash, referral_code, created_at, confirmed_at)
		SELECT md5('m' || n)::uuid, 'm' || n, 'm' || n, n || '@example.org', n || '@example.org', 'A', 'L', 'hash', 'm' || n, at, at
		FROM (SELECT n, now() - interval '365 days' * (1 - n / $1::float8) AS at FROM generate_series(1, $1::int, 2) n) AS year`,
	`INSERT INTO accounts (uid, username, username_key, email, email_key, given_name, family_name, password_hash, referral_code, created_at, lapses_at)
		SELECT md5('lapsed' || n)::uuid, 'lapsed' || n, 'lapsed' || n, 'l' || n, 'l' || n, 'A', 'L', 'hash', 'lapsed' || n, at, at + interval '1 day'
		FROM (SELECT n, now() - interval '365 days' * (1 - n / $1::float8) AS at FROM generate_series(1, $1::int, 10) n) AS year`,
	`INSERT INTO accounts (uid, username, username_key, email, email_key, given_name, family_name, password_hash, referral_code, created_at, lapses_at)
		SELECT md5('new')::uuid, 'new', 'new', 'new@example.org', 'new@example.org', 'A', 'L', 'hash', 'new', now(), now() + interval '1 day'`,
	`INSERT INTO codes (id, uid, hash, created_at, expires_at) SELECT md5('c' || username)::uuid, uid, 'hash', created_at, created_at + interval '15 minutes' FROM accounts WHERE username <> 'm3'`,
	`INSERT INTO consents (uid, kind, version, given_at) SELECT uid, kind, '2026-01-01', created_at FROM accounts, unnest('{age_16,terms}'::text[]) kind`,
	`INSERT INTO client_consents (uid, client_id, scopes, given_at) SELECT uid, 'app', '{openid}', created_at FROM accounts`,
	`INSERT INTO throttles SELECT convert_to('k' || n, 'UTF8'), 1, at, at
		FROM (SELECT n, now() - interval '365 days' * (1 - n / $1::float8) AS at FROM generate_series(1, $1::int) n) AS year`,
	`INSERT INTO signing_keys SELECT 'k' || n, 'sealed', 'public', now() - n * interval '30 days', CASE WHEN n > 0 THEN now() - (n - 1) * interval '30 days' END FROM generate_series(0, 12) n`,
	`INSERT INTO sessions SELECT md5('s' || n)::uuid, convert_to('s' || n, 'UTF8'), md5('m' || 2 * n + 1)::uuid, at, at + interval '12 hours'
		FROM (SELECT n, now() - interval '365 days' * (1 - n / $1::float8) AS at FROM generate_series(1, $1::int) n) AS year`,
	`INSERT INTO sessions SELECT md5('live')::uuid, 'live', md5('m1')::uuid, now(), now() + interval '12 hours'`,
	`INSERT INTO grants (id, uid, client_id, sid, scopes, auth_time, created_at, expires_at)
		SELECT md5('g' || n)::uuid, md5('m' || n % ($1::int / 2) * 2 + 1)::uuid, 'gateway', md5('s' || n)::uuid, '{openid}', at, at, at + interval '90 days'
		FROM (SELECT n, now() - interval '365 days' * (1 - n / $1::float8) AS at FROM generate_series(1, $1::int) n) AS year`,
	`INSERT INTO refresh_tokens (hash, grant_id, expires_at) SELECT convert_to(id::text || n, 'UTF8'), id, created_at + interval '30 days' FROM grants, generate_series(1, 2) n`,
	`INSERT INTO auth_requests (id, client_id, redirect_uri, scopes, state, nonce, code_challenge, created_at, expires_at, uid, sid, auth_time, code_hash, grant_id)
		SELECT id, client_id, 'https://app.test/', scopes, 's', 'n', 'c', created_at, created_at + interval '1 minute', uid, sid, created_at, convert_to(id::text, 'UTF8'), id FROM grants`,
	`INSERT INTO role_changes (uid, role, granted, changed_by, note, changed_at) SELECT md5('m' || n)::uuid, 'admin', true, 'o', '', now() FROM generate_series(1, 100) n`,
}

func TestAfterAYearEveryStatementTouchesWhatItTouchedInTheFirstWeek(t *testing.T) {
	t.Parallel()
	y := year.Open(t, "identity", postgres.Migrate, yearOfAccounts...)
	now, uid, grant := time.Now(), year.ID("m1"), year.ID("g1")
	scopes := []string{"openid"}
	y.CheckQueries("sqlcgen", year.Values{
		"uid": uid, "now": now, "emailkey": "1@example.org", "usernamekey": "m1", "newhash": "new", "oldhash": "hash", "since": now.Add(-time.Hour),
		"FreeLapsedUsername.usernamekey": "lapsed1", "DeleteUnconfirmed.uid": year.ID("new"), "ConfirmAccount.uid": year.ID("new"),
		"InsertAccount.uid": uuid.New(), "username": "amara", "InsertAccount.usernamekey": "amara", "email": "a@example.org", "InsertAccount.emailkey": "a@example.org",
		"givenname": "A", "familyname": "L", "passwordhash": "hash", "referralcode": "amara", "reserved": false, "createdat": now, "lapsesat": now.Add(time.Hour),
		"id": year.ID("cm1"), "InsertCode.id": uuid.New(), "InsertCode.uid": year.ID("m3"), "hash": []byte(grant.String() + "1"), "expiresat": now.Add(time.Hour),
		"kind": "terms", "given": true, "version": "2026-01-01", "givenat": now,
		"InsertKey.id": "new", "RetireOtherKeys.id": "k0", "sealed": []byte("s"), "public": []byte("p"), "retiresat": now,
		"codehash": []byte(grant.String()), "clientid": "app", "scopes": scopes, "sid": year.ID("live"), "grantid": grant,
		"ExchangeCode.id": grant, "LiveGrant.id": grant, "RevokeGrant.id": grant, "InsertAnsweredRequest.id": uuid.New(), "InsertAnsweredRequest.codehash": []byte("new"),
		"redirecturi": "https://app.test/", "state": "s", "nonce": "n", "codechallenge": "c", "authtime": now,
		"InsertGrant.id": uuid.New(), "InsertRefreshToken.hash": []byte("new"), "InsertSession.sid": uuid.New(), "InsertSession.cookiehash": []byte("new"),
		"cookiehash": []byte("live"), "RevokeGrantsOfSession.sid": year.ID("s1"), "next": []byte("next"),
		"role": "admin", "granted": true, "changedby": "o", "note": "", "changedat": now, "admin": true,
		"key": []byte("k1"), "windowseconds": 60.0, "free": 5, "delayseconds": 1.0, "maxdelayseconds": 900.0,
	})
	y.CheckRetention(postgres.Retention())
}
