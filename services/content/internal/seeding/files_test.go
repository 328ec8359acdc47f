package seeding_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/catalogue"
	"serein.app/services/content/internal/classify"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/seeding"
	"serein.app/services/content/seed"
)

// read returns the items of the files in seed/, by content type.
func read(t *testing.T) map[string][]seeding.Item {
	t.Helper()
	contents, faults := seeding.Read(seed.FS)
	require.NoError(t, errors.Join(faults...))
	byType := map[string][]seeding.Item{}
	for _, item := range contents.Items {
		if item.Kind == entry.KindAsset {
			continue
		}
		byType[item.ContentType] = append(byType[item.ContentType], item)
	}
	require.Len(t, byType, len(contents.Types), "each content type has entries")
	return byType
}

// value is a field's, in the files' locale.
func value[T any](i seeding.Item, field string) T {
	v, _ := i.Draft.Fields[field]["en-GB"].(T)
	return v
}

// linked is the id that a link names.
func linked(link any) string {
	return link.(map[string]any)["sys"].(map[string]any)["id"].(string) //nolint:forcetypeassert // a test
}

func TestEveryFileIsGood(t *testing.T) {
	t.Parallel()
	found := read(t)
	for contentType, count := range map[string]int{
		"category": 13, "immersiveTrack": 3, "homepage": 1, "membershipPage": 1, "apparelPage": 1, "creditPack": 5, "product": 6,
		"quote": 356, "privacyPolicy": 1, "termsAndConditions": 1, "membershipTier": 5, "page": 2,
	} {
		require.Len(t, found[contentType], count, contentType)
	}
}

func TestThereIsEnoughToRead(t *testing.T) {
	t.Parallel()
	articles := read(t)["article"]
	require.GreaterOrEqual(t, len(articles), 16)
	open := 0
	for _, a := range articles {
		require.GreaterOrEqual(t, len(strings.Fields(value[string](a, "body"))), 600, a.File)
		require.Equal(t, a.ID, value[string](a, "slug"))
		if value[bool](a, "open") {
			open++
		}
	}
	require.GreaterOrEqual(t, open, 4)
}

func TestThereIsEnoughToHear(t *testing.T) {
	t.Parallel()
	offer, err := catalogue.Load()
	require.NoError(t, err)
	types, practices := map[string]bool{}, map[string]bool{}
	for _, o := range offer.Types {
		types[o.Name] = true
	}
	for _, p := range offer.Practices {
		practices[p.Name] = true
	}
	inCategory, library, intros, immersive := map[string]int{}, 0, 0, 0
	for _, m := range read(t)["meditation"] {
		require.True(t, types[value[string](m, "type")], m.File)
		require.True(t, practices[value[string](m, "practice")], m.File)
		require.Contains(t, value[string](m, "script"), "[pause ", m.File)
		require.True(t, value[bool](m, "verified"), m.File)
		require.Equal(t, value[bool](m, "immersive"), m.Draft.Fields["track"] != nil, "%s: a track for the immersive ones alone", m.File)
		if value[bool](m, "intro") {
			intros++
			continue
		}
		library++
		inCategory[linked(value[any](m, "category"))]++
		if value[bool](m, "immersive") {
			immersive++
		}
	}
	require.GreaterOrEqual(t, library, 26)
	require.Equal(t, 3, intros)
	require.Len(t, inCategory, 12)
	for category, count := range inCategory {
		require.GreaterOrEqual(t, count, 2, category)
	}
	require.Greater(t, immersive, 8)
	require.Greater(t, library-immersive, 8)
}

func TestQuotesAreDistinctAndNumberedLikeTheDays(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for i, q := range read(t)["quote"] {
		text := strings.ToLower(value[string](q, "text"))
		require.False(t, seen[text], q.Place)
		seen[text] = true
		require.InDelta(t, i, value[float64](q, "order"), 0)
	}
}

// What the classifier files a text under is a category that readers know.
func TestCategoriesAreTheClassifiers(t *testing.T) {
	t.Parallel()
	var names []string
	for _, c := range read(t)["category"] {
		names = append(names, value[string](c, "name"))
	}
	require.Equal(t, classify.Categories(), names)
}

// Home shows the second and third of the immersive ones, and one that is not.
func TestHomeHasWhatItBeginsWith(t *testing.T) {
	t.Parallel()
	found := read(t)
	immersive := map[string]bool{}
	for _, m := range found["meditation"] {
		immersive[m.ID] = value[bool](m, "immersive")
	}
	counts := map[bool]int{}
	for _, s := range found["storeItem"] {
		id := linked(value[any](s, "meditation"))
		require.Equal(t, immersive[id], value[bool](s, "immersive"), id)
		counts[immersive[id]]++
	}
	require.GreaterOrEqual(t, counts[true], 3)
	require.GreaterOrEqual(t, counts[false], 1)
}

func TestEveryProductHasAPictureThatIsSmall(t *testing.T) {
	t.Parallel()
	contents, faults := seeding.Read(seed.FS)
	require.NoError(t, errors.Join(faults...))
	pictures := map[string]entry.Fields{}
	for _, item := range contents.Items {
		if item.Kind == entry.KindAsset {
			pictures[item.ID] = item.Draft.Fields
		}
	}
	for _, p := range read(t)["product"] {
		picture := pictures[linked(value[any](p, "picture"))]
		require.Equal(t, value[string](p, "alt"), picture["description"]["en-GB"], p.ID)
		file := picture["file"]["en-GB"].(map[string]any) //nolint:forcetypeassert // a test
		require.Equal(t, "image/webp", file["contentType"])
		details := file["details"].(map[string]any) //nolint:forcetypeassert // a test
		require.Equal(t, map[string]any{"width": 800.0, "height": 1000.0}, details["image"])
		require.Less(t, details["size"], float64(40<<10))
	}
	require.Len(t, contents.Files, len(pictures))
}
