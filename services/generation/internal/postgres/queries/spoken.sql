-- The rows of the spoken sentences that the blob store keeps.

-- name: NoteSpoken :exec
-- NoteSpoken writes down that sentences are used on that day. In the order of their keys, no two processes wait for each other.
INSERT INTO spoken (key, bytes, used_on)
SELECT noted.key, noted.bytes, @day::date
FROM (SELECT unnest(@keys::bytea[]) AS key, unnest(@bytes::int[]) AS bytes) AS noted
ORDER BY noted.key
ON CONFLICT (key) DO UPDATE SET used_on = excluded.used_on WHERE spoken.used_on < excluded.used_on;

-- name: HoldSpoken :many
-- HoldSpoken finds which of the sentences still have a row, and keeps these rows until the transaction ends.
SELECT key FROM spoken WHERE key = ANY (@keys::bytea[]) ORDER BY key FOR KEY SHARE;

-- name: SpokenBytes :one
SELECT bytes FROM spoken_total WHERE one;

-- name: LeastUsedSpoken :many
-- LeastUsedSpoken locks the sentences that were used the longest ago, without those that are being stored just now.
SELECT key, bytes FROM spoken ORDER BY used_on, key LIMIT @most FOR UPDATE SKIP LOCKED;

-- name: ForgetSpoken :exec
DELETE FROM spoken WHERE key = ANY (@keys::bytea[]);
