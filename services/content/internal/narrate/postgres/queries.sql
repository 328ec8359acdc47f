-- name: WantNarration :exec
-- Writes nothing when the same narration is wanted already, or when readers no longer get the entry. A narration that is done and
-- has lost its sound is wanted again.
INSERT INTO narrations (environment, id, content_type, place, hash, state, wanted_at, next_try_at)
SELECT p.environment, p.id, p.content_type, @place, @hash, @state, @now, @now FROM published p
WHERE p.environment = @environment AND p.kind = 'Entry' AND p.id = @id AND NOT EXISTS (
    SELECT FROM narrations n WHERE n.environment = p.environment AND n.id = p.id
      AND n.hash = @hash AND n.place = @place AND (n.state <> 'done' OR @state = 'done')
)
ON CONFLICT (environment, id) DO UPDATE SET
    place = EXCLUDED.place, hash = EXCLUDED.hash, state = EXCLUDED.state, passages_done = 0, passages_total = 0,
    tries = 0, failure_reason = '', wanted_at = EXCLUDED.wanted_at, next_try_at = EXCLUDED.next_try_at;

-- name: NextNarration :one
-- What is to be narrated next: what an admin made or a reader has opened, then by place. Of one place, content types take turns: one that
-- is not the last comes first. Of one content type, what Home offers comes first.
SELECT * FROM narrations n
WHERE n.state <> 'done' AND n.next_try_at <= @now
ORDER BY n.place > 0 AND n.opened_at IS NULL, n.place, n.content_type = @last::text, NOT EXISTS (
    SELECT FROM links l JOIN published s ON s.environment = l.environment AND s.kind = 'Entry' AND s.id = l.id
    WHERE l.environment = n.environment AND l.target_kind = 'Entry' AND l.target_id = n.id
      AND l.field = 'meditation' AND s.content_type = 'storeItem'
), n.opened_at, n.wanted_at, n.id
LIMIT 1;

-- name: OpenNarration :exec
UPDATE narrations SET opened_at = @now
WHERE environment = @environment AND id = @id AND state = 'waiting' AND opened_at IS NULL;

-- name: ProgressNarration :exec
UPDATE narrations SET state = 'narrating', passages_done = @passages_done, passages_total = @passages_total, failure_reason = ''
WHERE environment = @environment AND id = @id AND hash = @hash AND state <> 'done';

-- name: PostponeNarration :exec
UPDATE narrations SET state = @state, tries = @tries, failure_reason = @failure_reason, next_try_at = @next_try_at
WHERE environment = @environment AND id = @id AND hash = @hash AND state <> 'done';

-- name: FinishNarration :exec
UPDATE narrations SET state = 'done', passages_done = passages_total, tries = 0, failure_reason = ''
WHERE environment = @environment AND id = @id AND hash = @hash;

-- name: LoseNarration :execrows
-- The file is gone: it is made again.
UPDATE narrations SET state = 'waiting', passages_done = 0, tries = 0, wanted_at = @now, next_try_at = @now
WHERE hash = @hash AND state = 'done';

-- name: Narrations :many
SELECT id, state, passages_done, passages_total FROM narrations
WHERE environment = @environment AND id = ANY (@ids::text[]);

-- name: CountNarrations :one
-- What is not narrated yet of a content type, counted to most.
SELECT count(*) FILTER (WHERE state = 'waiting') AS waiting, count(*) FILTER (WHERE state = 'narrating') AS narrating,
    count(*) FILTER (WHERE state = 'failed') AS failed
FROM (
    SELECT state FROM narrations WHERE content_type = @content_type AND state <> 'done' LIMIT @most
) AS unfinished;

-- name: KeepNarrationFile :exec
INSERT INTO narration_files (file, entry_id, bytes, made_at) VALUES (@file, @entry_id, @bytes, @made_at)
ON CONFLICT (file) DO UPDATE SET entry_id = EXCLUDED.entry_id, bytes = EXCLUDED.bytes, made_at = EXCLUDED.made_at, unnamed_at = NULL, removed = false;

-- name: NarrationFiles :many
-- A page of what is in the blob store, and whether an entry names it: a draft, in the archive too, or what readers have, in whatever
-- environment. They are counted, since the planner hopes to meet one soon where it is asked for any, and reads whole tables for that.
SELECT f.file, f.unnamed_at, (
    (SELECT count(*) FROM items i WHERE i.kind = 'Entry' AND jsonb_path_query_array(i.fields, '$.audio.*') @> to_jsonb(f.file))
    + (SELECT count(*) FROM published p WHERE p.kind = 'Entry' AND p.fields @> jsonb_build_object('audio', jsonb_build_object(@locale::text, f.file)))
    > 0
)::boolean AS named
FROM narration_files f
WHERE NOT f.removed AND f.file > @after
ORDER BY f.file
LIMIT @most;

-- name: MarkNarrationFile :exec
UPDATE narration_files SET unnamed_at = @unnamed_at, removed = @removed WHERE file = @file;
