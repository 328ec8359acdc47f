-- name: LockSearch :exec
-- One transaction at a time changes the index. Every transaction takes this lock last.
SELECT pg_advisory_xact_lock(hashtextextended('serein.content.search', 0));

-- name: SearchItem :one
SELECT * FROM search_items WHERE kind = $1 AND id = $2;

-- name: BespokeCategories :many
-- Of those that are the member's.
SELECT id, categories FROM search_items WHERE kind = 'bespoke' AND id = ANY (@ids::text[]) AND uid = @uid;

-- name: SearchItems :many
SELECT * FROM search_items WHERE number = ANY (@numbers::bigint[]);

-- name: StaleSearchItems :many
-- The next whose terms are of an older release, in the order of their numbers.
SELECT * FROM search_items WHERE form < @form ORDER BY form, number LIMIT @most;

-- name: SkipSearchBlock :exec
-- Before the first item of a release gets its number: so no block (16,384 numbers) holds items of two releases.
SELECT count(nextval('search_numbers')), count(nextval('search_bespoke_numbers')) FROM generate_series(1, 16384)
WHERE COALESCE((SELECT i.form FROM search_items i ORDER BY i.form DESC LIMIT 1), 0) < @form::int;

-- name: FirstSearchNumbers :one
-- The lowest number of the published items, and the lowest of members' own (from 2^40 on). Without items it is the highest possible number.
SELECT COALESCE((SELECT min(number) FROM search_items WHERE number < 1099511627776), 1099511627775)::bigint AS everybodys,
    COALESCE((SELECT min(number) FROM search_items WHERE number >= 1099511627776), 9223372036854775807)::bigint AS members;

-- name: SearchPostingsAfter :many
-- One page of all, by their keys.
SELECT place, word, block FROM search_postings
WHERE (place, word, block) > (@place::smallint, @word::text, @block::bigint)
ORDER BY place, word, block
LIMIT @most;

-- name: SearchItemsOfMember :many
SELECT id FROM search_items WHERE uid = $1 LIMIT 1000;

-- name: NextSearchNumber :one
SELECT nextval('search_numbers')::bigint AS number;

-- name: NextSearchBespokeNumber :one
SELECT nextval('search_bespoke_numbers')::bigint AS number;

-- name: SetSearchItem :exec
INSERT INTO search_items (number, kind, id, uid, title, body, slug, categories, confidence, immersive, seconds, unverified, form, marked)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
ON CONFLICT (number) DO UPDATE SET
    title = EXCLUDED.title, body = EXCLUDED.body, slug = EXCLUDED.slug, categories = EXCLUDED.categories, confidence = EXCLUDED.confidence,
    immersive = EXCLUDED.immersive, seconds = EXCLUDED.seconds, unverified = EXCLUDED.unverified, form = EXCLUDED.form,
    marked = EXCLUDED.marked;

-- name: DeleteSearchItem :exec
DELETE FROM search_items WHERE number = $1;

-- name: SearchPostings :many
-- The sets of those terms, in those blocks. OFFSET 0 has each looked up by the key, also where the index has just been made and
-- the planner knows nothing of it.
SELECT p.place, p.word, p.block, p.items
FROM (SELECT unnest(@places::smallint[]) AS place, unnest(@words::text[]) AS word) t
CROSS JOIN (SELECT unnest(@blocks::bigint[]) AS block) b
CROSS JOIN LATERAL (
    SELECT q.place, q.word, q.block, q.items FROM search_postings q WHERE q.place = t.place AND q.word = t.word AND q.block = b.block OFFSET 0
) p;

-- name: SearchTerms :many
-- The sets of those terms in all blocks.
SELECT p.place, p.word, p.block, p.items
FROM (SELECT unnest(@places::smallint[]) AS place, unnest(@words::text[]) AS word) t
CROSS JOIN LATERAL (SELECT q.place, q.word, q.block, q.items FROM search_postings q WHERE q.place = t.place AND q.word = t.word OFFSET 0) p;

-- name: SetSearchPostings :exec
INSERT INTO search_postings (place, word, block, items)
SELECT unnest(@places::smallint[]), unnest(@words::text[]), unnest(@blocks::bigint[]), unnest(@items::bytea[])
ON CONFLICT (place, word, block) DO UPDATE SET items = EXCLUDED.items;

