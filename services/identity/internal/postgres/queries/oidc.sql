-- name: InsertAnsweredRequest :execrows
-- One row a request: its member who answers it again before the code is used gets another code in its place.
INSERT INTO auth_requests (id, client_id, redirect_uri, scopes, state, nonce, code_challenge,
    created_at, expires_at, uid, sid, auth_time, code_hash, by_passkey, second_step)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
ON CONFLICT (id) DO UPDATE SET code_hash = EXCLUDED.code_hash, expires_at = EXCLUDED.expires_at, sid = EXCLUDED.sid,
    auth_time = EXCLUDED.auth_time, by_passkey = EXCLUDED.by_passkey, second_step = EXCLUDED.second_step
WHERE auth_requests.exchanged_at IS NULL AND auth_requests.uid = EXCLUDED.uid;

-- name: AuthRequestByCode :one
-- With its member, of whom the ID token speaks.
SELECT sqlc.embed(r), sqlc.embed(a) FROM auth_requests AS r JOIN accounts AS a ON a.uid = r.uid WHERE r.code_hash = $1;

-- name: LockAccountToSignIn :one
-- Only where nothing has changed since the member was proved. It waits for whatever changes a password or marks a deletion, and holds
-- those up until the session has been renewed, so that they end it. It says whether the account asks for a second step.
SELECT EXISTS (SELECT FROM authenticators AS app WHERE app.uid = a.uid) FROM accounts AS a
WHERE a.uid = $1 AND a.password_changes = $2 AND a.confirmed_at IS NOT NULL AND a.deletes_at IS NULL AND a.reset_required_at IS NULL
FOR NO KEY UPDATE OF a;

-- name: BeginSession :one
-- With the row of the request that the session answers at once, if there is one, as InsertAnsweredRequest keeps it.
WITH begun AS MATERIALIZED (SELECT begin_session(sqlc.arg(sid)::uuid, sqlc.arg(cookie_hash)::bytea, sqlc.arg(uid)::uuid, sqlc.arg(auth_time)::timestamptz,
    sqlc.arg(expires_at)::timestamptz, sqlc.arg(kind)::text, sqlc.arg(device)::text, sqlc.arg(place)::text, sqlc.arg(by_passkey)::bool,
    sqlc.arg(second_step)::bool, sqlc.narg(browser)::bytea, sqlc.arg(password_changes)::bigint, sqlc.arg(known)::bool, sqlc.narg(most)::int,
    sqlc.arg(letter_kind)::text, sqlc.arg(letter)::jsonb, sqlc.arg(letter_attempts)::int)::text AS outcome),
answered AS (
    INSERT INTO auth_requests (id, client_id, redirect_uri, scopes, state, nonce, code_challenge,
        created_at, expires_at, uid, sid, auth_time, code_hash, by_passkey, second_step)
    SELECT sqlc.narg(request)::uuid, sqlc.arg(client_id)::text, sqlc.arg(redirect_uri)::text, sqlc.arg(scopes)::text[], sqlc.arg(state)::text, sqlc.arg(nonce)::text,
        sqlc.arg(code_challenge)::text, sqlc.arg(created_at)::timestamptz, sqlc.arg(code_expires_at)::timestamptz, sqlc.arg(uid), sqlc.arg(sid),
        sqlc.arg(auth_time), sqlc.arg(code_hash)::bytea, sqlc.arg(by_passkey), sqlc.arg(second_step)
    FROM begun WHERE begun.outcome = 'begun' AND sqlc.narg(request) IS NOT NULL
    ON CONFLICT (id) DO UPDATE SET code_hash = EXCLUDED.code_hash, expires_at = EXCLUDED.expires_at, sid = EXCLUDED.sid,
        auth_time = EXCLUDED.auth_time, by_passkey = EXCLUDED.by_passkey, second_step = EXCLUDED.second_step
    WHERE auth_requests.exchanged_at IS NULL AND auth_requests.uid = EXCLUDED.uid
    RETURNING id
)
SELECT begun.outcome, EXISTS (SELECT FROM answered) AS answered FROM begun;

-- name: BeginGrant :exec
SELECT begin_grant(sqlc.narg(request)::uuid, sqlc.arg(id)::uuid, sqlc.arg(uid)::uuid, sqlc.arg(client_id)::text, sqlc.arg(sid)::uuid,
    sqlc.arg(scopes)::text[], sqlc.arg(auth_time)::timestamptz, sqlc.arg(created_at)::timestamptz, sqlc.arg(expires_at)::timestamptz,
    sqlc.arg(by_passkey)::bool, sqlc.arg(second_step)::bool, sqlc.narg(refresh_hash)::bytea, sqlc.arg(refresh_expires_at)::timestamptz,
    sqlc.arg(session_ends_at)::timestamptz, sqlc.arg(now)::timestamptz);

-- name: RenewSession :execrows
-- What the browser does not tell this time stays as it was.
UPDATE sessions SET cookie_hash = $2, auth_time = $3, expires_at = $4, used_at = $3, ends_at = greatest(ends_at, $4), kind = $5, device = $6, by_passkey = $7, second_step = $8,
    place = coalesce(nullif(sqlc.arg(place)::text, ''), place)
WHERE sid = $1;

-- name: SessionByCookie :one
SELECT * FROM sessions WHERE cookie_hash = $1 AND expires_at > sqlc.arg(now)::timestamptz;

-- name: DeleteSession :one
DELETE FROM sessions WHERE sid = $1 RETURNING uid;

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
