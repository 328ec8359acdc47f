package rpc_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/entry"
	handlers "serein.app/services/content/internal/rpc"
	"serein.app/services/content/internal/search"
	searchstore "serein.app/services/content/internal/search/postgres"
	"serein.app/services/platform/auth"
)

func TestASearchShowsOfATextOnlyWhatTheReaderMayReadToItsEnd(t *testing.T) {
	t.Parallel()
	h := filled(t)
	own := h.stores.Search.Bespoke(func(string, string) ([]string, int) { return nil, 0 })
	mine := uuid.New()
	require.NoError(t, own.Fetched(t.Context(), searchstore.Bespoke{ID: mine, UID: uuid.MustParse(member.UID), Title: "Lantern", Seconds: 60, Text: "A zephyr comes by."}))
	finder := handlers.NewSearch(search.New(h.stores.Search.SearchIndex()), h.stores.Pages, func(context.Context) error { return nil })
	for _, of := range []struct {
		id    string
		words string
		kind  contentv1.ItemKind
		who   auth.Subject
		whole bool
	}{
		{"awake-at-three", "awake at three", contentv1.ItemKind_ITEM_KIND_ARTICLE, member, false},
		{"awake-at-three", "awake at three", contentv1.ItemKind_ITEM_KIND_ARTICLE, listener, false},
		{"awake-at-three", "awake at three", contentv1.ItemKind_ITEM_KIND_ARTICLE, subscriber, true},
		{"awake-at-three", "awake at three", contentv1.ItemKind_ITEM_KIND_ARTICLE, admin, true},
		{"plain-answers-for-a-first-sitting", "plain answers sitting", contentv1.ItemKind_ITEM_KIND_ARTICLE, member, true},
		{"four-fingertips", "fingertips", contentv1.ItemKind_ITEM_KIND_MEDITATION, member, false},
		{"four-fingertips", "fingertips", contentv1.ItemKind_ITEM_KIND_MEDITATION, subscriber, false},
		{"four-fingertips", "fingertips", contentv1.ItemKind_ITEM_KIND_MEDITATION, listener, true},
		{"four-fingertips", "fingertips", contentv1.ItemKind_ITEM_KIND_MEDITATION, admin, true},
		{mine.String(), "zephyr", contentv1.ItemKind_ITEM_KIND_BESPOKE, member, true},
	} {
		res, err := finder.Search(auth.WithSubject(t.Context(), of.who), &contentv1.SearchRequest{Text: of.words, Kind: of.kind})
		require.NoError(t, err)
		found := map[string]*contentv1.Match{}
		for _, m := range res.GetGroups()[0].GetMatches() {
			found[m.GetItem().GetId()] = m
		}
		require.Contains(t, found, of.id)
		require.NotEmpty(t, found[of.id].GetTitle())
		require.Equal(t, of.whole, len(found[of.id].GetExcerpt()) > 0, "%+v", of)
	}
}

func TestASearchShowsThePictureOfWhatHasOne(t *testing.T) {
	t.Parallel()
	h := filled(t)
	amara := entry.Actor{Name: "amara", Editor: true}
	bench := entry.Key{Environment: entry.Master, Kind: entry.KindAsset, ID: "bench"}
	hash := strings.Repeat("0a", 32)
	file := entry.File{URL: entry.AssetURL(hash, "b.webp"), FileName: "b.webp", ContentType: "image/webp", Size: 3, Width: 4, Height: 5}
	asset, err := h.store.Create(t.Context(), amara, bench, "", entry.Draft{Fields: entry.Fields{"title": {"en-GB": "A bench"}, "file": {"en-GB": file.Value()}}})
	require.NoError(t, err)
	_, err = h.store.Publish(t.Context(), amara, bench, asset.Version)
	require.NoError(t, err)
	article := entry.Key{Environment: entry.Master, Kind: entry.KindEntry, ID: "awake-at-three"}
	item, err := h.store.Item(t.Context(), article)
	require.NoError(t, err)
	item.Fields["picture"] = map[string]any{"en-GB": entry.Link{Kind: entry.KindAsset, ID: "bench"}.Value()}
	item, err = h.store.Update(t.Context(), amara, article, item.Version, entry.Draft{Fields: item.Fields})
	require.NoError(t, err)
	_, err = h.store.Publish(t.Context(), amara, article, item.Version)
	require.NoError(t, err)

	finder := handlers.NewSearch(search.New(h.stores.Search.SearchIndex()), h.stores.Pages, func(context.Context) error { return nil })
	res, err := finder.Search(auth.WithSubject(t.Context(), member), &contentv1.SearchRequest{Text: "a", Kind: contentv1.ItemKind_ITEM_KIND_ARTICLE, PageSize: 50})
	require.NoError(t, err)
	pictures := map[string]string{}
	for _, m := range res.GetGroups()[0].GetMatches() {
		pictures[m.GetItem().GetId()] = m.GetPicture().GetPath()
	}
	require.Equal(t, "assets/"+hash+"/b.webp", pictures["awake-at-three"])
	require.Greater(t, len(pictures), 1)
	delete(pictures, "awake-at-three")
	for id, path := range pictures {
		require.Empty(t, path, id)
	}
}
