-- A member sees a meditation from the moment its cost is held. Every read names the owner.

-- name: Get :one
SELECT * FROM meditations
WHERE id = @id AND uid = @uid AND state NOT IN ('holding', 'abandoned');

-- name: Own :many
-- Own are those of the ids that are the member's, with the columns of List.
SELECT id, title, type_id, practice_id, size_id, immersive, track_id, narrator_name, cost, state, failure_reason, words,
  passages_done, passages_total, ready_us, expected_us, ended_early, created_at, deletes_at, new_title, kept_inside,
  coalesce(brief ->> 'given_name', '')::text AS given_name
FROM meditations
WHERE id = ANY(@ids::uuid[]) AND uid = @uid AND state NOT IN ('holding', 'abandoned');

-- name: Requested :one
SELECT * FROM meditations
WHERE uid = @uid AND idempotency_key = @idempotency_key::uuid AND state NOT IN ('holding', 'abandoned');

-- name: Segments :many
SELECT * FROM segments WHERE meditation_id = @meditation_id AND index >= @from_index::int ORDER BY index;

-- name: SegmentSound :one
-- SegmentSound answers where the sound of one segment of the owner's meditation lies, with the meditation's state.
SELECT m.state, s.blob_key, s.byte_offset, s.bytes
FROM meditations m JOIN segments s ON s.meditation_id = m.id
WHERE m.id = @id AND m.uid = @uid AND s.index = @index::int;

-- name: Scripts :many
SELECT * FROM scripts WHERE meditation_id = ANY(@ids::uuid[]);

-- name: List :many
-- List is newest first, without what is marked deleted. Cancelled work is hidden; failed work is shown until failed_since
-- has passed it. What was refunded stays: the member had it, and reads why it is gone. A list shows less than half of the
-- columns, and is the most frequent read.
SELECT id, title, type_id, practice_id, size_id, immersive, track_id, narrator_name, cost, state, failure_reason, words,
  passages_done, passages_total, ready_us, expected_us, ended_early, created_at, deletes_at, new_title, kept_inside,
  coalesce(brief ->> 'given_name', '')::text AS given_name
FROM meditations
WHERE uid = @uid
  AND deletes_at IS NULL
  AND state NOT IN ('holding', 'abandoned', 'cancelled')
  AND (state <> 'failed' OR ended_at > @failed_since::timestamptz)
  AND (created_at, id) < (@before_time::timestamptz, @before_id::uuid)
ORDER BY created_at DESC, id DESC
LIMIT @page_size;

-- name: ListAll :many
-- ListAll is List with what is marked deleted in its place.
SELECT id, title, type_id, practice_id, size_id, immersive, track_id, narrator_name, cost, state, failure_reason, words,
  passages_done, passages_total, ready_us, expected_us, ended_early, created_at, deletes_at, new_title, kept_inside,
  coalesce(brief ->> 'given_name', '')::text AS given_name
FROM meditations
WHERE uid = @uid
  AND state NOT IN ('holding', 'abandoned', 'cancelled')
  AND (state <> 'failed' OR ended_at > @failed_since::timestamptz)
  AND (created_at, id) < (@before_time::timestamptz, @before_id::uuid)
ORDER BY created_at DESC, id DESC
LIMIT @page_size;

-- name: ListMarked :many
-- ListMarked is what was marked deleted, gone or not, the last first: all are marked for the same time.
SELECT id, title, type_id, practice_id, size_id, immersive, track_id, narrator_name, cost, state, failure_reason, words,
  passages_done, passages_total, ready_us, expected_us, ended_early, created_at, deletes_at, new_title, kept_inside,
  coalesce(brief ->> 'given_name', '')::text AS given_name
FROM meditations
WHERE uid = @uid
  AND deletes_at IS NOT NULL
  AND (deletes_at, id) < (@before_time::timestamptz, @before_id::uuid)
ORDER BY deletes_at DESC, id DESC
LIMIT @page_size;

-- name: Finished :one
-- Finished answers how many finished meditations the member has, as the trigger on meditations counts them. No row for a
-- member without any.
SELECT ready, refunded, deleted FROM meditation_counts WHERE uid = @uid;

-- name: Totals :one
-- Totals are the numbers of Finished, with what is being made and what failed since failed_since: a list asks once.
SELECT coalesce(max(c.ready), 0)::int AS ready, coalesce(max(c.refunded), 0)::int AS refunded, coalesce(max(c.deleted), 0)::int AS deleted,
  ((SELECT count(*) FROM meditations m WHERE m.uid = @uid AND m.state IN ('queued', 'writing', 'narrating', 'finishing') AND m.ended_at IS NULL)
  + (SELECT count(*) FROM meditations f WHERE f.uid = @uid AND f.state = 'failed' AND f.ended_at > @failed_since::timestamptz))::int AS unfinished
FROM meditation_counts c WHERE c.uid = @uid;

-- name: SpokenLately :many
-- SpokenLately answers the scripts of a member's last meditations before this one, the newest first. It looks at twice as many
-- meditations as it answers scripts, since what was cancelled has no script; those marked deleted are not looked at.
SELECT s.passages, lately.kept_inside
FROM (
    SELECT m.id, m.created_at, m.kept_inside FROM meditations m
    WHERE m.uid = @uid AND m.deletes_at IS NULL AND (m.created_at, m.id) < (sqlc.arg(created_at)::timestamptz, sqlc.arg(id)::uuid)
    ORDER BY m.created_at DESC, m.id DESC
    LIMIT 2 * sqlc.arg(most)::int
) lately
JOIN scripts s ON s.meditation_id = lately.id
ORDER BY lately.created_at DESC, lately.id DESC
LIMIT sqlc.arg(most)::int;
