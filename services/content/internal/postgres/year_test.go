package postgres_test

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	store "serein.app/services/content/internal/postgres"
	"serein.app/services/testkit/year"
)

// yearOfContent inserts a given number of published entries of sixteen content types with their audit log, a tenth as many
// withdrawn entries, and a few assets and terms.
var yearOfContent = []string{
	`INSERT INTO content_types (environment, id, name, description, display_field, fields, created_at, updated_at)
		SELECT 'master', 'type' || n, 'Type', '', 'title', '[]', now(), now() FROM generate_series(0, 16) n`,
	`INSERT INTO items (environment, kind, id, content_type, version, published_version, revision, fields, tags, concepts, created_at, updated_at, title)
		SELECT 'master', 'Entry', 'e' || n, 'type' || n % 16, 2, 1, 1, jsonb_build_object('title', jsonb_build_object('en-GB', 'Title ' || n), 'slug', jsonb_build_object('en-GB', 'slug-' || n)),
			'{}', '{}', at, at, 'Title ' || n
		FROM (SELECT n, now() - interval '365 days' * (1 - n / $1::float8) AS at FROM generate_series(1, $1::int) n) AS year`,
	`INSERT INTO items (environment, kind, id, version, revision, fields, tags, concepts, created_at, updated_at, title)
		SELECT 'master', 'Asset', 'a' || n, 1, 0, jsonb_build_object('file', jsonb_build_object('en-GB', jsonb_build_object('url',
			'//serein/media/assets/' || encode(sha256(n::text::bytea), 'hex') || '/picture.webp'))), '{}', '{}', now(), now(), 'Picture ' || n FROM generate_series(1, 50) n`,
	`INSERT INTO published SELECT environment, kind, id, content_type, 1, 1, fields, tags, concepts, created_at, updated_at, updated_at, nextval('changes')
		FROM items WHERE kind = 'Entry'`,
	`INSERT INTO links SELECT 'master', 'e' || n, 'about', 'Entry', 'e' || n / 2 FROM generate_series(2, $1::int) n`,
	`INSERT INTO revisions (environment, kind, id, version, act, actor, at, fields, superseded, content_type, title)
		SELECT 'master', 'Entry', 'e' || n, v, CASE v WHEN 1 THEN 'create' ELSE 'publish' END, 'amara', now() - interval '365 days' * (1 - n / $1::float8), '{}', v = 1, 'type' || n % 16, 'Title ' || n
		FROM generate_series(1, $1::int) n, generate_series(1, 2) v`,
	`INSERT INTO deletions SELECT 'master', 'Entry', 'd' || n, 'type1', 1, now(), now() - interval '360 days' * (1 - n * 10 / $1::float8), nextval('changes')
		FROM generate_series(1, $1::int / 10) n`,
	`INSERT INTO deletions SELECT 'master', 'Entry', 'old' || n, 'type1', 1, now(), now() - interval '400 days', nextval('changes') FROM generate_series(1, 300) n`,
	`INSERT INTO narrations (environment, id, content_type, place, hash, state, wanted_at, next_try_at)
		SELECT 'master', 'e' || n, 'type' || n % 16, 2, md5('h' || n), CASE WHEN n <= 50 THEN 'waiting' ELSE 'done' END, now(), now() FROM generate_series(1, $1::int) n`,
	`INSERT INTO narration_files (file, entry_id, bytes, made_at) SELECT md5('h' || n) || '.mp3', 'e' || n, 1, now() FROM generate_series(1, $1::int) n`,
	`INSERT INTO narration_files (file, entry_id, bytes, made_at, unnamed_at, removed)
		SELECT md5('old' || n) || '.mp3', 'e' || n, 1, now() - interval '1 year', now() - interval '31 days' - n * interval '1 minute', true FROM generate_series(1, 300) n`,
	`INSERT INTO asset_files (file) SELECT encode(sha256(n::text::bytea), 'hex') || '/picture.webp' FROM generate_series(1, $1::int) n`,
	`INSERT INTO asset_files (file, state, unnamed_at)
		SELECT encode(sha256(('old' || n)::bytea), 'hex') || '/picture.webp', 'removed', now() - interval '31 days' - n * interval '1 minute' FROM generate_series(1, 300) n`,
	`INSERT INTO cards (kind, id, slug, card, lists, words, seq, form)
		SELECT CASE n % 2 WHEN 0 THEN 'article' ELSE 'meditation' END, 'e' || n, 'slug-' || n, '{"Title": "Title"}', ARRAY['articles/', 'articles/c' || n % 13],
			to_tsvector('simple', 'some common words number' || n), 1, 1 FROM generate_series(1, $1::int) n`,
	`INSERT INTO listed (list, place, kind, id)
		SELECT list, n / 3, CASE n % 2 WHEN 0 THEN 'article' ELSE 'meditation' END, 'e' || n FROM generate_series(1, $1::int) n, unnest(ARRAY['articles/', 'articles/c' || n % 13]) list`,
	`INSERT INTO list_counts SELECT list, count(*) FROM listed GROUP BY list`,
	`INSERT INTO former_names (kind, name, id) SELECT 'article', 'title-' || n, 'e' || n FROM generate_series(2, $1::int, 2) n`,
	`INSERT INTO likes SELECT ('00000000-0000-0000-0000-' || lpad((n % 1000)::text, 12, '0'))::uuid, 'article', 'e' || n, now() FROM generate_series(1, $1::int) n`,
	`INSERT INTO like_counts SELECT 'article', 'e' || n, 1 FROM generate_series(1, $1::int) n`,
	`INSERT INTO saved SELECT ('00000000-0000-0000-0000-' || lpad((n / 8)::text, 12, '0'))::uuid, 'article', 'e' || n, now() FROM generate_series(1, $1::int) n`,
	`INSERT INTO places SELECT ('00000000-0000-0000-0000-' || lpad((n / 8)::text, 12, '0'))::uuid, CASE n % 8 WHEN 1 THEN 'bespoke' ELSE 'article' END,
			CASE n % 8 WHEN 1 THEN md5('bespoke' || n) ELSE 'e' || n END, n, 1, md5('device' || n)::uuid, false, 1000, 60000, false, now() FROM generate_series(1, $1::int) n`,
	`INSERT INTO course_progress SELECT ('00000000-0000-0000-0000-' || lpad((n / 8)::text, 12, '0'))::uuid, 'e' || n % 8, '{one,two}', n, n FROM generate_series(1, $1::int) n`,
	`INSERT INTO diary_keepers SELECT ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid, now() FROM generate_series(1, $1::int / 8) n`,
	`INSERT INTO diary_entries SELECT ('00000000-0000-0000-0000-' || lpad((n / 8)::text, 12, '0'))::uuid, md5('entry' || n)::uuid,
			CASE n % 8 WHEN 1 THEN 'bespoke' ELSE 'article' END, CASE n % 8 WHEN 1 THEN md5('bespoke' || n)::uuid::text ELSE 'e' || n END, 'Title', current_date, at, at, 60000, false, n % 8 <> 2, '',
			CASE n % 8 WHEN 3 THEN at END FROM (SELECT n, now() - interval '365 days' * (1 - n / $1::float8) AS at FROM generate_series(1, $1::int) n) AS year`,
	`INSERT INTO tags SELECT 'master', 't' || n, 'Tag ' || n, 1, now(), now() FROM generate_series(1, 300) n`,
	`INSERT INTO concept_schemes SELECT 's' || n, '{}', '{}', 1, now(), now() FROM generate_series(1, 10) n`,
	`INSERT INTO concepts SELECT 'c' || n, 's' || n % 10, '{}', '{}', '{}', false, 1, now(), now() FROM generate_series(1, 300) n`,
	`INSERT INTO search_items SELECT n, CASE n % 5 WHEN 0 THEN 'bespoke' ELSE 'article' END, 'e' || n,
			CASE n % 5 WHEN 0 THEN md5('member' || n / 1000)::uuid END, 'Title ' || n, 'Some text.', '', '{}', 100, false, 60, false FROM generate_series(1, $1::int) n`,
	`INSERT INTO search_words SELECT 'word' || n FROM generate_series(1, $1::int) n`,
	`INSERT INTO search_spellings SELECT 'wrd' || n, 'word' || n FROM generate_series(1, $1::int) n`,
	`INSERT INTO search_postings SELECT 2, 'word' || n, n % 61, '\x0001' FROM generate_series(1, $1::int) n`,
	`INSERT INTO search_bespoke SELECT md5('bespoke' || n)::uuid, md5('member' || n / 100)::uuid, '', 60, false, CASE n % 10 WHEN 0 THEN 'gone' ELSE 'ready' END,
			now() - interval '365 days' * (1 - n / $1::float8), CASE WHEN n % 100 = 1 AND n < 5000 THEN now() END, 0 FROM generate_series(1, $1::int) n`,
	`INSERT INTO departed SELECT sha256(n::text::bytea), now() - interval '365 days' * (1 - n / $1::float8) FROM generate_series(1, $1::int) n`,
	`INSERT INTO search_members SELECT md5('member' || n)::uuid, now() FROM generate_series(1, $1::int, 10) n`,
	`INSERT INTO upstream_items SELECT 'Entry', 'e' || n, 1 FROM generate_series(1, $1::int) n`,
	`INSERT INTO concept_broader SELECT 'c' || n, 'c' || n / 2 FROM generate_series(2, 300) n`,
}

