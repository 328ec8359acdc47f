-- name: LockMember :exec
-- What a member adds, and the end of their account, come one after the other: bounds hold, and nothing is added afterwards.
SELECT pg_advisory_xact_lock(hashtextextended('serein.content.member.' || @uid::text, 0));

-- name: NewestPlace :one
-- What a member began last, and its title where it is known.
SELECT p.turn, p.device, p.playing, p.written_at, coalesce(c.card ->> 'Title', b.title, '')::text AS title FROM places p
LEFT JOIN cards c ON c.kind = p.kind AND c.id = p.item
LEFT JOIN search_bespoke b ON p.kind = 'bespoke' AND b.id = CASE WHEN p.kind = 'bespoke' THEN p.item::uuid END AND b.uid = p.uid AND b.state = 'ready'
WHERE p.uid = $1 ORDER BY p.turn DESC LIMIT 1;

-- name: BeginTurn :execrows
-- The place stays as it was. Nothing where the account is deleted.
INSERT INTO places (uid, kind, item, turn, step, device, playing, position_ms, duration_ms, finished, written_at)
SELECT @uid, @kind, @item, @turn, 0, @device, true, 0, 0, false, @now
WHERE NOT EXISTS (SELECT FROM departed WHERE departed.member = @member)
ON CONFLICT (uid, kind, item) DO UPDATE SET turn = EXCLUDED.turn, step = 0, device = EXCLUDED.device, playing = true, written_at = EXCLUDED.written_at;

-- name: TrimPlaces :exec
-- Only those that were begun last stay.
DELETE FROM places WHERE places.uid = @uid AND places.turn <= (SELECT p.turn FROM places p WHERE p.uid = @uid ORDER BY p.turn DESC OFFSET @kept LIMIT 1);

-- name: WritePlace :one
-- Writes where this is the newest write of the item's newest turn, and gives that turn and the member's newest; 0 for none.
WITH written AS (
    UPDATE places SET step = @step, playing = @playing, position_ms = @position_ms, duration_ms = @duration_ms, finished = @finished, written_at = @now
    WHERE places.uid = @uid AND places.kind = @kind AND places.item = @item AND places.turn = @turn AND places.step < @step
)
SELECT coalesce((SELECT p.turn FROM places p WHERE p.uid = @uid AND p.kind = @kind AND p.item = @item), 0)::bigint AS of_item,
    coalesce((SELECT n.turn FROM places n WHERE n.uid = @uid ORDER BY n.turn DESC LIMIT 1), 0)::bigint AS newest;

-- name: PlaceBefore :one
-- What a write of that turn and step would change; none where it is stale.
SELECT playing, position_ms, written_at FROM places WHERE uid = $1 AND kind = $2 AND item = $3 AND turn = $4 AND step < $5 FOR UPDATE;

-- name: LastPlace :one
SELECT turn, position_ms FROM places WHERE uid = $1 AND kind = $2 AND item = $3;

-- name: ListPlaces :many
-- What a member has begun and not heard to its end, the last first.
SELECT p.kind, p.item, p.position_ms, p.duration_ms, p.written_at, coalesce(c.slug, '')::text AS slug, coalesce(c.card, '{}')::jsonb AS card
FROM places p LEFT JOIN cards c ON c.kind = p.kind AND c.id = p.item
WHERE p.uid = @uid AND p.position_ms > 0 AND (p.kind = 'bespoke' OR c.id IS NOT NULL)
ORDER BY p.turn DESC
LIMIT @most;

-- name: ExportPlaces :many
-- All that is kept of a member's listening, the last first.
SELECT p.kind, p.item, p.position_ms, p.duration_ms, p.finished, p.written_at,
    coalesce(CASE WHEN c.verified OR @all_cards::bool THEN c.card ->> 'Title' END, '')::text AS title
FROM places p LEFT JOIN cards c ON c.kind = p.kind AND c.id = p.item
WHERE p.uid = @uid
ORDER BY p.turn DESC;

-- name: DeletePlaces :exec
DELETE FROM places WHERE uid = $1;

-- name: DeleteBespokePlaces :exec
DELETE FROM places WHERE kind = 'bespoke' AND item = $1;
