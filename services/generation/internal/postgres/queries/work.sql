-- Work is fenced by its attempt: a statement that names an attempt changes a row only while that attempt owns it.

-- name: Suspect :one
-- Suspect finds work with which processes died again and again. It is made alone, so that the next death is its own.
SELECT id FROM meditations
WHERE state IN ('writing', 'narrating', 'finishing') AND worker_id IS NULL AND next_try_at <= now()
  AND crashes >= @suspect_after::int
ORDER BY next_try_at
LIMIT 1
FOR UPDATE SKIP LOCKED;

-- name: Begun :one
-- Begun finds work that was begun and is nobody's now. What the version before has leased is not looked at.
SELECT id FROM meditations
WHERE state IN ('writing', 'narrating', 'finishing') AND worker_id IS NULL AND next_try_at <= now()
  AND (lease_until IS NULL OR lease_until < now()) AND crashes < @suspect_after::int
ORDER BY next_try_at
LIMIT 1
FOR UPDATE SKIP LOCKED;

-- name: Oldest :one
-- Oldest finds what waits longest, the first piece of each member before anybody's second, unless it cannot be
-- finished by its deadline any more: effort is the least time, in seconds, for a second of its sound.
SELECT id FROM meditations
WHERE state = 'queued' AND deadline > sqlc.arg(now)::timestamptz + make_interval(secs => sqlc.arg(effort)::float8 * expected_us / 1e6)
ORDER BY place, created_at, id
LIMIT 1
FOR UPDATE SKIP LOCKED;

-- name: Newest :one
-- Newest finds what came last, otherwise as Oldest does.
SELECT id FROM meditations
WHERE state = 'queued' AND deadline > sqlc.arg(now)::timestamptz + make_interval(secs => sqlc.arg(effort)::float8 * expected_us / 1e6)
ORDER BY place, created_at DESC, id DESC
LIMIT 1
FOR UPDATE SKIP LOCKED;

-- name: Take :one
-- Take begins work. The script of a draft is there already.
UPDATE meditations
SET state = CASE WHEN state <> 'queued' THEN state WHEN passages_total > 0 THEN 'narrating' ELSE 'writing' END, attempt = attempt + 1,
    worker_id = @worker_id::uuid, lease_until = deadline, version = version + 1
WHERE id = @id
RETURNING *;

-- name: Owned :one
SELECT EXISTS (
    SELECT FROM meditations WHERE id = @id AND attempt = @attempt AND state IN ('writing', 'narrating', 'finishing')
) AS owned;

-- name: GiveBack :execrows
-- GiveBack makes the work claimable by any worker after the wait.
UPDATE meditations
SET worker_id = NULL, lease_until = NULL, next_try_at = now() + @wait::interval, tries = tries + @setbacks::int, version = version + 1
WHERE id = @id AND attempt = @attempt AND state IN ('writing', 'narrating', 'finishing');

-- name: Script :one
SELECT passages FROM scripts WHERE meditation_id = @meditation_id;

-- name: SaveScript :exec
INSERT INTO scripts (meditation_id, passages) VALUES (@meditation_id, @passages);

-- name: StartNarrating :one
UPDATE meditations
SET state = 'narrating', words = @words, passages_total = @passages_total, expected_us = @expected_us,
    tries = 0, crashes = 0, version = version + 1
WHERE id = @id AND attempt = @attempt AND state = 'writing'
RETURNING *;

-- name: ChangeNarrator :one
UPDATE meditations
SET narrator_id = @narrator_id, narrator_name = @narrator_name, expected_us = @expected_us, version = version + 1
WHERE id = @id AND attempt = @attempt AND state = 'narrating' AND passages_done = 0
RETURNING *;

-- name: AddSegment :execrows
-- AddSegment is one statement, so that a segment and the progress it makes are one.
WITH mine AS (
    UPDATE meditations
    SET passages_done = passages_done + 1, ready_us = ready_us + @duration_us::bigint,
        audio_bytes = audio_bytes + @bytes::bigint, expected_us = @expected_us::bigint,
        tries = 0, crashes = 0, version = version + 1
    WHERE meditations.id = @meditation_id AND attempt = @attempt AND state = 'narrating' AND passages_done = @index::int
    RETURNING meditations.id, audio_bytes
)
INSERT INTO segments (meditation_id, index, start_us, duration_us, silence_us, blob_key, byte_offset, bytes, lines)
SELECT mine.id, @index::int, @start_us::bigint, @duration_us::bigint, @silence_us::bigint, @blob_key::text,
    mine.audio_bytes - @bytes::bigint, @bytes::bigint, @lines::jsonb
FROM mine;

-- name: StartFinishing :one
UPDATE meditations
SET state = 'finishing', expected_us = ready_us, tries = 0, crashes = 0, version = version + 1
WHERE id = @id AND attempt = @attempt AND state = 'narrating' AND passages_done = passages_total
RETURNING *;

-- name: Complete :one
UPDATE meditations
SET state = 'ready', settled = true, lease_until = NULL, ended_at = @now::timestamptz, version = version + 1
WHERE id = @id AND attempt = @attempt AND state = 'finishing'
RETURNING *;
