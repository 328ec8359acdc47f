-- name: LockPendingAccount :one
-- An account by its uid, confirmed or not, that has not lapsed.
SELECT * FROM accounts WHERE uid = $1 AND (lapses_at IS NULL OR lapses_at > sqlc.arg(now)::timestamptz) FOR UPDATE;

-- name: SetPassword :exec
UPDATE accounts SET password_hash = $2, password_changes = password_changes + 1, reset_required_at = NULL WHERE uid = $1;

-- name: RequireReset :exec
UPDATE accounts SET reset_required_at = sqlc.arg(now)::timestamptz, password_changes = password_changes + 1 WHERE uid = $1;

-- name: RevokeGrantsOfMember :many
-- All but those of one session.
UPDATE grants SET revoked_at = sqlc.arg(now)::timestamptz
WHERE uid = $1 AND sid <> sqlc.arg(keep) AND revoked_at IS NULL RETURNING sid;

-- name: EndRequestsOfMember :exec
-- Codes that were given out and not exchanged.
UPDATE auth_requests SET expires_at = sqlc.arg(now)::timestamptz
WHERE uid = $1 AND sid <> sqlc.arg(keep) AND exchanged_at IS NULL AND expires_at > sqlc.arg(now)::timestamptz;

-- name: DeleteSessionsOfMember :many
DELETE FROM sessions WHERE uid = $1 AND sid <> sqlc.arg(keep) RETURNING sid;
