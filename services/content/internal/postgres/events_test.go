package postgres_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/content/internal/entry"
)

// of makes a content type like note, with that id and a switch.
func (h *harness) of(t *testing.T, id string) {
	t.Helper()
	like := note()
	like.ID = id
	like.Fields = append(like.Fields, entry.Field{ID: "verified", Name: "Verified", Type: entry.Boolean})
	_, err := h.SetContentType(t.Context(), editor, like)
	require.NoError(t, err)
}

func TestEventsAnnounceOnlyWhatReadersGet(t *testing.T) {
	t.Parallel()
	h := setup(t)
	publish := func(contentType, id string, verified bool) entry.Item {
		d := titled("Title of " + id)
		d.Fields["slug"] = map[string]any{"en-GB": id}
		d.Fields["verified"] = map[string]any{"en-GB": verified}
		item, err := h.Create(t.Context(), editor, key(id), contentType, d)
		require.NoError(t, err)
		item, err = h.Publish(t.Context(), editor, key(id), item.Version)
		require.NoError(t, err)
		return item
	}
	for _, contentType := range []string{"article", "meditation", "membershipTier", "page"} {
		h.of(t, contentType)
	}
	publish("article", "a", false)
	publish("page", "p", false)
	publish("meditation", "unverified", false)
	publish("membershipTier", "tier", false)
	heard := publish("meditation", "m", true)
	_, err := h.Unpublish(t.Context(), editor, heard.Key, heard.Version)
	require.NoError(t, err)
	want := []proto.Message{
		&eventsv1.ArticlePublished{ArticleId: "a", Slug: "a", Title: "Title of a"},
		&eventsv1.MembershipTierChanged{PlanId: "tier", Version: 1},
		&eventsv1.StaticMeditationPublished{MeditationId: "m", Title: "Title of m"},
		&eventsv1.StaticMeditationDeleted{MeditationId: "m"},
	}
	got := h.Told(t)
	require.Len(t, got, len(want))
	for i := range want {
		require.True(t, proto.Equal(want[i], got[i]), "%v", got[i])
	}
}
