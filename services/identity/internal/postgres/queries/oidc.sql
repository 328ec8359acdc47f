-- name: InsertAnsweredRequest :execrows
-- One row a request: its member who answers it again before the code is used gets another code in its place.
INSERT INTO auth_requests (id, client_id, redirect_uri, scopes, state, nonce, code_challenge,
    created_at, expires_at, uid, sid, auth_time, code_hash, by_passkey, second_step)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
ON CONFLICT (id) DO UPDATE SET code_hash = EXCLUDED.code_hash, expires_at = EXCLUDED.expires_at, sid = EXCLUDED.sid,
    auth_time = EXCLUDED.auth_time, by_passkey = EXCLUDED.by_passkey, second_step = EXCLUDED.second_step
WHERE auth_requests.exchanged_at IS NULL AND auth_requests.uid = EXCLUDED.uid;

-- name: AuthRequestByCode :one
SELECT * FROM auth_requests WHERE code_hash = $1;

-- name: ExchangeCode :execrows
-- One exchange a code: the second finds no row.
UPDATE auth_requests SET exchanged_at = sqlc.arg(now)::timestamptz, grant_id = $2
WHERE id = $1 AND exchanged_at IS NULL AND expires_at > sqlc.arg(now)::timestamptz;

-- name: LockAccountToSignIn :one
-- Only where nothing has changed since the member was proved. It waits for whatever changes a password or marks a deletion, and holds
-- those up until the session is there, so that they end it. It says when the member first signed in, if ever.
SELECT signed_in_at FROM accounts WHERE uid = $1 AND password_changes = $2 AND confirmed_at IS NOT NULL AND deletes_at IS NULL AND reset_required_at IS NULL
FOR NO KEY UPDATE;

-- name: InsertSession :exec
INSERT INTO sessions (sid, cookie_hash, uid, auth_time, expires_at, began_at, used_at, ends_at, kind, device, place, by_passkey, second_step, browser)
VALUES ($1, $2, $3, $4, $5, $4, $4, $5, $6, $7, $8, $9, $10, sqlc.narg(browser));

-- name: SignedInWithBrowser :one
SELECT EXISTS (SELECT FROM sessions WHERE uid = $1 AND browser = sqlc.arg(browser)::bytea);

-- name: RenewSession :execrows
-- What the browser does not tell this time stays as it was.
UPDATE sessions SET cookie_hash = $2, auth_time = $3, expires_at = $4, used_at = $3, ends_at = greatest(ends_at, $4), kind = $5, device = $6, by_passkey = $7, second_step = $8,
    place = coalesce(nullif(sqlc.arg(place)::text, ''), place)
WHERE sid = $1;

-- name: SessionByCookie :one
SELECT * FROM sessions WHERE cookie_hash = $1 AND expires_at > sqlc.arg(now)::timestamptz;

-- name: DeleteSession :one
DELETE FROM sessions WHERE sid = $1 RETURNING uid;

-- name: InsertGrant :exec
INSERT INTO grants (id, uid, client_id, sid, scopes, auth_time, created_at, expires_at, by_passkey, second_step)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- name: LiveGrant :one
SELECT * FROM grants WHERE id = $1 AND revoked_at IS NULL AND expires_at > sqlc.arg(now)::timestamptz;

-- name: RevokeGrant :exec
UPDATE grants SET revoked_at = sqlc.arg(now)::timestamptz WHERE id = $1 AND revoked_at IS NULL;

-- name: RevokeGrantsOfSession :exec
UPDATE grants SET revoked_at = sqlc.arg(now)::timestamptz WHERE sid = $1 AND revoked_at IS NULL;

-- name: InsertRefreshToken :exec
INSERT INTO refresh_tokens (hash, grant_id, expires_at) VALUES ($1, $2, $3);

-- name: GrantByRefreshToken :one
SELECT grants.* FROM refresh_tokens JOIN grants ON grants.id = refresh_tokens.grant_id
WHERE refresh_tokens.hash = $1;

-- name: LiveRefreshToken :one
SELECT sqlc.embed(grants), refresh_tokens.expires_at FROM refresh_tokens JOIN grants ON grants.id = refresh_tokens.grant_id
WHERE refresh_tokens.hash = $1 AND refresh_tokens.used_at IS NULL AND refresh_tokens.expires_at > sqlc.arg(now)::timestamptz
    AND grants.revoked_at IS NULL AND grants.expires_at > sqlc.arg(now)::timestamptz;

-- name: ClientsOfSession :many
-- Revoked grants too: the client may still hold a session based on one.
SELECT DISTINCT client_id FROM grants WHERE sid = $1 AND client_id = ANY(sqlc.arg(clients)::text[]);

-- name: LockRefreshToken :one
SELECT * FROM refresh_tokens WHERE hash = $1 FOR UPDATE;

-- name: UseRefreshToken :exec
UPDATE refresh_tokens SET used_at = sqlc.arg(now)::timestamptz, next = sqlc.arg(next)::bytea WHERE hash = $1;

-- name: InsertClientConsent :exec
INSERT INTO client_consents (uid, client_id, scopes, given_at) VALUES ($1, $2, $3, $4);

-- name: ClientConsents :many
-- Every answer of a member, the newest first.
SELECT client_id, scopes, given_at, revoked FROM client_consents WHERE uid = $1 ORDER BY id DESC;

-- name: ClientConsented :one
-- One answer must cover them all: what was let in apart was not let in together. Answers before the last revocation do not count.
SELECT EXISTS (SELECT 1 FROM client_consents AS yes
    WHERE yes.uid = $1 AND yes.client_id = $2 AND NOT yes.revoked AND yes.scopes @> sqlc.arg(scopes)::text[]
    AND NOT EXISTS (SELECT 1 FROM client_consents AS no WHERE no.uid = $1 AND no.client_id = $2 AND no.revoked AND no.id > yes.id));

-- name: RevokeClientConsents :execrows
-- No row where there is nothing to revoke.
INSERT INTO client_consents (uid, client_id, scopes, given_at, revoked)
SELECT sqlc.arg(uid)::uuid, sqlc.arg(client_id)::text, '{}', sqlc.arg(now)::timestamptz, true
WHERE EXISTS (SELECT 1 FROM client_consents AS yes
    WHERE yes.uid = sqlc.arg(uid) AND yes.client_id = sqlc.arg(client_id) AND NOT yes.revoked
    AND NOT EXISTS (SELECT 1 FROM client_consents AS no WHERE no.uid = yes.uid AND no.client_id = yes.client_id AND no.revoked AND no.id > yes.id));

-- name: RevokeGrantsOfClient :exec
UPDATE grants SET revoked_at = sqlc.arg(now)::timestamptz WHERE uid = $1 AND client_id = $2 AND revoked_at IS NULL;

-- name: EndRequestsOfClient :exec
-- Codes that were given out and not exchanged.
UPDATE auth_requests SET expires_at = sqlc.arg(now)::timestamptz
WHERE uid = $1 AND client_id = $2 AND exchanged_at IS NULL AND expires_at > sqlc.arg(now)::timestamptz;
