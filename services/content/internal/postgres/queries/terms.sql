-- name: Tag :one
SELECT * FROM tags WHERE environment = $1 AND id = $2;

-- name: ListTags :many
SELECT * FROM tags WHERE environment = @environment AND id > @after ORDER BY id LIMIT @most;

-- name: SetTag :one
-- A new one, or another name for one that is there; no row where the version is not the one that was seen (0 for a new one).
INSERT INTO tags AS t (environment, id, name, created_at, updated_at) VALUES (@environment, @id, @name, @now, @now)
ON CONFLICT (environment, id) DO UPDATE SET name = EXCLUDED.name, version = t.version + 1, updated_at = EXCLUDED.updated_at
WHERE t.version = @version
RETURNING *;

-- name: ApplyTag :exec
-- As the editors' file has it now, whatever it was.
INSERT INTO tags AS t (environment, id, name, created_at, updated_at) VALUES (@environment, @id, @name, @now, @now)
ON CONFLICT (environment, id) DO UPDATE SET name = EXCLUDED.name, version = t.version + 1, updated_at = EXCLUDED.updated_at
WHERE t.name <> EXCLUDED.name;

-- name: DeleteTag :execrows
DELETE FROM tags WHERE environment = $1 AND id = $2;

-- name: ConceptScheme :one
SELECT * FROM concept_schemes WHERE id = $1;

-- name: ListConceptSchemes :many
SELECT * FROM concept_schemes WHERE id > @after ORDER BY id LIMIT @most;

-- name: SetConceptScheme :one
INSERT INTO concept_schemes AS s (id, pref_label, definition, created_at, updated_at) VALUES (@id, @pref_label, @definition, @now, @now)
ON CONFLICT (id) DO UPDATE SET pref_label = EXCLUDED.pref_label, definition = EXCLUDED.definition, version = s.version + 1, updated_at = EXCLUDED.updated_at
WHERE s.version = @version
RETURNING *;

-- name: ApplyConceptScheme :exec
INSERT INTO concept_schemes AS s (id, pref_label, definition, created_at, updated_at) VALUES (@id, @pref_label, @definition, @now, @now)
ON CONFLICT (id) DO UPDATE SET pref_label = EXCLUDED.pref_label, definition = EXCLUDED.definition, version = s.version + 1, updated_at = EXCLUDED.updated_at
WHERE (s.pref_label, s.definition) IS DISTINCT FROM (EXCLUDED.pref_label, EXCLUDED.definition);

-- name: Concept :one
SELECT c.*, ARRAY(SELECT b.broader FROM concept_broader b WHERE b.concept = c.id ORDER BY b.broader)::text[] AS broader
FROM concepts c WHERE c.id = $1;

-- name: ListConcepts :many
-- Of one scheme.
SELECT c.*, ARRAY(SELECT b.broader FROM concept_broader b WHERE b.concept = c.id ORDER BY b.broader)::text[] AS broader
FROM concepts c WHERE c.scheme = @scheme AND c.id > @after ORDER BY c.id LIMIT @most;

-- name: SetConcept :one
INSERT INTO concepts AS c (id, scheme, pref_label, alt_labels, definition, top, created_at, updated_at)
VALUES (@id, @scheme, @pref_label, @alt_labels, @definition, @top, @now, @now)
ON CONFLICT (id) DO UPDATE SET pref_label = EXCLUDED.pref_label, alt_labels = EXCLUDED.alt_labels, definition = EXCLUDED.definition,
    top = EXCLUDED.top, version = c.version + 1, updated_at = EXCLUDED.updated_at
WHERE c.version = @version
RETURNING *;

-- name: DeleteBroader :exec
DELETE FROM concept_broader WHERE concept = $1;

-- name: InsertBroader :exec
INSERT INTO concept_broader (concept, broader) SELECT @concept, b FROM unnest(@broader::text[]) AS b;

-- name: IsNarrower :one
-- Whether one of the candidates lies below the concept, at whatever depth: then it cannot be above it as well.
WITH RECURSIVE below AS (
    SELECT b.concept FROM concept_broader b WHERE b.broader = @concept
    UNION
    SELECT b.concept FROM concept_broader b JOIN below ON b.broader = below.concept
)
SELECT EXISTS (SELECT 1 FROM below WHERE below.concept = ANY (@candidates::text[])) AS circle;

-- name: DeleteConcept :execrows
DELETE FROM concepts WHERE id = $1;

-- name: LockConcepts :exec
SELECT pg_advisory_xact_lock(hashtextextended('serein.content.concepts', 0));
