-- name: PasskeysOfMember :many
SELECT * FROM passkeys WHERE uid = $1 ORDER BY added_at DESC, id DESC;

-- name: PasskeyByCredential :one
SELECT * FROM passkeys WHERE credential_id = $1;

-- name: InsertPasskey :exec
INSERT INTO passkeys (id, uid, credential_id, public_key, sign_count, backup_eligible, backed_up, transports, name, added_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- name: UsePasskey :execrows
-- Of two uses at once the second finds another count, where its device counts.
UPDATE passkeys SET sign_count = sqlc.arg(count)::bigint, backed_up = $2, used_at = sqlc.arg(now)::timestamptz
WHERE id = $1 AND sign_count = sqlc.arg(before)::bigint;

-- name: DeletePasskey :execrows
DELETE FROM passkeys WHERE id = $1 AND uid = $2;

-- name: UseChallenge :execrows
-- Once: the second adds no row.
INSERT INTO used_challenges (hash, expires_at) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING;
