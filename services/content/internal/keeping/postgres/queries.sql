-- name: LockMember :exec
-- What a member adds, and the end of their account, come one after the other: bounds hold, and nothing is added afterwards.
SELECT pg_advisory_xact_lock(hashtextextended('serein.content.member.' || @uid::text, 0));

-- name: Like :execrows
-- Nothing where the account is deleted.
INSERT INTO likes (uid, kind, item, liked_at) SELECT @uid, @kind, @item, @liked_at
WHERE NOT EXISTS (SELECT FROM departed WHERE departed.member = @member) ON CONFLICT (uid, kind, item) DO NOTHING;

-- name: Unlike :execrows
DELETE FROM likes WHERE uid = $1 AND kind = $2 AND item = $3;

-- name: CountSaved :one
-- What readers get no more is left out of their list, and takes no room in it.
SELECT count(*)::int AS saved FROM saved s
WHERE s.uid = @uid AND (s.kind = 'bespoke' OR EXISTS (SELECT FROM cards c WHERE c.kind = s.kind AND c.id = s.item));

-- name: Save :execrows
-- Nothing where the account is deleted.
INSERT INTO saved (uid, kind, item, saved_at) SELECT @uid, @kind, @item, @saved_at
WHERE NOT EXISTS (SELECT FROM departed WHERE departed.member = @member) ON CONFLICT (uid, kind, item) DO NOTHING;

-- name: Unsave :execrows
DELETE FROM saved WHERE uid = $1 AND kind = $2 AND item = $3;

-- name: IsSaved :one
SELECT EXISTS (SELECT FROM saved WHERE uid = $1 AND kind = $2 AND item = $3)::bool AS saved;

-- name: ListSaved :many
-- One page of what a member has saved and gets still, the last first, behind what was saved at that moment.
SELECT c.id, c.slug, c.card, s.saved_at FROM saved s JOIN cards c ON c.kind = s.kind AND c.id = s.item
WHERE s.uid = @uid AND s.kind = @kind AND s.saved_at <= @saved_at AND (s.saved_at < @saved_at OR s.item < @item)
  AND c.intro = @intro AND (c.verified OR @all_cards::bool)
ORDER BY s.saved_at DESC, s.item DESC
LIMIT @most;

-- name: SearchSaved :many
-- ListSaved of those that have all the words. OFFSET 0 has the cards looked at one after the other, until the page is full: a member has few,
-- whatever the words are.
SELECT c.id, c.slug, c.card, s.saved_at FROM saved s
CROSS JOIN LATERAL (
    SELECT q.id, q.slug, q.card, q.words FROM cards q
    WHERE q.kind = s.kind AND q.id = s.item AND q.intro = @intro::bool AND (q.verified OR @all_cards::bool) OFFSET 0
) c
WHERE s.uid = @uid AND s.kind = @kind AND s.saved_at <= @saved_at AND (s.saved_at < @saved_at OR s.item < @item)
  AND c.words @@ to_tsquery('simple', @query)
ORDER BY s.saved_at DESC, s.item DESC
LIMIT @most;

-- name: CountSavedCards :many
-- How much of each list a member gets still.
SELECT c.kind, c.intro, count(*)::int AS saved FROM saved s JOIN cards c ON c.kind = s.kind AND c.id = s.item
WHERE s.uid = @uid AND (c.verified OR @all_cards::bool)
GROUP BY c.kind, c.intro;

-- name: CountSavedFound :many
-- CountSavedCards of those that have all the words.
SELECT c.kind, c.intro, count(*)::int AS saved FROM saved s
CROSS JOIN LATERAL (
    SELECT q.kind, q.intro, q.words FROM cards q WHERE q.kind = s.kind AND q.id = s.item AND (q.verified OR @all_cards::bool) OFFSET 0
) c
WHERE s.uid = @uid AND c.words @@ to_tsquery('simple', @query)
GROUP BY c.kind, c.intro;

-- name: ListKept :many
-- What a member has saved or likes of what they get still, the last first: at most so many of each.
(SELECT true::bool AS saved, s.kind, s.item, s.saved_at AS at, coalesce(c.card ->> 'Title', '')::text AS title,
    coalesce(c.card ->> 'At', '')::text AS made
FROM saved s LEFT JOIN cards c ON c.kind = s.kind AND c.id = s.item
WHERE s.uid = @uid AND (s.kind = 'bespoke' OR (c.id IS NOT NULL AND (@all_cards::bool OR (c.card -> 'Verified')::bool)))
ORDER BY s.saved_at DESC, s.item DESC LIMIT @most)
UNION ALL
(SELECT false, l.kind, l.item, l.liked_at, coalesce(c.card ->> 'Title', ''), coalesce(c.card ->> 'At', '')
FROM likes l LEFT JOIN cards c ON c.kind = l.kind AND c.id = l.item
WHERE l.uid = @uid AND (l.kind = 'bespoke' OR (c.id IS NOT NULL AND (@all_cards::bool OR (c.card -> 'Verified')::bool)))
ORDER BY l.liked_at DESC, l.item DESC LIMIT @most);

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
