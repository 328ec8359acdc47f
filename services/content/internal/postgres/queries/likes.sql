-- name: Like :execrows
INSERT INTO likes (uid, kind, item, liked_at) VALUES ($1, $2, $3, $4) ON CONFLICT (uid, kind, item) DO NOTHING;

-- name: Unlike :execrows
DELETE FROM likes WHERE uid = $1 AND kind = $2 AND item = $3;

-- name: LockSaved :exec
-- Whoever adds to what a member has saved comes alone, so that the bound holds.
SELECT pg_advisory_xact_lock(hashtextextended('serein.content.saved.' || @uid::text, 0));

-- name: CountSaved :one
SELECT count(*)::int AS saved FROM saved WHERE uid = $1;

-- name: Save :execrows
INSERT INTO saved (uid, kind, item, saved_at) VALUES ($1, $2, $3, $4) ON CONFLICT (uid, kind, item) DO NOTHING;

-- name: Unsave :execrows
DELETE FROM saved WHERE uid = $1 AND kind = $2 AND item = $3;

-- name: IsSaved :one
SELECT EXISTS (SELECT FROM saved WHERE uid = $1 AND kind = $2 AND item = $3)::bool AS saved;

-- name: ListSaved :many
-- One page of what a member has saved and gets still, the last first, behind what was saved at that moment.
SELECT c.id, c.slug, c.card, s.saved_at FROM saved s JOIN cards c ON c.kind = s.kind AND c.id = s.item
WHERE s.uid = @uid AND s.kind = @kind AND s.saved_at <= @saved_at AND (s.saved_at < @saved_at OR s.item < @item)
  AND (@all_cards::bool OR (c.card -> 'Verified')::bool)
ORDER BY s.saved_at DESC, s.item DESC
LIMIT @most;

-- name: CountSavedCards :one
SELECT count(*)::int AS saved FROM saved s JOIN cards c ON c.kind = s.kind AND c.id = s.item
WHERE s.uid = @uid AND s.kind = @kind AND (@all_cards::bool OR (c.card -> 'Verified')::bool);

-- name: Standings :many
-- What all members and this one did with items.
SELECT i.item::text AS item, coalesce(c.likes, 0)::int AS likes, (l.uid IS NOT NULL)::bool AS liked, (s.uid IS NOT NULL)::bool AS saved
FROM unnest(@items::text[]) AS i (item)
LEFT JOIN like_counts c ON c.kind = @kind AND c.item = i.item
LEFT JOIN likes l ON l.uid = @uid AND l.kind = @kind AND l.item = i.item
LEFT JOIN saved s ON s.uid = @uid AND s.kind = @kind AND s.item = i.item;

-- name: DeleteLikes :exec
DELETE FROM likes WHERE uid = $1;

-- name: DeleteSaved :exec
DELETE FROM saved WHERE uid = $1;

-- name: DeleteBespokeSaved :exec
DELETE FROM saved WHERE kind = 'bespoke' AND item = $1;

-- name: DeleteBespokeLikes :exec
DELETE FROM likes WHERE kind = 'bespoke' AND item = $1;
