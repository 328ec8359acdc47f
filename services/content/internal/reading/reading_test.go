package reading_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/pagetoken"
)

const locale = "en-GB"

var at = time.Date(2027, 3, 1, 9, 0, 0, 0, time.UTC)

func published(contentType, id string, values map[string]any) entry.Published {
	p := entry.Published{
		Key: entry.Key{Environment: entry.Master, Kind: entry.KindEntry, ID: id}, ContentType: contentType, Fields: entry.Fields{},
		CreatedAt: at, FirstPublishedAt: at, UpdatedAt: at.Add(time.Hour),
	}
	for field, value := range values {
		p.Fields[field] = map[string]any{locale: value}
	}
	return p
}

func link(id string) any { return entry.Link{Kind: entry.KindEntry, ID: id}.Value() }

func TestACardShowsWhatAnArticleIs(t *testing.T) {
	t.Parallel()
	e, ok := reading.Of(published("article", "a", map[string]any{
		"title": "Déjà Vu", "slug": "deja", "description": "Again.", "body": "One *two*\n\n## Three", "categories": []any{link("anger"), link("better-sleep")},
		"open": true, "published": "2026-07-04", "picture": entry.Link{Kind: entry.KindAsset, ID: "p"}.Value(), "audio": "x.mp3", "duration": 61.0,
		"confidences": map[string]any{"better-sleep": 58.0, "trauma": 12.0}, // an editor has taken it out of trauma, and put it into anger
	}), locale)
	require.True(t, ok)
	require.Equal(t, reading.Card{
		Kind: reading.Article, ID: "a", Slug: "deja", Title: "Déjà Vu", Description: "Again.", Preview: "One two Three", Words: 3,
		Categories: []string{"anger", "better-sleep"}, Confidences: []int{100, 58}, Picture: "p", Open: true, At: time.Date(2026, 7, 4, 0, 0, 0, 0, time.UTC),
		ChangedAt: at.Add(time.Hour), Audio: "x.mp3", Seconds: 61, Verified: true,
	}, e.Card)
	day := time.Date(2026, 7, 4, 0, 0, 0, 0, time.UTC).UnixMicro()
	require.Equal(t, map[string]int64{"articles/": day, "articles/anger": day, "articles/better-sleep": day}, e.Lists)
	require.Equal(t, "deja vu one two three", e.Words)
	require.Equal(t, []string{"deja", "deja-vu"}, e.Names)
}

func TestEveryListThatShowsAMeditationHoldsIt(t *testing.T) {
	t.Parallel()
	e, ok := reading.Of(published("meditation", "m", map[string]any{
		"title": "Sit", "slug": "sit", "script": "Hello.\n\n[pause 8]\n\nBreathe [pause 2.5] out.", "category": link("anger"), "immersive": true, "intro": true, "order": 20.0,
		"verified": true, "audio": "x.mp3",
	}), locale)
	require.True(t, ok)
	require.Equal(t, "sit hello breathe out", e.Words)
	newest, order := at.UnixMicro(), int64(-20)
	for _, scope := range []reading.Scope{reading.Everything, reading.Verified} {
		for _, sound := range []reading.Sound{reading.AnySound, reading.Immersive} {
			for _, category := range []string{"", "anger"} {
				f := reading.Filter{Kind: reading.Meditation, Scope: scope, Sound: sound, Category: category}
				require.Equal(t, newest, e.Lists[f.Name()], f.Name())
				f.Intro = true
				require.Equal(t, order, e.Lists[f.Name()], f.Name())
			}
		}
		require.Contains(t, e.Lists, reading.Filter{Kind: reading.Meditation, Scope: scope, Narrated: true}.Name())
	}
	require.Len(t, e.Lists, 2*2*2*2+2, "and in no other")
}

func TestNothingElseHasACard(t *testing.T) {
	t.Parallel()
	_, ok := reading.Of(published("faq", "f", nil), locale)
	require.False(t, ok)
	other := published("article", "a", nil)
	other.Environment = "draft"
	_, ok = reading.Of(other, locale)
	require.False(t, ok)
	_, ok = reading.Of(published("article", "a", nil), locale)
	require.True(t, ok, "also where fields are missing")
}

