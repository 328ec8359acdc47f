-- name: Begin :execrows
-- Begin writes a press down before billing hears of it. A press that is known already changes nothing.
INSERT INTO meditations (
    id, uid, idempotency_key, title, type_id, practice_id, size_id, immersive, track_id, day,
    brief, narrator_id, narrator_name, cost, state, expected_us, created_at, deadline
) VALUES (
    @id, @uid, @idempotency_key, @title, @type_id, @practice_id, @size_id, @immersive, @track_id, @day,
    @brief, @narrator_id, @narrator_name, @cost, 'holding', @expected_us, @created_at, @deadline
)
ON CONFLICT ON CONSTRAINT meditations_press DO NOTHING;

-- name: ByKey :one
SELECT * FROM meditations WHERE uid = @uid AND idempotency_key = @idempotency_key::uuid;

-- name: CountRunning :one
SELECT count(*) FROM meditations
WHERE uid = @uid AND state IN ('queued', 'writing', 'narrating', 'finishing');

-- name: LockMember :exec
-- LockMember lets one press of a member through at a time, so that the limit of running work is exact.
SELECT pg_advisory_xact_lock(hashtextextended('generation:' || @uid::text, 0));

-- name: Queue :one
UPDATE meditations
SET state = 'queued', hold_id = @hold_id::uuid, next_try_at = now(), version = version + 1
WHERE id = @id AND state = 'holding'
RETURNING *;

-- name: Discard :exec
-- Discard forgets a press that billing refused; no hold exists for it.
DELETE FROM meditations WHERE id = @id AND state = 'holding';

-- name: Abandon :execrows
-- Abandon gives up a press that may have a hold, and gives its key back.
UPDATE meditations
SET state = 'abandoned', idempotency_key = NULL, hold_id = @hold_id, ended_at = @now::timestamptz,
    next_try_at = now(), version = version + 1
WHERE id = @id AND state = 'holding';

-- name: AbandonOld :execrows
UPDATE meditations
SET state = 'abandoned', idempotency_key = NULL, ended_at = @now::timestamptz, next_try_at = now(), version = version + 1
WHERE state = 'holding' AND created_at < @before;
