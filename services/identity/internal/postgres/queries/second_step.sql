-- name: AuthenticatorOfMember :one
SELECT * FROM authenticators WHERE uid = $1;

-- name: InsertAuthenticator :execrows
-- One a member: the second adds no row.
INSERT INTO authenticators (uid, sealed, last_step, added_at) VALUES ($1, $2, $3, $4) ON CONFLICT (uid) DO NOTHING;

-- name: UseStep :execrows
-- Once, and none after a later one: of two uses at once the second finds a step that has passed. Of an app that was replaced meanwhile there is no row.
UPDATE authenticators SET last_step = sqlc.arg(step)::bigint
WHERE uid = $1 AND added_at = $2 AND last_step < sqlc.arg(step)::bigint;

-- name: ResealAuthenticator :exec
-- Unless the secret has been replaced or resealed since it was read.
UPDATE authenticators SET sealed = sqlc.arg(fresh)::bytea WHERE uid = $1 AND sealed = $2;

-- name: AuthenticatorsAfter :many
SELECT * FROM authenticators WHERE uid > $1 ORDER BY uid LIMIT $2;

-- name: DeleteAuthenticator :execrows
DELETE FROM authenticators WHERE uid = $1;

-- name: LockAuthenticator :one
SELECT * FROM authenticators WHERE uid = $1 FOR UPDATE;

-- name: CountRecoveryCodes :one
SELECT count(*) FROM recovery_codes WHERE uid = $1;

-- name: InsertRecoveryCode :exec
INSERT INTO recovery_codes (uid, hash) VALUES ($1, $2);

-- name: UseRecoveryCode :execrows
-- Once: the second finds no row.
DELETE FROM recovery_codes WHERE uid = $1 AND hash = $2;

-- name: DeleteRecoveryCodes :exec
DELETE FROM recovery_codes WHERE uid = $1;

-- name: SecondStepMissing :one
-- A member has an app, and the session was begun with neither its code nor a passkey.
SELECT (EXISTS (SELECT 1 FROM authenticators AS a WHERE a.uid = $1)
    AND NOT EXISTS (SELECT 1 FROM sessions AS s WHERE s.sid = $2 AND s.uid = $1 AND (s.second_step OR s.by_passkey)))::bool AS missing;

-- name: SecondStepGiven :exec
-- In a session that was begun before there was an app.
UPDATE sessions SET second_step = true WHERE sid = $1 AND uid = $2 AND NOT by_passkey;
