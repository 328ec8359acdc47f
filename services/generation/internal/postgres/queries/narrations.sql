-- Narrations are fenced by their attempt, as meditations are, and live with their worker.

-- name: InsertNarration :execrows
INSERT INTO narrations (id, request_hash, narrator_id, narrator_name, passages, state, passages_total, created_at)
VALUES (@id, @request_hash, @narrator_id, @narrator_name, @passages, 'waiting', @passages_total, @created_at)
ON CONFLICT (id) DO NOTHING;

-- name: LockNarration :one
SELECT * FROM narrations WHERE id = @id FOR UPDATE;

-- name: RetryNarration :one
-- RetryNarration queues a failed narration again. It continues behind the last segment, or starts from the beginning if
-- the sound was removed.
UPDATE narrations
SET state = 'waiting', tries = 0, next_try_at = now(), worker_id = NULL, failure_reason = '', ended_at = NULL, created_at = @created_at,
    passages_done = CASE WHEN tidied THEN 0 ELSE passages_done END, duration_us = CASE WHEN tidied THEN 0 ELSE duration_us END,
    audio_bytes = CASE WHEN tidied THEN 0 ELSE audio_bytes END, tidied = false
WHERE id = @id
RETURNING *;

-- name: Narration :one
SELECT * FROM narrations WHERE id = @id AND NOT tidied;

-- name: ClaimNarration :one
-- ClaimNarration takes the oldest that no other living worker has. What this worker has is only left over from a try
-- whose end could not be written down: it narrates one at a time.
UPDATE narrations
SET state = 'narrating', attempt = attempt + 1, tries = tries + 1, worker_id = @worker_id::uuid
WHERE narrations.id = (
    SELECT n.id FROM narrations n
    WHERE n.state IN ('waiting', 'narrating') AND n.next_try_at <= now()
      AND NOT EXISTS (SELECT FROM workers w WHERE w.id = n.worker_id AND w.id <> @worker_id::uuid AND w.lost_at IS NULL)
    ORDER BY n.created_at, n.id
    LIMIT 1
    FOR UPDATE SKIP LOCKED
) AND EXISTS (SELECT FROM workers w WHERE w.id = @worker_id::uuid AND w.lost_at IS NULL)
RETURNING *;

-- name: AddNarrationSegment :execrows
WITH mine AS (
    UPDATE narrations
    SET passages_done = passages_done + 1, duration_us = duration_us + @duration_us::bigint,
        audio_bytes = audio_bytes + @bytes::bigint, tries = 0
    WHERE narrations.id = @narration_id AND attempt = @attempt AND state = 'narrating' AND passages_done = @index::int
    RETURNING narrations.id
)
INSERT INTO narration_segments (narration_id, index, duration_us, bytes, blob_key)
SELECT mine.id, @index::int, @duration_us::bigint, @bytes::bigint, @blob_key::text FROM mine;

-- name: NarrationSegments :many
SELECT * FROM narration_segments WHERE narration_id = @narration_id ORDER BY index;

-- name: CompleteNarration :one
UPDATE narrations
SET state = 'ready', ended_at = @ended_at::timestamptz, worker_id = NULL
WHERE id = @id AND attempt = @attempt AND state = 'narrating' AND passages_done = passages_total
RETURNING *;

-- name: FailNarration :execrows
UPDATE narrations
SET state = 'failed', failure_reason = @failure_reason, ended_at = @ended_at::timestamptz, worker_id = NULL
WHERE id = @id AND attempt = @attempt AND state = 'narrating';

-- name: GiveNarrationBack :execrows
UPDATE narrations
SET state = 'waiting', worker_id = NULL, next_try_at = now() + @wait::interval,
    tries = CASE WHEN @counts::boolean THEN tries ELSE greatest(tries - 1, 0) END
WHERE id = @id AND attempt = @attempt AND state = 'narrating';

-- name: RestartNarration :execrows
UPDATE narrations
SET state = 'waiting', worker_id = NULL, next_try_at = now() + @wait::interval, passages_done = 0, duration_us = 0, audio_bytes = 0
WHERE id = @id AND attempt = @attempt AND state = 'narrating';

-- name: LoseNarration :execrows
UPDATE narrations
SET state = 'waiting', ended_at = NULL, tries = 0, next_try_at = now(), passages_done = 0, duration_us = 0, audio_bytes = 0
WHERE id = @id AND state = 'ready' AND NOT tidied;

-- name: ForgetNarrationSegments :exec
DELETE FROM narration_segments WHERE narration_id = @narration_id;

-- name: UntidyNarrations :many
SELECT id FROM narrations WHERE NOT tidied AND ended_at <= @before::timestamptz ORDER BY ended_at LIMIT 100;

-- name: NarrationTidied :execrows
UPDATE narrations SET tidied = true WHERE id = @id AND ended_at <= @before::timestamptz;

-- name: CountNarrations :one
SELECT count(*) FROM (SELECT FROM narrations WHERE state IN ('waiting', 'narrating') LIMIT @most) AS unfinished;
