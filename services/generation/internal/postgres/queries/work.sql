-- Work is fenced by its attempt: a statement that names an attempt changes a row only while that attempt owns it.

-- name: Claim :one
-- Claim takes the next piece of work whose lease is free or has lapsed: first for the member with the
-- least work in hand, then the oldest. A lapsed lease is a worker that died, and counts as a setback.
UPDATE meditations
SET state = CASE WHEN state = 'queued' THEN 'writing' ELSE state END,
    attempt = attempt + 1,
    tries = tries + CASE WHEN lease_until IS NULL THEN 0 ELSE 1 END,
    lease_until = now() + @lease::interval,
    version = version + 1
WHERE id = (
    SELECT m.id FROM meditations m
    WHERE m.state IN ('queued', 'writing', 'narrating', 'finishing')
      AND m.next_try_at <= now()
      AND (m.lease_until IS NULL OR m.lease_until < now())
    ORDER BY (
        SELECT count(*) FROM meditations busy
        WHERE busy.uid = m.uid AND busy.state IN ('writing', 'narrating', 'finishing') AND busy.lease_until > now()
    ), m.created_at, m.id
    LIMIT 1
    FOR UPDATE SKIP LOCKED
)
RETURNING *;

-- name: RenewLease :execrows
UPDATE meditations SET lease_until = now() + @lease::interval
WHERE id = @id AND attempt = @attempt AND state IN ('writing', 'narrating', 'finishing');

-- name: GiveBack :execrows
-- GiveBack ends the lease; the work can be claimed again after the wait.
UPDATE meditations
SET lease_until = NULL, next_try_at = now() + @wait::interval, tries = tries + @setbacks::int, version = version + 1
WHERE id = @id AND attempt = @attempt AND state IN ('writing', 'narrating', 'finishing');

-- name: Script :one
SELECT passages FROM scripts WHERE meditation_id = @meditation_id;

-- name: SaveScript :exec
INSERT INTO scripts (meditation_id, passages) VALUES (@meditation_id, @passages);

-- name: StartNarrating :one
UPDATE meditations
SET state = 'narrating', words = @words, passages_total = @passages_total, expected_us = @expected_us,
    tries = 0, version = version + 1
WHERE id = @id AND attempt = @attempt AND state = 'writing'
RETURNING *;

-- name: AddSegment :execrows
-- AddSegment is one statement, so that a segment and the progress it makes are one.
WITH mine AS (
    UPDATE meditations
    SET passages_done = passages_done + 1, ready_us = ready_us + @duration_us::bigint,
        audio_bytes = audio_bytes + @bytes::bigint, expected_us = @expected_us::bigint,
        tries = 0, version = version + 1
    WHERE meditations.id = @meditation_id AND attempt = @attempt AND state = 'narrating' AND passages_done = @index::int
    RETURNING meditations.id, audio_bytes
)
INSERT INTO segments (meditation_id, index, start_us, duration_us, silence_us, blob_key, byte_offset, bytes, lines)
SELECT mine.id, @index::int, @start_us::bigint, @duration_us::bigint, @silence_us::bigint, @blob_key::text,
    mine.audio_bytes - @bytes::bigint, @bytes::bigint, @lines::jsonb
FROM mine;

-- name: StartFinishing :one
UPDATE meditations
SET state = 'finishing', expected_us = ready_us, tries = 0, version = version + 1
WHERE id = @id AND attempt = @attempt AND state = 'narrating' AND passages_done = passages_total
RETURNING *;

-- name: Complete :one
UPDATE meditations
SET state = 'ready', settled = true, lease_until = NULL, ended_at = @now::timestamptz, version = version + 1
WHERE id = @id AND attempt = @attempt AND state = 'finishing'
RETURNING *;
