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
	`INSERT INTO codes (id, uid, hash, created_at, expires_at) SELECT md5('c' || username)::uuid, uid, 'hash', created_at, created_at + interval '10 minutes' FROM accounts WHERE username <> 'm3'`,
	`INSERT INTO address_changes (id, uid, email, email_key, reserved, created_at, expires_at, ended_at) SELECT md5('a' || username)::uuid, uid, 'e', 'e', false, created_at, created_at, created_at FROM accounts WHERE username <> 'm1'`,
	`INSERT INTO address_changes (id, uid, email, email_key, reserved, created_at, expires_at) SELECT md5('am1')::uuid, uid, 'e', 'e', false, now(), now() FROM accounts WHERE username = 'm1'`,
	`INSERT INTO consents (uid, kind, version, given_at) SELECT uid, kind, '2026-01-01', created_at FROM accounts, unnest('{age_16,terms}'::text[]) kind`,
	`INSERT INTO client_consents (uid, client_id, scopes, given_at) SELECT uid, 'app', '{openid}', created_at FROM accounts`,
	`INSERT INTO throttles SELECT convert_to('k' || n, 'UTF8'), 1, at, at
		FROM (SELECT n, now() - interval '365 days' * (1 - n / $1::float8) AS at FROM generate_series(1, $1::int) n) AS year`,
	`INSERT INTO signing_keys SELECT 'k' || n, 'sealed', 'public', now() - n * interval '30 days', CASE WHEN n > 0 THEN now() - (n - 1) * interval '30 days' END FROM generate_series(0, 12) n`,
	`INSERT INTO es256_keys SELECT 'k' || n, 'sealed', 'public', now() - n * interval '30 days', CASE WHEN n > 0 THEN now() - (n - 1) * interval '30 days' END FROM generate_series(0, 12) n`,
	`INSERT INTO sessions (sid, cookie_hash, uid, auth_time, expires_at, began_at, used_at, ends_at)
		SELECT md5('s' || n)::uuid, convert_to('s' || n, 'UTF8'), md5('m' || 2 * n + 1)::uuid, at, at + interval '12 hours', at, at, at + interval '30 days'
		FROM (SELECT n, now() - interval '365 days' * (1 - n / $1::float8) AS at FROM generate_series(1, $1::int) n) AS year`,
	`INSERT INTO sessions (sid, cookie_hash, uid, auth_time, expires_at) SELECT md5('live')::uuid, 'live', md5('m1')::uuid, now(), now() + interval '12 hours'`,
	`INSERT INTO grants (id, uid, client_id, sid, scopes, auth_time, created_at, expires_at)
		SELECT md5('g' || n)::uuid, md5('m' || n % ($1::int / 2) * 2 + 1)::uuid, 'gateway', md5('s' || n)::uuid, '{openid}', at, at, at + interval '90 days'
		FROM (SELECT n, now() - interval '365 days' * (1 - n / $1::float8) AS at FROM generate_series(1, $1::int) n) AS year`,
	`INSERT INTO refresh_tokens (hash, grant_id, expires_at) SELECT convert_to(id::text || n, 'UTF8'), id, created_at + interval '30 days' FROM grants, generate_series(1, 2) n`,
	`INSERT INTO auth_requests (id, client_id, redirect_uri, scopes, state, nonce, code_challenge, created_at, expires_at, uid, sid, auth_time, code_hash, grant_id)
		SELECT id, client_id, 'https://app.test/', scopes, 's', 'n', 'c', created_at, created_at + interval '1 minute', uid, sid, created_at, convert_to(id::text, 'UTF8'), id FROM grants`,
	`INSERT INTO passkeys SELECT md5('p' || username)::uuid, uid, convert_to('p' || username, 'UTF8'), 'key', 0, true, true, '{internal}', 'Phone', created_at FROM accounts WHERE confirmed_at IS NOT NULL`,
	`INSERT INTO authenticators SELECT uid, 'sealed', 1, created_at FROM accounts WHERE confirmed_at IS NOT NULL`,
	`INSERT INTO recovery_codes SELECT uid, convert_to('r' || n, 'UTF8') FROM authenticators, generate_series(1, 10) n`,
	`INSERT INTO used_challenges SELECT convert_to('c' || n, 'UTF8'), at FROM (SELECT n, now() - interval '365 days' * (1 - n / $1::float8) AS at FROM generate_series(1, $1::int) n) AS year`,
	`INSERT INTO role_changes (uid, role, granted, changed_by, note, changed_at) SELECT md5('m' || n)::uuid, 'admin', true, 'o', '', now() FROM generate_series(1, 100) n`,
	`UPDATE accounts SET deletes_at = now() - interval '1 hour' WHERE uid IN (SELECT md5('m' || n)::uuid FROM generate_series(101, 181, 2) n)`,
	`INSERT INTO deletions (id, uid, began_at, next_tell_at)
		SELECT md5('d' || n)::uuid, md5('m' || n)::uuid, now() - interval '1 hour', now() - interval '1 minute' FROM generate_series(101, 105, 2) n`,
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
		"givenname": "A", "familyname": "L", "passwordhash": "hash", "referralcode": "amara", "reserved": false, "invitedby": nil, "MemberOfReferralCode.referralcode": "m1", "createdat": now, "lapsesat": now.Add(time.Hour),
		"id": year.ID("cm1"), "InsertCode.id": uuid.New(), "InsertCode.uid": year.ID("m3"), "hash": []byte(grant.String() + "1"), "expiresat": now.Add(time.Hour),
		"InsertCode.kind": "confirmation", "InsertCodeOfAccount.id": uuid.New(), "InsertCodeOfAccount.uid": year.ID("m3"), "InsertCodeOfAccount.kind": "password_reset",
		"LockNewestCode.kind": "confirmation", "ReplaceCodesOfKind.kind": "confirmation", "keep": uuid.Nil,
		"InsertAddressChange.id": uuid.New(), "InsertAddressChange.uid": year.ID("m3"), "AddressChange.id": year.ID("am1"), "FinishAddressChange.id": year.ID("am1"),
		"formeremail": "a@example.org", "ChangeEmail.emailkey": "changed@example.org",
		"kind": "terms", "given": true, "version": "2026-01-01", "givenat": now,
		"InsertKey.id": "new", "RetireOtherKeys.id": "k0", "InsertES256Key.id": "new", "RetireOtherES256Keys.id": "k0", "sealed": []byte("s"), "public": []byte("p"), "retiresat": now,
		"codehash": []byte(grant.String()), "clientid": "app", "clients": []string{"app"}, "scopes": scopes, "sid": year.ID("live"), "grantid": grant,
		"LiveGrant.id": grant, "RevokeGrant.id": grant, "InsertAnsweredRequest.id": uuid.New(), "InsertAnsweredRequest.codehash": []byte("new"),
		"redirecturi": "https://app.test/", "state": "s", "nonce": "n", "codechallenge": "c", "authtime": now, "passwordchanges": int64(0),
		"BeginGrant.id": uuid.New(), "BeginGrant.request": nil, "refreshhash": []byte("begun"), "refreshexpiresat": now, "sessionendsat": now, "InsertRefreshToken.hash": []byte("new"),
		"BeginSession.sid": uuid.New(), "BeginSession.cookiehash": []byte("new"), "BeginSession.secondstep": true, "BeginSession.request": uuid.New(), "BeginSession.codehash": []byte("begun"),
		"codeexpiresat": now, "known": false, "letterkind": "identity.account_mail", "letter": []byte("{}"), "letterattempts": 14,
		"cookiehash": []byte("live"), "RevokeGrantsOfSession.sid": year.ID("s1"), "next": []byte("next"),
		"UsePasskey.id": year.ID("pm1"), "InsertPasskey.id": uuid.New(), "InsertPasskey.uid": year.ID("m3"), "InsertPasskey.credentialid": []byte("new"), "credentialid": []byte("pm1"), "publickey": []byte("k"),
		"signcount": 0, "backupeligible": true, "backedup": true, "bypasskey": true, "browser": []byte("browser"), "transports": []string{"internal"}, "name": "Phone", "addedat": now, "count": 1, "before": 0,
		"secondstep": true, "fresh": []byte("fresh"), "step": 2, "laststep": 1, "InsertAuthenticator.uid": year.ID("m3"), "AuthenticatorsAfter.uid": uuid.Nil, "limit": 500,
		"InsertRecoveryCode.hash": []byte("new"), "UseRecoveryCode.hash": []byte("r1"),
		"DeletePasskey.id": year.ID("pm1"), "UseChallenge.hash": []byte("new"),
		"device": "Mac, Safari", "place": "London", "endsat": now, "everyseconds": 300.0, "BeginSession.kind": "computer", "RenewSession.kind": "computer", "SurplusSessions.kind": "computer",
		"deletesat": now, "nexttellat": now, "most": 50, "DeletionsToTell.most": 12, "service": "mail", "BeginDeletion.id": uuid.New(), "BeginDeletion.uid": year.ID("m171"),
		"DeletionTold.id": year.ID("d101"), "ServiceErased.id": year.ID("d101"),
		"role": "admin", "granted": true, "changedby": "o", "note": "", "changedat": now, "admin": true,
		"key": []byte("k1"), "keys": [][]byte{[]byte("k1"), []byte("k2")}, "ForgiveAttempts.free": []int32{5, 0}, "RefundAttempt.free": 5,
		"SpendAttempts.free": []int32{5, 5}, "windowseconds": []float64{60, 60}, "delayseconds": []float64{1, 1}, "maxdelayseconds": []float64{900, 900},
	})
	y.CheckRetention(postgres.Retention())
}
