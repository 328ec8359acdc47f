-- What is marked deleted has deletes_at, and keeps its state until that has come.

-- name: LockOwn :one
-- LockOwn holds the owner's meditation still while it is judged: a mark and its recovery come one after the other.
SELECT * FROM meditations
WHERE id = @id AND uid = @uid AND state NOT IN ('holding', 'abandoned')
FOR UPDATE;

-- name: SetDeletesAt :one
UPDATE meditations SET deletes_at = sqlc.narg(deletes_at), version = version + 1 WHERE id = @id RETURNING *;

-- name: SetNewTitle :one
UPDATE meditations SET new_title = @new_title::text, version = version + 1 WHERE id = @id RETURNING *;

-- name: Purge :many
-- Purge ends what is due: from its commit nothing of it is read or heard. What was refunded waits until billing has been
-- told. Its files go by tidying.
UPDATE meditations
SET state = 'deleted', passages_done = 0, ready_us = 0, audio_bytes = 0, tidied = false, tries = 0, next_try_at = now(), version = version + 1
WHERE id = ANY (ARRAY(
    SELECT due.id FROM meditations AS due
    WHERE due.state IN ('ready', 'refunded') AND due.deletes_at <= @now::timestamptz AND due.settled
    ORDER BY due.deletes_at
    LIMIT @most
    FOR UPDATE SKIP LOCKED
))
RETURNING id;

-- name: DeleteSegmentsOf :exec
DELETE FROM segments WHERE meditation_id = ANY (@ids::uuid[]);

-- name: DeleteScriptsOf :exec
DELETE FROM scripts WHERE meditation_id = ANY (@ids::uuid[]);
