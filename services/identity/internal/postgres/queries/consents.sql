-- name: InsertConsent :exec
INSERT INTO consents (uid, kind, given, version, given_at) VALUES ($1, $2, $3, $4, $5);

-- name: Consents :many
-- Each kind's newest answer.
SELECT DISTINCT ON (kind) kind, given, version, given_at FROM consents WHERE uid = $1 ORDER BY kind, given_at DESC;

-- name: ConsentsSince :one
SELECT count(*) FROM consents WHERE uid = $1 AND given_at > sqlc.arg(since)::timestamptz;