-- name: DeleteSearchPostings :exec
DELETE FROM search_postings p
USING (SELECT unnest(@places::smallint[]) AS place, unnest(@words::text[]) AS word, unnest(@blocks::bigint[]) AS block) t
WHERE p.place = t.place AND p.word = t.word AND p.block = t.block;

-- name: AddSearchWords :many
-- Gives those that were not there.
INSERT INTO search_words (word) SELECT unnest(@words::text[]) ON CONFLICT DO NOTHING RETURNING word;

-- name: AddSearchSpellings :exec
INSERT INTO search_spellings (spelling, word) SELECT unnest(@spellings::text[]), unnest(@words::text[]) ON CONFLICT DO NOTHING;

-- name: DropSearchWords :exec
-- Those of them that no item has any more.
DELETE FROM search_words w
WHERE w.word = ANY (@words::text[]) AND NOT EXISTS (SELECT FROM search_postings p WHERE p.place = @place AND p.word = w.word);

-- name: SearchWordsFrom :many
-- Words with one beginning: those from it to what comes behind all of them.
SELECT word FROM search_words WHERE word >= @beginning AND word < @behind ORDER BY word LIMIT @most;

-- name: SearchWordsSpelled :many
SELECT DISTINCT p.word
FROM (SELECT unnest(@spellings::text[]) AS spelling) t
CROSS JOIN LATERAL (SELECT q.word FROM search_spellings q WHERE q.spelling = t.spelling OFFSET 0) p;

-- name: SearchVersion :one
SELECT version FROM search_version;

-- name: SetSearchVersion :exec
UPDATE search_version SET version = @version WHERE version < @version;

-- name: PublishedToSearch :many
-- One page of what readers get of a content type, the oldest first, and whether it is not in the index.
SELECT p.id, p.updated_at, NOT EXISTS (SELECT FROM search_items i WHERE i.kind = @kind AND i.id = p.id) AS missing
FROM published p
WHERE p.environment = @environment AND p.kind = 'Entry' AND p.content_type = @content_type::text
  AND p.updated_at >= @updated_at AND (p.updated_at > @updated_at OR p.id < @after)
ORDER BY p.updated_at, p.id DESC
LIMIT @most;

-- name: LockBespoke :one
SELECT * FROM search_bespoke WHERE id = $1 FOR UPDATE;

-- name: SetBespoke :exec
INSERT INTO search_bespoke (id, uid, title, seconds, immersive, state, changed_at, due_at, attempts)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT (id) DO UPDATE SET
    title = EXCLUDED.title, seconds = EXCLUDED.seconds, immersive = EXCLUDED.immersive, state = EXCLUDED.state,
    changed_at = EXCLUDED.changed_at, due_at = EXCLUDED.due_at, attempts = EXCLUDED.attempts;

-- name: ClaimBespoke :many
-- Claims meditations whose scripts are due, for one caller until a time. When that caller dies, another claims them after that time.
UPDATE search_bespoke SET due_at = @until
WHERE id = ANY (ARRAY(SELECT b.id FROM search_bespoke b WHERE b.due_at <= @now ORDER BY b.due_at LIMIT @most FOR UPDATE SKIP LOCKED))
RETURNING *;

-- name: IsBespokeOf :one
SELECT EXISTS (SELECT FROM search_bespoke WHERE id = $1 AND uid = $2 AND state = 'ready')::bool AS theirs;

-- name: DeleteBespokeOfMember :exec
DELETE FROM search_bespoke WHERE uid = $1;

-- name: SearchMember :one
SELECT next_page, filled_at FROM search_members WHERE uid = $1;

-- name: SetSearchMember :exec
-- What is filled stays so, whatever a search that is slower says.
INSERT INTO search_members (uid, next_page, filled_at) VALUES (@uid, @next_page, @filled_at)
ON CONFLICT (uid) DO UPDATE SET next_page = EXCLUDED.next_page, filled_at = EXCLUDED.filled_at WHERE search_members.filled_at IS NULL;

-- name: DeleteSearchMember :exec
DELETE FROM search_members WHERE uid = $1;
