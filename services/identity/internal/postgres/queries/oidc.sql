-- name: InsertAnsweredRequest :execrows
-- One answer a request: the second adds no row.
INSERT INTO auth_requests (id, client_id, redirect_uri, scopes, state, nonce, code_challenge,
    created_at, expires_at, uid, sid, auth_time, code_hash)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
ON CONFLICT (id) DO NOTHING;

-- name: AuthRequestByCode :one
SELECT * FROM auth_requests WHERE code_hash = $1;

-- name: ExchangeCode :execrows
-- One exchange a code: the second finds no row.
UPDATE auth_requests SET exchanged_at = sqlc.arg(now)::timestamptz, grant_id = $2
WHERE id = $1 AND exchanged_at IS NULL AND expires_at > sqlc.arg(now)::timestamptz;

-- name: InsertSession :exec
INSERT INTO sessions (sid, cookie_hash, uid, auth_time, expires_at) VALUES ($1, $2, $3, $4, $5);

-- name: SessionByCookie :one
SELECT * FROM sessions WHERE cookie_hash = $1 AND expires_at > sqlc.arg(now)::timestamptz;

-- name: DeleteSession :one
DELETE FROM sessions WHERE sid = $1 RETURNING uid;

-- name: InsertGrant :exec
INSERT INTO grants (id, uid, client_id, sid, scopes, auth_time, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

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

-- name: LockRefreshToken :one
SELECT * FROM refresh_tokens WHERE hash = $1 FOR UPDATE;

-- name: UseRefreshToken :exec
UPDATE refresh_tokens SET used_at = sqlc.arg(now)::timestamptz, next = sqlc.arg(next)::bytea WHERE hash = $1;

-- name: InsertClientConsent :exec
INSERT INTO client_consents (uid, client_id, scopes, given_at) VALUES ($1, $2, $3, $4);

-- name: ClientConsented :one
-- One answer must cover them all: what was let in apart was not let in together.
SELECT EXISTS (SELECT 1 FROM client_consents
    WHERE uid = $1 AND client_id = $2 AND scopes @> sqlc.arg(scopes)::text[]);
