-- name: LockKeys :exec
-- One rotation at a time, whatever replicas do.
SELECT pg_advisory_xact_lock(hashtext('identity.signing_keys'));

-- name: SigningKeys :many
-- The newest key of each algorithm.
(SELECT 'RS256'::text AS algorithm, id, sealed, public, created_at FROM signing_keys WHERE retires_at IS NULL ORDER BY created_at DESC LIMIT 1)
UNION ALL
(SELECT 'ES256'::text AS algorithm, id, sealed, public, created_at FROM es256_keys WHERE retires_at IS NULL ORDER BY created_at DESC LIMIT 1);

-- name: PublishedKeys :many
SELECT 'RS256'::text AS algorithm, id, public, created_at FROM signing_keys WHERE retires_at IS NULL OR retires_at > sqlc.arg(now)::timestamptz
UNION ALL
SELECT 'ES256'::text AS algorithm, id, public, created_at FROM es256_keys WHERE retires_at IS NULL OR retires_at > sqlc.arg(now)::timestamptz
ORDER BY algorithm DESC, created_at DESC;

-- name: InsertKey :exec
INSERT INTO signing_keys (id, sealed, public, created_at) VALUES ($1, $2, $3, $4);

-- name: RetireOtherKeys :exec
UPDATE signing_keys SET retires_at = $2 WHERE id <> $1 AND retires_at IS NULL;

-- name: InsertES256Key :exec
INSERT INTO es256_keys (id, sealed, public, created_at) VALUES ($1, $2, $3, $4);

-- name: RetireOtherES256Keys :exec
UPDATE es256_keys SET retires_at = $2 WHERE id <> $1 AND retires_at IS NULL;
