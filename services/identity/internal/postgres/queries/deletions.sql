-- name: MarkDeletion :exec
UPDATE accounts SET deletes_at = $2 WHERE uid = $1;

-- name: DeletionBegan :one
SELECT EXISTS (SELECT FROM deletions WHERE uid = $1);

-- name: DeletionsDue :many
-- Accounts whose time to undo it is over, and whose deletion has not begun.
SELECT a.uid FROM accounts a
WHERE a.deletes_at <= sqlc.arg(now)::timestamptz AND NOT EXISTS (SELECT FROM deletions d WHERE d.uid = a.uid)
ORDER BY a.deletes_at LIMIT 100 FOR UPDATE OF a SKIP LOCKED;

-- name: BeginDeletion :exec
INSERT INTO deletions (id, uid, began_at, next_tell_at) VALUES ($1, $2, sqlc.arg(now)::timestamptz, sqlc.arg(now)::timestamptz);

-- name: DeletionsToTell :many
SELECT id, uid, told FROM deletions
WHERE next_tell_at <= sqlc.arg(now)::timestamptz AND told < sqlc.arg(most)::int
ORDER BY next_tell_at LIMIT 100 FOR UPDATE SKIP LOCKED;

-- name: DeletionTold :exec
UPDATE deletions SET told = told + 1, next_tell_at = $2 WHERE id = $1;

-- name: ServiceErased :one
-- One that says it again is noted once. No row: the deletion is done.
UPDATE deletions SET erased = ARRAY(SELECT DISTINCT unnest(erased || sqlc.arg(service)::text))
WHERE id = $1 RETURNING uid, erased;

-- name: DeleteAccount :exec
DELETE FROM accounts WHERE uid = $1;

-- name: OldestDeletion :one
-- Since when the oldest deletion that has begun is under way; the epoch where none is.
SELECT coalesce(min(began_at), 'epoch')::timestamptz FROM deletions;
