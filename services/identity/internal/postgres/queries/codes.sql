-- name: ReplaceCodesOfAccount :exec
UPDATE codes SET replaced_at = sqlc.arg(now)::timestamptz
WHERE uid = $1 AND used_at IS NULL AND replaced_at IS NULL;

-- name: InsertCode :exec
INSERT INTO codes (id, uid, hash, created_at, expires_at) VALUES ($1, $2, $3, $4, $5);

-- name: LockNewestCode :one
SELECT * FROM codes WHERE uid = $1 ORDER BY created_at DESC, id DESC LIMIT 1 FOR UPDATE;

-- name: CountTry :exec
UPDATE codes SET tries = tries + 1 WHERE id = $1 AND tries < 5;

-- name: UseCode :exec
UPDATE codes SET used_at = sqlc.arg(now)::timestamptz WHERE id = $1;

-- name: CodeForMail :one
SELECT sqlc.embed(codes), sqlc.embed(accounts)
FROM codes JOIN accounts ON accounts.uid = codes.uid WHERE codes.id = $1;
