-- name: ReplaceCodesOfKind :exec
UPDATE codes SET replaced_at = sqlc.arg(now)::timestamptz
WHERE uid = $1 AND kind = $2 AND used_at IS NULL AND replaced_at IS NULL;

-- name: ReplaceCodesOfAccount :exec
UPDATE codes SET replaced_at = sqlc.arg(now)::timestamptz
WHERE uid = $1 AND used_at IS NULL AND replaced_at IS NULL;

-- name: InsertCode :exec
INSERT INTO codes (id, uid, kind, hash, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6);

-- name: InsertCodeOfAccount :exec
-- For nobody's uid it adds nothing, after the same work.
INSERT INTO codes (id, uid, kind, hash, created_at, expires_at)
SELECT sqlc.arg(id)::uuid, accounts.uid, sqlc.arg(kind)::text, sqlc.arg(hash)::bytea, sqlc.arg(created_at)::timestamptz, sqlc.arg(expires_at)::timestamptz
FROM accounts WHERE accounts.uid = sqlc.arg(uid);

-- name: LockNewestCode :one
SELECT * FROM codes WHERE uid = $1 AND kind = $2 ORDER BY created_at DESC, id DESC LIMIT 1 FOR UPDATE;

-- name: CountTry :exec
UPDATE codes SET tries = tries + 1 WHERE id = $1 AND tries < 5;

-- name: UseCode :exec
UPDATE codes SET used_at = sqlc.arg(now)::timestamptz WHERE id = $1;

-- name: CodeForMail :one
SELECT sqlc.embed(codes), sqlc.embed(accounts)
FROM codes JOIN accounts ON accounts.uid = codes.uid WHERE codes.id = $1;

-- name: CodeIsFresh :one
-- Whether the code that ends the account's sign-up was made after that time and nobody has tried one.
SELECT EXISTS (SELECT 1 FROM codes
    WHERE uid = $1 AND kind = 'confirmation' AND created_at > sqlc.arg(since)::timestamptz AND tries = 0 AND used_at IS NULL AND replaced_at IS NULL);
