-- The rows of the spoken sentences that the blob store keeps.

-- name: NoteSpoken :exec
-- NoteSpoken gives a row to sentences that are about to be stored. In the order of their keys, no two processes wait for each other.
INSERT INTO spoken (key, bytes, used_at, stored)
SELECT noted.key, noted.bytes, @hour::timestamptz, false
FROM (SELECT unnest(@keys::bytea[]) AS key, unnest(@bytes::int[]) AS bytes) AS noted
ORDER BY noted.key
ON CONFLICT (key) DO UPDATE SET used_at = greatest(spoken.used_at, excluded.used_at), stored = false;

-- name: UseSpoken :exec
-- UseSpoken writes down that sentences are used in that hour. A sentence that was removed meanwhile gets no row. The rows are locked in the
-- order of their keys, as in NoteSpoken.
WITH held AS (
    SELECT key FROM spoken WHERE key = ANY (@keys::bytea[]) AND used_at < @hour::timestamptz ORDER BY key FOR NO KEY UPDATE
)
UPDATE spoken SET used_at = @hour FROM held WHERE spoken.key = held.key;

-- name: HoldSpoken :many
-- HoldSpoken finds which of the sentences still have a row, and keeps these rows until the transaction ends.
SELECT key FROM spoken WHERE key = ANY (@keys::bytea[]) ORDER BY key FOR KEY SHARE;

-- name: SetSpokenStored :exec
-- SetSpokenStored writes down that the files of these sentences are stored. The rows are locked in the order of their keys, as in NoteSpoken.
WITH held AS (
    SELECT key FROM spoken WHERE key = ANY (@keys::bytea[]) AND NOT stored ORDER BY key FOR NO KEY UPDATE
)
UPDATE spoken SET stored = true FROM held WHERE spoken.key = held.key;

-- name: SpokenBytes :one
SELECT bytes FROM spoken_total WHERE one;

-- name: LeastUsedSpoken :many
-- LeastUsedSpoken locks the sentences that were used the longest ago, without those that are being stored just now.
SELECT key, bytes FROM spoken ORDER BY used_at, key LIMIT @most FOR UPDATE SKIP LOCKED;

-- name: UnstoredSpoken :many
-- UnstoredSpoken locks sentences that were noted before that hour and are not stored, without those that are being stored just now.
SELECT key FROM spoken WHERE NOT stored AND used_at < @hour::timestamptz ORDER BY used_at, key LIMIT @most FOR UPDATE SKIP LOCKED;

-- name: ForgetSpoken :exec
DELETE FROM spoken WHERE key = ANY (@keys::bytea[]);
