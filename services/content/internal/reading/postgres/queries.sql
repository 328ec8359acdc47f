-- name: SetCard :exec
INSERT INTO cards (kind, id, slug, card, lists, words, seq, form)
VALUES (@kind, @id, @slug, @card, @lists, to_tsvector('simple', @words::text), @seq, @form)
ON CONFLICT (kind, id) DO UPDATE SET
    slug = EXCLUDED.slug, card = EXCLUDED.card, lists = EXCLUDED.lists, words = EXCLUDED.words, seq = EXCLUDED.seq, form = EXCLUDED.form;

-- name: Unlist :exec
DELETE FROM listed WHERE kind = $1 AND id = $2;

-- name: List :exec
INSERT INTO listed (list, place, kind, id) SELECT unnest(@lists::text[]), unnest(@places::bigint[]), @kind, @id;

-- name: RememberNames :exec
-- The last who had a name keeps it.
INSERT INTO former_names (kind, name, id) SELECT @kind, name, @id FROM unnest(@names::text[]) AS name
ON CONFLICT (kind, name) DO UPDATE SET id = EXCLUDED.id WHERE former_names.id <> EXCLUDED.id;

-- name: StaleCards :many
-- One page of what readers get of a content type, in the order of the commits, and whether its card is of before: of another change, or of an older
-- release. A newer one's stays, for the release that takes this one's place.
SELECT p.id, p.seq, (c.id IS NULL OR c.seq <> p.seq OR c.form < @form)::bool AS stale
FROM published p LEFT JOIN cards c ON c.kind = @kind AND c.id = p.id
WHERE p.environment = 'master' AND p.kind = 'Entry' AND p.content_type = @content_type::text AND p.seq > @after
ORDER BY p.seq
LIMIT @most;

-- name: ListCards :many
-- One page of a list, behind the place and id that were last.
SELECT c.id, c.slug, c.card, l.place FROM listed l JOIN cards c ON c.kind = l.kind AND c.id = l.id
WHERE l.list = @list AND l.place <= @place AND (l.place < @place OR l.id < @id)
ORDER BY l.place DESC, l.id DESC
LIMIT @most;

-- name: SearchNearCards :many
-- Those that have all the words among the next of a list: a page of them, where it has frequent words. OFFSET 0 has them looked
-- at one after the other, until the page is full.
SELECT c.id, c.slug, c.card, n.place
FROM (
    SELECT l.kind, l.id, l.place FROM listed l
    WHERE l.list = @list AND l.place <= @place AND (l.place < @place OR l.id < @id)
    ORDER BY l.place DESC, l.id DESC
    LIMIT @near
) n
CROSS JOIN LATERAL (SELECT q.id, q.slug, q.card, q.words FROM cards q WHERE q.kind = n.kind AND q.id = n.id OFFSET 0) c
WHERE c.words @@ to_tsquery('simple', @query)
ORDER BY n.place DESC, n.id DESC
LIMIT @most;

-- name: SearchCards :many
-- One page of those of a list that have all the words, where few have. They are found by their words first, and only the page is
-- read whole. The inner SELECT keeps the words from the planner, who would else look through all cards for frequent ones.
WITH found AS MATERIALIZED (
    SELECT kind, id FROM cards WHERE words @@ (SELECT to_tsquery('simple', @query)) AND lists @> ARRAY[@list::text]
), page AS MATERIALIZED (
    SELECT l.kind, l.id, l.place FROM found f JOIN listed l ON l.kind = f.kind AND l.id = f.id AND l.list = @list
    WHERE l.place <= @place AND (l.place < @place OR l.id < @id)
    ORDER BY l.place DESC, l.id DESC
    LIMIT @most
)
SELECT c.id, c.slug, c.card, p.place FROM page p JOIN cards c ON c.kind = p.kind AND c.id = p.id
ORDER BY p.place DESC, p.id DESC;

-- name: CountFound :one
-- How many of a list have all the words, counted to a bound.
SELECT count(*)::int AS found FROM (
    SELECT FROM cards WHERE words @@ (SELECT to_tsquery('simple', @query)) AND lists @> ARRAY[@list::text] LIMIT @most
) AS counted;

-- name: CountListed :many
SELECT list, cards FROM list_counts WHERE list = ANY (@lists::text[]);

-- name: CardNamed :one
-- The one with that slug or else that id, or else the one that had that slug or title.
SELECT i.id, i.slug, i.card FROM cards i WHERE i.kind = @kind AND i.id = coalesce(
    (SELECT c.id FROM cards c WHERE c.kind = @kind AND c.slug = @name::text LIMIT 1),
    (SELECT c.id FROM cards c WHERE c.kind = @kind AND c.id = @name::text),
    (SELECT n.id FROM former_names n WHERE n.kind = @kind AND n.name = @former::text)
);

-- name: Cards :many
SELECT id, slug, card FROM cards WHERE kind = @kind AND id = ANY (@ids::text[]);