func TestAfterAYearEveryStatementTouchesWhatItTouchedInTheFirstWeek(t *testing.T) {
	t.Parallel()
	y := year.Open(t, "content", store.Migrate, yearOfContent...)
	now, id, someWords, hashed := time.Now(), "e100", []string{"word62", "word123"}, strings.ReplaceAll(year.ID("h100").String(), "-", "")
	hashedFile := fmt.Sprintf("%x/picture.webp", sha256.Sum256([]byte("100")))
	values := year.Values{
		"environment": "master", "kind": "Entry", "id": id, "contenttype": "type8", "contenttypes": []string{"type8", "type9"}, "version": 3, "publishedversion": 2, "revision": 2,
		"fields": `{"title": {"en-GB": "Title"}}`, "tags": []string{}, "concepts": []string{}, "createdat": now, "updatedat": now,
		"firstpublishedat": now, "archivedat": nil, "seed": nil, "seedhash": nil, "editedat": nil, "ids": []string{"e1", "e2", "e3"},
		"act": "update", "actor": "amara", "at": now, "after": "", "most": 100, "below": 1 << 40,
		"seq": 1 << 40, "deletedat": now, "revisionnumber": 1, "value": `{"slug": {"en-GB": "slug-200"}}`,
		"InsertLinks.fields": []string{"about", "about"}, "kinds": []string{"Entry", "Entry"}, "targets": []string{"e7", "e8"},
		"InsertLinks.id": "e1", "InsertRevision.id": "new", "InsertDeletion.id": "new", "InsertItem.id": "new", "Publish.updatedat": now,
		"ContentType.id": "type8", "LockContentType.id": "type8", "UpdateContentType.id": "type8", "DeleteContentType.id": "type16", "InsertContentType.id": "new",
		"name": "Name", "description": "", "displayfield": "", "InsertContentType.fields": "[]", "UpdateContentType.fields": "[]",
		"code": "cy", "locale": "en-GB", "SaidOtherwise.contenttype": "type16", "fallbackcode": nil, "now": now, "last": "article", "concept": "c3", "candidates": []string{"c9"}, "broader": []string{"c1"}, "scheme": "s3",
		"Tag.id": "t5", "SetTag.id": "t5", "DeleteTag.id": "t5", "ConceptScheme.id": "s3", "SetConceptScheme.id": "s3",
		"url": "//serein/media/assets/7", "words": "('3333':* | '3333':*)", "InsertRevision.contenttype": "type8", "title": "Title", "changed": []string{"title"},
		"Concept.id": "c3", "SetConcept.id": "c3", "DeleteConcept.id": "c3", "InsertBroader.concept": "c299",
		"PublishedSince.after": 1 << 20, "WantNarration.id": "e200", "place": 2, "hash": hashed, "state": "waiting", "passagesdone": 1, "passagestotal": 9,
		"tries": 1, "failurereason": "", "nexttryat": now, "file": hashed + ".mp3", "bytes": 1, "madeat": now, "entryid": "e100", "NarrationFiles.after": hashed,
		"KeepAssetFile.file": strings.Repeat("a", 64) + "/new.webp", "AddAssetFiles.files": []string{strings.Repeat("b", 64) + "/new.webp"},
		"MarkAssetFile.file": hashedFile, "RemovingAssetFile.file": hashedFile, "RemovedAssetFile.file": hashedFile,
		"AssetFiles.after": "8", "root": "//serein/media/assets/", "before": now,
		"unnamedat": nil, "removed": false, "CountNarrations.most": 10_000,
		"SearchItem.kind": "article", "SearchItem.id": "e101", "numbers": []int64{101, 102, 1 << 40}, "number": 103, "StaleSearchItems.form": 2, "SearchPostingsAfter.place": 2, "SearchPostingsAfter.word": "word50", "SearchPostingsAfter.block": 3, "PublishedToSearch.kind": "article", "uid": year.ID("member3"),
		"SetSearchItem.kind": "article", "SetSearchItem.id": "e103", "SetSearchItem.uid": nil, "body": "Text.", "slug": "", "categories": []string{"anger"},
		"confidence": 100, "immersive": false, "seconds": 60, "unverified": false, "marked": false, "places": []int16{2, 2}, "blocks": []int64{1, 2},
		"items": [][]byte{{0, 1}, {0, 2}}, "DropSearchWords.place": 2, "beginning": "word99", "behind": "word991", "spellings": []string{"wrd17", "wrd18"},
		"member": []byte("nobody"), "LockBespoke.id": year.ID("bespoke300"), "IsBespokeOf.id": year.ID("bespoke300"), "SetBespoke.id": year.ID("bespoke300"), "SetBespoke.state": "ready", "changedat": now, "dueat": nil, "attempts": 0,
		"until": now, "filledat": now, "nextpage": "", "SetSearchVersion.version": 1, "AddSearchWords.words": []string{"new1", "new2"},
		"SearchPostings.words":       someWords,
		"SearchTerms.words":          someWords,
		"SetSearchPostings.words":    someWords,
		"DeleteSearchPostings.words": someWords,
		"AddSearchSpellings.words":   someWords,
		"DropSearchWords.words":      someWords,
		"source":                     "https://upstream.example space master", "token": "t", "SetUpstream.beginning": false, "round": 1, "syncedat": now, "codes": []string{"en-GB"}, "isdefault": false,
		"PublishedAfter.kind": "Entry", "PublishedAfter.after": "e2",
		"card": "{}", "lists": []string{"articles/", "articles/c1"}, "SetCard.words": "some words", "form": 1, "List.places": []int64{5, 5},
		"names": []string{"title-100", "new"}, "list": "articles/c1", "ListCards.place": 1000, "query": "'number3999':* & 'some':*", "former": "title-100",
		"SetCard.kind": "article", "SetCard.id": "e100", "Unlist.kind": "article", "List.kind": "article", "RememberNames.kind": "article",
		"StaleCards.kind": "article", "StaleCards.after": 0, "StaleCards.most": 25, "ListCards.id": "e3000", "ListCards.most": 25, "SearchCards.id": "~", "SearchCards.place": 1 << 40, "SearchNearCards.id": "~", "SearchNearCards.place": 1 << 40, "near": 100,
		"CardNamed.kind": "article", "CardNamed.name": "nobody", "Cards.kind": "article", "List.id": "e102",
		"Like.uid": "00000000-0000-0000-0000-000000000007", "Unlike.uid": "00000000-0000-0000-0000-000000000007", "LockMember.uid": "00000000-0000-0000-0000-000000000007", "CountSaved.uid": "00000000-0000-0000-0000-000000000007", "Save.uid": "00000000-0000-0000-0000-000000000007",
		"Unsave.uid": "00000000-0000-0000-0000-000000000007", "IsSaved.uid": "00000000-0000-0000-0000-000000000007", "ListSaved.uid": "00000000-0000-0000-0000-000000000007", "CountSavedCards.uid": "00000000-0000-0000-0000-000000000007", "CountSavedFound.uid": "00000000-0000-0000-0000-000000000007", "SearchSaved.uid": "00000000-0000-0000-0000-000000000007", "Standings.uid": "00000000-0000-0000-0000-000000000007",
		"DeleteLikes.uid": "00000000-0000-0000-0000-000000001000", "item": "e430", "likedat": now, "savedat": now,
		"ListSaved.savedat": now.Add(time.Hour), "SearchSaved.savedat": now.Add(time.Hour), "intro": false, "SearchSaved.query": "'some':*", "CountSavedFound.query": "'some':*", "allcards": true, "Standings.items": []string{"e430", "e431", "nothing"}, "Like.kind": "article", "Unlike.kind": "article",
		"Save.kind": "article", "Unsave.kind": "article", "IsSaved.kind": "article", "ListSaved.kind": "article", "SearchSaved.kind": "article", "Standings.kind": "article",
		"DeleteSaved.uid": "00000000-0000-0000-0000-000000000007",
		"NewestPlace.uid": "00000000-0000-0000-0000-000000000053", "BeginTurn.uid": "00000000-0000-0000-0000-000000000053", "TrimPlaces.uid": "00000000-0000-0000-0000-000000000053", "WritePlace.uid": "00000000-0000-0000-0000-000000000053", "LastPlace.uid": "00000000-0000-0000-0000-000000000053", "ListPlaces.uid": "00000000-0000-0000-0000-000000000053", "ExportPlaces.uid": "00000000-0000-0000-0000-000000000053", "DeletePlaces.uid": "00000000-0000-0000-0000-000000000053",
		"BeginTurn.kind": "article", "WritePlace.kind": "article", "LastPlace.kind": "article", "turn": 430, "device": year.ID("device430"), "step": 2, "playing": true,
		"positionms": 2000, "durationms": 60_000, "finished": false, "kept": 500,
		"Progress.uid": "00000000-0000-0000-0000-000000000053", "SetProgress.uid": "00000000-0000-0000-0000-000000000053", "LeaveCourses.uid": "00000000-0000-0000-0000-000000000053", "DeleteProgress.uid": "00000000-0000-0000-0000-000000000053",
		"course": "e1", "courses": []string{"e1", "e2"}, "done": []string{"one"}, "touched": 9,
		"KeepsDiary.uid": "00000000-0000-0000-0000-000000000053", "KeepDiary.uid": "00000000-0000-0000-0000-000000000053", "EndDiary.uid": "00000000-0000-0000-0000-000000000053", "DropUnshown.uid": "00000000-0000-0000-0000-000000000053", "Sitting.uid": "00000000-0000-0000-0000-000000000053", "GoOn.uid": "00000000-0000-0000-0000-000000000053", "BeginSitting.uid": "00000000-0000-0000-0000-000000000053", "CountEntries.uid": "00000000-0000-0000-0000-000000000053", "AddEntry.uid": "00000000-0000-0000-0000-000000000053", "HasEntry.uid": "00000000-0000-0000-0000-000000000053", "ChangeLine.uid": "00000000-0000-0000-0000-000000000053", "DropRemoved.uid": "00000000-0000-0000-0000-000000000053", "RemoveEntry.uid": "00000000-0000-0000-0000-000000000053", "RestoreEntry.uid": "00000000-0000-0000-0000-000000000053", "EmptyDiary.uid": "00000000-0000-0000-0000-000000000053", "DiaryEntry.uid": "00000000-0000-0000-0000-000000000053", "DiaryEntries.uid": "00000000-0000-0000-0000-000000000053", "PlaceBefore.uid": "00000000-0000-0000-0000-000000000053",
		"GoOn.id": year.ID("entry430"), "HasEntry.id": year.ID("entry430"), "ChangeLine.id": year.ID("entry430"), "DropRemoved.id": year.ID("entry430"), "RemoveEntry.id": year.ID("entry430"), "RestoreEntry.id": year.ID("entry430"), "DiaryEntry.id": year.ID("entry430"), "DiaryEntries.id": year.ID("entry430"),
		"AddEntry.id": uuid.New(), "BeginSitting.id": uuid.New(), "Sitting.kind": "article", "BeginSitting.kind": "article", "PlaceBefore.kind": "article",
		"day": now, "began": now, "heardms": 60_000, "shown": true, "line": "A line.", "DiaryEntries.at": now,
		"PublishedWith.value": `{"slug": {"en-GB": "slug-104"}}`,
		"preflabel":           "{}", "altlabels": "{}", "definition": "{}", "top": true,
	}
	rooms, err := filepath.Glob("../*/postgres/sqlcgen")
	require.NoError(t, err)
	require.NotEmpty(t, rooms)
	for _, folder := range append(rooms, "sqlcgen") {
		y.CheckQueries(folder, values)
	}
	y.CheckRetention(store.Retention())
}
