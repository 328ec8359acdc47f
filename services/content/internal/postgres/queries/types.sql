-- name: ContentType :one
SELECT * FROM content_types WHERE environment = $1 AND id = $2;

-- name: LockContentType :one
SELECT * FROM content_types WHERE environment = $1 AND id = $2 FOR UPDATE;

-- name: ContentTypes :many
-- An environment has some dozens.
SELECT * FROM content_types WHERE environment = $1 ORDER BY id LIMIT 1000;

-- name: CountEntries :many
-- Of each content type that has had any.
SELECT content_type, entries FROM entry_counts WHERE environment = $1 LIMIT 1000;

-- name: InsertContentType :execrows
-- Who comes second changes nothing.
INSERT INTO content_types (environment, id, name, description, display_field, fields, version, created_at, updated_at, seed_hash, edited_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
ON CONFLICT (environment, id) DO NOTHING;

-- name: UpdateContentType :exec
UPDATE content_types SET name = $3, description = $4, display_field = $5, fields = $6, version = $7, updated_at = $8, seed_hash = $9, edited_at = $10
WHERE environment = $1 AND id = $2;

-- name: DeleteContentType :execrows
DELETE FROM content_types WHERE environment = $1 AND id = $2;

-- name: Locales :many
SELECT * FROM locales WHERE environment = $1 ORDER BY is_default DESC, code LIMIT 1000;

-- name: Environments :many
SELECT * FROM environments ORDER BY id LIMIT 1000;

-- name: Environment :one
SELECT * FROM environments WHERE id = $1;

-- name: CountEnvironments :one
SELECT count(*)::int AS environments FROM environments;

-- name: LockEnvironment :one
-- Nothing is made in it from now on.
SELECT * FROM environments WHERE id = $1 FOR UPDATE;

-- name: InsertEnvironment :execrows
-- Who comes second changes nothing.
INSERT INTO environments (id, created_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING;
