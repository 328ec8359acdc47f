-- name: Upstream :one
SELECT * FROM upstream WHERE source = $1;

-- name: SetUpstream :exec
INSERT INTO upstream (source, token, beginning, round, synced_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (source) DO UPDATE SET token = EXCLUDED.token, beginning = EXCLUDED.beginning, round = EXCLUDED.round, synced_at = EXCLUDED.synced_at;

-- name: LastUpstreamRound :one
SELECT COALESCE(max(round), 0)::int FROM upstream;

-- name: DeleteOtherUpstreams :exec
DELETE FROM upstream WHERE source <> $1;

-- name: SetUpstreamItem :exec
INSERT INTO upstream_items (kind, id, round) VALUES ($1, $2, $3) ON CONFLICT (kind, id) DO UPDATE SET round = EXCLUDED.round;

-- name: DeleteUpstreamItem :exec
DELETE FROM upstream_items WHERE kind = $1 AND id = $2;

-- name: PublishedAfter :many
-- One page of the published items, with the sync round in which the upstream sent each, or 0 for an item that it did not send.
SELECT p.kind, p.id, COALESCE((SELECT u.round FROM upstream_items u WHERE u.kind = p.kind AND u.id = p.id), 0)::int AS round
FROM published p
WHERE p.environment = @environment AND (p.kind, p.id) > (@kind::text, @after::text)
ORDER BY p.kind, p.id
LIMIT @most;

-- name: PlainLocales :exec
-- Before others are set: none falls back on another, and none is the default.
UPDATE locales SET is_default = false, fallback_code = NULL WHERE environment = $1;

-- name: SetLocale :exec
INSERT INTO locales (environment, code, name, fallback_code, is_default) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (environment, code) DO UPDATE SET name = EXCLUDED.name, fallback_code = EXCLUDED.fallback_code, is_default = EXCLUDED.is_default,
    version = locales.version + 1;

-- name: DeleteLocalesBut :exec
DELETE FROM locales WHERE environment = @environment AND code <> ALL (@codes::text[]);
