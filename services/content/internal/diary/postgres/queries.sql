-- name: LockMember :exec
-- What a member adds, and the end of their account, come one after the other: bounds hold, and nothing is added afterwards.
SELECT pg_advisory_xact_lock(hashtextextended('serein.content.member.' || @uid::text, 0));

-- name: KeepsDiary :one
SELECT EXISTS (SELECT FROM diary_keepers WHERE uid = $1);

-- name: KeepDiary :exec
-- Nothing where the account is deleted.
INSERT INTO diary_keepers (uid, since) SELECT @uid, @now WHERE NOT EXISTS (SELECT FROM departed WHERE departed.member = @member)
ON CONFLICT DO NOTHING;

-- name: EndDiary :exec
DELETE FROM diary_keepers WHERE uid = $1;

-- name: DropUnshown :exec
-- Of a member, the sittings of which too little was heard.
DELETE FROM diary_entries WHERE uid = $1 AND NOT shown;

-- name: Sitting :one
-- The sitting that a member had with an item last.
SELECT id, heard_ms, heard_at, line, (removed_at IS NOT NULL)::bool AS removed FROM diary_entries
WHERE uid = $1 AND kind = $2 AND item = $3 AND kind <> '' ORDER BY at DESC LIMIT 1;

-- name: GoOn :exec
-- More was heard in a sitting. Its title is asked for again while it is not known.
UPDATE diary_entries e SET heard_ms = @heard_ms, heard_at = @now, finished = e.finished OR @finished, shown = e.shown OR @shown,
    title = CASE WHEN e.title = '' THEN coalesce((SELECT b.title FROM search_bespoke b
        WHERE b.id = CASE WHEN e.kind = 'bespoke' AND e.item <> '' THEN e.item::uuid END AND b.uid = e.uid AND b.state = 'ready'), '') ELSE e.title END
WHERE e.uid = @uid AND e.id = @id;

-- name: BeginSitting :exec
-- A sitting begins. Nothing where the account is deleted.
INSERT INTO diary_entries (uid, id, kind, item, title, day, at, heard_at, heard_ms, finished, shown, line)
SELECT @uid, @id, @kind::text, @item::text, coalesce(
        (SELECT c.card ->> 'Title' FROM cards c WHERE c.kind = @kind AND c.id = @item),
        (SELECT b.title FROM search_bespoke b WHERE b.id = CASE WHEN @kind = 'bespoke' THEN @item::uuid END AND b.uid = @uid AND b.state = 'ready'),
    ''), @day, @began, @now, @heard_ms, @finished, @shown, ''
WHERE NOT EXISTS (SELECT FROM departed WHERE departed.member = @member);

-- name: CountEntries :one
SELECT count(*) FROM diary_entries WHERE uid = $1 AND removed_at IS NULL;

-- name: AddEntry :exec
-- By hand. Nothing where the account is deleted, and where the entry is there.
INSERT INTO diary_entries (uid, id, kind, item, title, day, at, heard_at, heard_ms, finished, shown, line)
SELECT @uid, @id, '', '', '', @day, @now, @now, 0, false, true, @line
WHERE NOT EXISTS (SELECT FROM departed WHERE departed.member = @member)
ON CONFLICT DO NOTHING;

-- name: HasEntry :one
SELECT EXISTS (SELECT FROM diary_entries WHERE uid = $1 AND id = $2);

-- name: ChangeLine :execrows
UPDATE diary_entries SET line = @line WHERE uid = @uid AND id = @id AND shown AND removed_at IS NULL AND (kind <> '' OR @line <> '');

-- name: DropRemoved :exec
DELETE FROM diary_entries WHERE uid = @uid AND removed_at IS NOT NULL AND id <> @id;

-- name: RemoveEntry :execrows
UPDATE diary_entries SET removed_at = @now WHERE uid = @uid AND id = @id AND removed_at IS NULL;

-- name: RestoreEntry :execrows
UPDATE diary_entries SET removed_at = NULL WHERE uid = $1 AND id = $2 AND removed_at IS NOT NULL;

-- name: EmptyDiary :exec
DELETE FROM diary_entries WHERE uid = $1;

-- name: UnlinkBespoke :exec
-- What was heard and written stays; the meditation is gone.
UPDATE diary_entries SET item = '' WHERE kind = 'bespoke' AND item = $1;

-- name: DiaryEntry :one
SELECT sqlc.embed(e), coalesce(c.slug, '')::text AS slug, coalesce((c.card ->> 'Immersive')::bool, false)::bool AS immersive,
    (c.verified IS TRUE OR b.id IS NOT NULL)::bool AS available
FROM diary_entries e LEFT JOIN cards c ON c.kind = e.kind AND c.id = e.item
LEFT JOIN search_bespoke b ON b.id = CASE WHEN e.kind = 'bespoke' AND e.item <> '' THEN e.item::uuid END AND b.uid = e.uid AND b.state = 'ready'
WHERE e.uid = $1 AND e.id = $2;

-- name: DiaryEntries :many
-- A page of a diary, the last day first, below the entry at which the page before ended.
SELECT sqlc.embed(e), coalesce(c.slug, '')::text AS slug, coalesce((c.card ->> 'Immersive')::bool, false)::bool AS immersive,
    (c.verified IS TRUE OR b.id IS NOT NULL)::bool AS available
FROM diary_entries e LEFT JOIN cards c ON c.kind = e.kind AND c.id = e.item
LEFT JOIN search_bespoke b ON b.id = CASE WHEN e.kind = 'bespoke' AND e.item <> '' THEN e.item::uuid END AND b.uid = e.uid AND b.state = 'ready'
WHERE e.uid = @uid AND e.shown AND e.removed_at IS NULL AND (e.day, e.at, e.id) < (@day::date, @at::timestamptz, @id::uuid)
ORDER BY e.day DESC, e.at DESC, e.id DESC
LIMIT @most;
