-- A meditation that is marked deleted has deletes_at, and keeps its state until that time.

-- name: LockOwn :one
-- LockOwn locks the owner's meditation while the service judges it, so that a mark and its recovery run one after the other.
SELECT * FROM meditations
WHERE id = @id AND uid = @uid AND state NOT IN ('holding', 'abandoned')
FOR UPDATE;

-- name: SetDeletesAt :one
UPDATE meditations SET deletes_at = sqlc.narg(deletes_at), version = version + 1 WHERE id = @id RETURNING *;

-- name: SetNewTitle :one
UPDATE meditations SET new_title = @new_title::text, version = version + 1 WHERE id = @id RETURNING *;

-- name: Purge :many
-- Purge ends the meditations that are due: from its commit on their words and sound are not served. A refunded meditation
-- waits until billing has made the refund. The name that was
-- spoken goes too. Tidying removes the files.
UPDATE meditations
SET state = 'deleted', passages_done = 0, ready_us = 0, audio_bytes = 0, tidied = false, tries = 0,
    brief = brief - 'given_name', next_try_at = now(), version = version + 1
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
