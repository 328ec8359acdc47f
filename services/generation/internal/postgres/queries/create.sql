-- name: Begin :one
-- Begin writes a request down before billing hears of it, or finds what the same key began before; the
-- update of the key changes nothing and is there for RETURNING to answer that row. No row: the member
-- has enough at work already.
INSERT INTO meditations (
    id, uid, idempotency_key, title, type_id, practice_id, size_id, immersive, track_id, day,
    asked_narrator_id, language, brief, narrator_id, narrator_name, cost, state, expected_us, created_at, deadline,
    kept_inside
)
SELECT
    @id::uuid, @uid::uuid, @idempotency_key::uuid, @title::text, @type_id::text, @practice_id::text, @size_id::text,
    @immersive::boolean, @track_id::text, @day::date,
    @asked_narrator_id::text, @language::text, @brief::jsonb, @narrator_id::text, @narrator_name::text,
    @cost::integer, 'holding', @expected_us::bigint, @created_at::timestamptz, @deadline::timestamptz,
    @kept_inside::boolean
WHERE (
    SELECT count(*) FROM meditations AS running
    WHERE running.uid = @uid::uuid AND running.state IN ('queued', 'writing', 'narrating', 'finishing')
) < @max_running::integer
OR EXISTS (
    SELECT FROM meditations AS earlier
    WHERE earlier.uid = @uid::uuid AND earlier.idempotency_key = @idempotency_key::uuid
)
ON CONFLICT (uid, idempotency_key) DO UPDATE SET idempotency_key = EXCLUDED.idempotency_key
RETURNING *;

-- name: LockMember :exec
-- LockMember lets one request of a member through at a time, so that the limit of running work is exact.
SELECT pg_advisory_xact_lock(hashtextextended('generation:' || @uid::text, 0));

-- name: Enqueue :one
-- Enqueue makes a request whose cost is held work, with its event, and removes the draft that it narrates.
-- Where the member has enough at work, the request is abandoned instead, with its hold, and its key
-- given back. No row: the request is not holding any more.
WITH room AS (
    SELECT count(*) < @max_running::integer AS left_over, count(*)::smallint AS taken FROM meditations
    WHERE uid = @uid::uuid AND state IN ('queued', 'writing', 'narrating', 'finishing')
), changed AS (
    UPDATE meditations
    SET state = CASE WHEN room.left_over THEN 'queued' ELSE 'abandoned' END,
        idempotency_key = CASE WHEN room.left_over THEN idempotency_key END,
        ended_at = CASE WHEN room.left_over THEN NULL ELSE @now::timestamptz END,
        place = room.taken, hold_id = @hold_id::uuid, next_try_at = now(), version = version + 1
    FROM room
    WHERE id = @id::uuid AND state = 'holding'
    RETURNING meditations.*
), event AS (
    INSERT INTO outbox (id, subject, payload)
    SELECT @event_id::uuid, @event_subject::text, @event_payload::bytea FROM changed WHERE state = 'queued'
), narrated AS (
    DELETE FROM drafts USING changed WHERE drafts.taken_by = changed.id AND changed.state = 'queued'
)
SELECT * FROM changed;

-- name: Prepare :exec
-- Prepare says how much a request narrates whose script is there already.
UPDATE meditations SET words = @words, passages_total = @passages_total WHERE id = @id AND state = 'holding';

-- name: Discard :exec
-- Discard forgets a request that billing refused; no hold exists for it.
DELETE FROM meditations WHERE id = @id AND state = 'holding';

-- name: Undecided :many
-- Undecided are the member's requests whose credits may come back: not decided yet, or ended while billing does not know it. None of
-- them is older than a hold can be.
SELECT id FROM meditations
WHERE uid = @uid AND created_at > @since::timestamptz
  AND (state = 'holding' OR (state IN ('failed', 'cancelled', 'refunded', 'abandoned') AND NOT settled));

-- name: AbandonOld :execrows
-- AbandonOld gives up requests that were cut off before they became work, and gives their keys back.
UPDATE meditations
SET state = 'abandoned', idempotency_key = NULL, ended_at = @now::timestamptz, next_try_at = now(), version = version + 1
WHERE state = 'holding' AND created_at < @before;
