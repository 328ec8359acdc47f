-- name: Item :one
SELECT * FROM items WHERE environment = $1 AND kind = $2 AND id = $3;

-- name: LockItem :one
-- One transaction at a time changes an item.
SELECT * FROM items WHERE environment = $1 AND kind = $2 AND id = $3 FOR UPDATE;

-- name: InsertItem :execrows
-- The second of two simultaneous inserts changes nothing.
INSERT INTO items (environment, kind, id, content_type, version, published_version, revision, fields, tags, concepts,
    created_at, updated_at, first_published_at, archived_at, seed, seed_hash, edited_at, title, made_at, deleted_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
ON CONFLICT (environment, kind, id) DO NOTHING;

-- name: UpdateItem :exec
UPDATE items SET
    version = $4, published_version = $5, revision = $6, fields = $7, tags = $8, concepts = $9, updated_at = $10,
    first_published_at = $11, archived_at = $12, seed = $13, seed_hash = $14, edited_at = $15, title = $16, deleted_at = $17
WHERE environment = $1 AND kind = $2 AND id = $3;

-- name: DeleteItem :exec
DELETE FROM items WHERE environment = $1 AND kind = $2 AND id = $3;

-- name: ListEntries :many
-- One page of a content type's drafts, the newest first, behind the one that was last.
SELECT * FROM items
WHERE environment = @environment AND kind = 'Entry' AND content_type = @content_type
  AND updated_at <= @updated_at AND (updated_at < @updated_at OR id > @after)
ORDER BY updated_at DESC, id
LIMIT @most;

-- name: ListAssets :many
SELECT * FROM items
WHERE environment = @environment AND kind = 'Asset' AND content_type IS NULL
  AND updated_at <= @updated_at AND (updated_at < @updated_at OR id > @after)
ORDER BY updated_at DESC, id
LIMIT @most;

-- name: SearchEntries :many
-- Those whose title has words that begin so. They are found by the index of words alone: a planner that expects many
-- of them reads the whole list in its order.
WITH found AS MATERIALIZED (SELECT * FROM items WHERE to_tsvector('simple', title) @@ sqlc.arg(words)::text::tsquery)
SELECT * FROM found
WHERE environment = @environment AND kind = 'Entry' AND content_type = @content_type
  AND updated_at <= @updated_at AND (updated_at < @updated_at OR id > @after)
ORDER BY updated_at DESC, id
LIMIT @most;

-- name: SearchAssets :many
WITH found AS MATERIALIZED (SELECT * FROM items WHERE to_tsvector('simple', title) @@ sqlc.arg(words)::text::tsquery)
SELECT * FROM found
WHERE environment = @environment AND kind = 'Asset' AND content_type IS NULL
  AND updated_at <= @updated_at AND (updated_at < @updated_at OR id > @after)
ORDER BY updated_at DESC, id
LIMIT @most;

-- name: TypesOf :many
-- The content types of those entries that exist.
SELECT id, content_type::text AS content_type FROM items
WHERE environment = @environment AND kind = 'Entry' AND id = ANY (@ids::text[]);

-- name: SupersedeRevision :one
-- The act that was the last one becomes one of the past; its fields are those before the act that follows.
UPDATE revisions SET superseded = true WHERE environment = $1 AND kind = $2 AND id = $3 AND NOT superseded RETURNING fields;

-- name: InsertRevision :exec
INSERT INTO revisions (environment, kind, id, content_type, title, version, act, actor, at, fields, changed)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- name: LastRevision :one
SELECT act, actor FROM revisions WHERE environment = $1 AND kind = $2 AND id = $3 AND NOT superseded;

-- name: RevisionFields :one
-- What the item held in that version.
SELECT content_type, fields FROM revisions WHERE environment = $1 AND kind = $2 AND id = $3 AND version = $4 ORDER BY number DESC LIMIT 1;

-- name: SaidOtherwise :one
-- Whether other words of that content type were ever published under this version, which is a day. Their title is no part of what is agreed to.
SELECT EXISTS (
    SELECT FROM revisions
    WHERE environment = @environment AND kind = 'Entry' AND content_type = @content_type AND act = 'publish'
      AND left(fields->'version'->> @locale::text, 10) = left(@fields::jsonb ->'version'->> @locale::text, 10)
      AND (fields->'description' IS DISTINCT FROM @fields::jsonb ->'description' OR fields->'body' IS DISTINCT FROM @fields::jsonb ->'body')
);

-- name: ListRevisions :many
-- One page of an item's audit log, newest first. Empty words match all entries.
SELECT number, kind, id, content_type, title, version, act, actor, at, changed FROM revisions
WHERE environment = @environment AND kind = @kind AND id = @id AND number < @below
  AND (sqlc.arg(words)::text = '' OR to_tsvector('simple', title) || array_to_tsvector(ARRAY[act, lower(actor), replace(lower(actor), 'client:', '')]) @@ sqlc.arg(words)::text::tsquery)
ORDER BY number DESC
LIMIT @most;

-- name: ListAllRevisions :many
-- One page of the whole audit log.
SELECT number, kind, id, content_type, title, version, act, actor, at, changed FROM revisions
WHERE environment = @environment AND number < @below
ORDER BY number DESC
LIMIT @most;

-- name: SearchNearRevisions :many
-- SearchRevisions among the next entries of the audit log. It fills a page when many entries match.
SELECT number, kind, id, content_type, title, version, act, actor, at, changed FROM (
    SELECT r.number, r.kind, r.id, r.content_type, r.title, r.version, r.act, r.actor, r.at, r.changed FROM revisions r
    WHERE r.environment = @environment AND r.number < @below
    ORDER BY r.number DESC
    LIMIT @near
) n
WHERE to_tsvector('simple', title) || array_to_tsvector(ARRAY[act, lower(actor), replace(lower(actor), 'client:', '')]) @@ sqlc.arg(words)::text::tsquery
ORDER BY number DESC
LIMIT @most;

-- name: SearchRevisions :many
-- Those of which title, act or actor has words that begin so, found as SearchEntries finds them.
WITH found AS MATERIALIZED (
    SELECT number, environment, kind, id, content_type, title, version, act, actor, at, changed FROM revisions
    WHERE to_tsvector('simple', title) || array_to_tsvector(ARRAY[act, lower(actor), replace(lower(actor), 'client:', '')]) @@ sqlc.arg(words)::text::tsquery
)
SELECT number, kind, id, content_type, title, version, act, actor, at, changed FROM found
WHERE environment = @environment AND number < @below
ORDER BY number DESC
LIMIT @most;
