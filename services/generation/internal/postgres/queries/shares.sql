-- A link runs for as long as its row is there.

-- name: PutShare :one
-- PutShare makes the meditation's link, or sets the name that the running one shows: what stands in it stays.
INSERT INTO shares (meditation_id, uid, token_hash, sealed_token, shown_name, created_at)
VALUES (@meditation_id, @uid, @token_hash, @sealed_token, @shown_name, @created_at)
ON CONFLICT (meditation_id) DO UPDATE SET shown_name = excluded.shown_name
RETURNING *;

-- name: MayLink :one
-- MayLink says whether a link of that time may be made. Until the commit nobody ends all links of the member's.
SELECT (links_ended_until IS NULL OR links_ended_until < @created_at::timestamptz)::bool AS may FROM meditation_counts WHERE uid = @uid FOR SHARE;

-- name: EndLinksUntil :exec
-- EndLinksUntil has no link made whose time is up to that one. A link needs a finished meditation, and so the member has a row.
UPDATE meditation_counts SET links_ended_until = greatest(links_ended_until, @until::timestamptz) WHERE uid = @uid;

-- name: ShareOf :one
SELECT * FROM shares WHERE meditation_id = @meditation_id AND uid = @uid;

-- name: SharesOf :many
SELECT * FROM shares WHERE uid = @uid AND meditation_id > @after ORDER BY meditation_id LIMIT @most;

-- name: EndShare :exec
DELETE FROM shares WHERE meditation_id = @meditation_id;

-- name: EndSharesOf :exec
-- EndSharesOf ends those that were made by then; all where no time is given.
DELETE FROM shares WHERE uid = @uid AND (sqlc.narg(made_by)::timestamptz IS NULL OR created_at <= sqlc.narg(made_by));

-- name: Shared :one
-- Shared finds what a link leads to. What is marked deleted has no link; that is asked again here.
SELECT sqlc.embed(meditations), sqlc.embed(shares)
FROM shares JOIN meditations ON meditations.id = shares.meditation_id
WHERE shares.token_hash = @token_hash AND meditations.state = 'ready' AND meditations.deletes_at IS NULL;