func TestWhoMayReadAndHear(t *testing.T) {
	t.Parallel()
	nobody, member, admin := auth.Subject{}, auth.Subject{UID: "u", Entitlements: []string{"articles"}}, auth.Subject{UID: "a", Admin: true}
	listener := auth.Subject{UID: "u", Entitlements: []string{"library"}}
	article := reading.Card{Kind: reading.Article, Verified: true}
	open := reading.Card{Kind: reading.Article, Verified: true, Open: true}
	meditation, unverified := reading.Card{Kind: reading.Meditation, Verified: true}, reading.Card{Kind: reading.Meditation}
	for _, c := range []struct {
		card  reading.Card
		who   auth.Subject
		whole bool
	}{
		{article, nobody, false},
		{article, listener, false},
		{article, member, true},
		{article, admin, true},
		{open, nobody, true},
		{meditation, nobody, false},
		{meditation, member, false},
		{meditation, listener, true},
		{meditation, admin, true},
		{unverified, listener, false},
		{unverified, admin, true},
	} {
		require.Equal(t, c.whole, c.card.Whole(c.who), "%+v for %+v", c.card, c.who)
		require.Equal(t, c.card.Verified || c.who.Admin, c.card.Shown(c.who))
	}
	require.Equal(t, reading.Verified, reading.ScopeOf(listener, true))
	require.Equal(t, reading.Unverified, reading.ScopeOf(admin, true))
	require.Equal(t, reading.Everything, reading.ScopeOf(admin, false))
}

func TestAScriptIsReadWithoutItsPauses(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"One two", "three", "four"}, reading.Paragraphs("One\ntwo\n\n[pause 8]\n\nthree [pause 2]\nfour\n"))
	require.Empty(t, reading.Paragraphs("[pause 8]"))
}

func TestACursorIsAPlaceAndAnID(t *testing.T) {
	t.Parallel()
	for _, p := range []reading.Cursor{{Place: 0, ID: "a"}, {Place: -20, ID: "A.b-c_1"}, {Place: at.UnixMicro(), ID: "x"}} {
		got, err := reading.ParseCursor(p.Token())
		require.NoError(t, err)
		require.Equal(t, p, got)
	}
	first, err := reading.ParseCursor("")
	require.NoError(t, err)
	require.Equal(t, reading.First, first)
	for _, wrong := range []string{"x", reading.Cursor{Place: 1, ID: "a b"}.Token(), reading.Cursor{Place: 1}.Token()} {
		_, err := reading.ParseCursor(wrong)
		require.ErrorIs(t, err, pagetoken.ErrInvalid, wrong)
	}
}

func TestPictureMustBeAStoredAsset(t *testing.T) {
	t.Parallel()
	asset := func(url, media string) entry.Fields {
		file := entry.File{URL: url, FileName: "b.webp", ContentType: media, Size: 3, Width: 4, Height: 5}
		return entry.Fields{"title": {locale: "A bench"}, "file": {locale: file.Value()}}
	}
	hash := strings.Repeat("0a", 32)
	p, ok := reading.PictureOf(asset(entry.AssetURL(hash, "b.webp"), "image/webp"), locale)
	require.True(t, ok)
	require.Equal(t, reading.Picture{Path: "assets/" + hash + "/b.webp", Alt: "A bench", Width: 4, Height: 5}, p)
	for _, other := range []entry.Fields{
		asset("//elsewhere.example/b.webp", "image/webp"), asset("//elsewhere.example/media/assets/"+hash+"/b.webp", "image/webp"),
		asset(entry.AssetURL(hash, "b.pdf"), "application/pdf"), asset(entry.AssetURL("0a", "b.webp"), "image/webp"),
		asset("//elsewhere.example/assets/../../api/GetUser", "image/webp"), asset(entry.AssetURL("..", "../api/GetUser"), "image/webp"),
		{},
	} {
		_, ok := reading.PictureOf(other, locale)
		require.False(t, ok)
	}
}

// FuzzASearchHoldsWordsAlone: whatever is typed, what reaches the database are letters and digits.
func FuzzASearchHoldsWordsAlone(f *testing.F) {
	for _, seed := range []string{"Don’t  Panic", "a' | b & !c:*", "\x00\\", "ÅNGSTRÖM ﬁsh", "", "½"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, search string) {
		for _, word := range reading.SearchWords(search) {
			require.Regexp(t, `^[\pL\pN]+$`, word)
			require.LessOrEqual(t, len([]rune(word)), 50)
		}
		require.LessOrEqual(t, len(reading.SearchWords(search)), 16)
	})
}
