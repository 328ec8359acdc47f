-- name: LockChanges :exec
-- Held until the commit, so that the order of the numbers is the order of the commits.
SELECT pg_advisory_xact_lock(hashtextextended('serein.content.changes', 0));

-- name: NextChange :one
SELECT nextval('changes')::bigint AS seq;

-- name: Publish :one
-- Whether it is withheld from readers of the delivery API, and whether these had it before.
WITH before AS (SELECT withheld FROM published WHERE environment = $1 AND kind = $2 AND id = $3)
INSERT INTO published (environment, kind, id, content_type, revision, version, fields, tags, concepts, created_at, first_published_at, updated_at, seq)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
ON CONFLICT (environment, kind, id) DO UPDATE SET
    revision = EXCLUDED.revision, version = EXCLUDED.version, fields = EXCLUDED.fields, tags = EXCLUDED.tags,
    concepts = EXCLUDED.concepts, updated_at = EXCLUDED.updated_at, seq = EXCLUDED.seq
RETURNING withheld, EXISTS (SELECT FROM before b WHERE NOT b.withheld) AS had;

-- name: Forget :exec
-- It is there again.
DELETE FROM deletions WHERE environment = $1 AND kind = $2 AND id = $3;

-- name: Withdraw :one
DELETE FROM published WHERE environment = $1 AND kind = $2 AND id = $3 RETURNING withheld;

-- name: InsertDeletion :exec
INSERT INTO deletions (environment, kind, id, content_type, revision, created_at, deleted_at, seq) VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- name: DeleteLinks :exec
DELETE FROM links WHERE environment = $1 AND id = $2;

-- name: InsertLinks :exec
INSERT INTO links (environment, id, field, target_kind, target_id)
SELECT @environment, @id, unnest(@fields::text[]), unnest(@kinds::text[]), unnest(@targets::text[]);

-- name: HasValue :one
-- Whether another published entry of the content type has the value. It counts, because for an EXISTS or LIMIT 1 the planner may
-- choose to scan the table from its beginning.
SELECT count(*) > 0 AS taken FROM published
WHERE environment = @environment AND kind = 'Entry' AND content_type = @content_type AND id <> @id AND fields @> @value::jsonb;

-- name: Published :one
SELECT * FROM published WHERE environment = $1 AND kind = $2 AND id = $3;

-- name: HasFile :one
-- Whether readers have an asset with that file, in an environment or, where that is empty, in any.
SELECT count(*) > 0 AS there FROM published
WHERE kind = 'Asset' AND jsonb_path_query_array(fields, '$.file.*.url') @> to_jsonb(@url::text) AND (@environment::text = '' OR environment = @environment);

-- name: Categories :many
-- The editors' categories, of which there are thirteen, in their order.
SELECT p.id, COALESCE(p.fields -> 'name' ->> l.code, '')::text AS name
FROM locales l JOIN published p ON p.environment = l.environment
WHERE l.environment = $1 AND l.is_default AND p.kind = 'Entry' AND p.content_type = 'category'
ORDER BY (p.fields -> 'order' ->> l.code)::float8, p.id
LIMIT 100;

-- name: PublishedSince :many
-- What readers get of a content type and was published since that number, in the order of the commits.
SELECT * FROM published
WHERE environment = @environment AND kind = 'Entry' AND content_type = @content_type::text AND seq > @after
ORDER BY seq
LIMIT @most;

-- name: EntriesWith :many
-- What readers get and has that value, in whatever environment.
SELECT * FROM published WHERE kind = 'Entry' AND fields @> @value::jsonb;

-- name: MadeFor :many
-- What readers get of the entry for which a file was made.
SELECT p.* FROM published p JOIN narration_files f ON f.entry_id = p.id
WHERE f.file = @file AND p.environment = @environment AND p.kind = 'Entry';

-- name: PublishedOfAll :many
-- All that readers get of content types that have few, in one snapshot. Each is read by its own index: all of them in the order
-- of time would be searched for among everything.
SELECT of_type.* FROM unnest(@content_types::text[]) AS asked (content_type)
CROSS JOIN LATERAL (
    SELECT * FROM published p
    WHERE p.environment = @environment AND p.kind = 'Entry' AND p.content_type = asked.content_type
    ORDER BY p.updated_at DESC, p.id
    LIMIT 200
) AS of_type;

-- name: PublishedWith :many
-- Those of a content type that have a value.
SELECT * FROM published
WHERE environment = @environment AND kind = 'Entry' AND content_type = @content_type::text AND fields @> @value::jsonb;

-- name: PublishedAssets :many
SELECT id, fields FROM published WHERE environment = @environment AND kind = 'Asset' AND id = ANY (@ids::text[]);

-- name: PublishedEntries :many
SELECT * FROM published WHERE environment = @environment AND kind = 'Entry' AND id = ANY (@ids::text[]);

-- name: PublishedTypes :many
-- The content types of entries that readers get.
SELECT id, coalesce(content_type, '')::text AS content_type FROM published
WHERE environment = @environment AND kind = 'Entry' AND id = ANY (@ids::text[]);
