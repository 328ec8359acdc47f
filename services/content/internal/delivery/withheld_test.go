package delivery_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/entry"
)

// No request of the delivery API returns an unverified meditation.
func TestDeliveryHidesUnverifiedMeditations(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.contentType("master", "meditation", []entry.Field{
		{ID: "title", Name: "Title", Type: entry.Symbol},
		{ID: "verified", Name: "Verified", Type: entry.Boolean},
		{ID: "next", Name: "Next", Type: entry.LinkType, LinkType: entry.KindEntry},
	})
	a.contentType("master", "storeItem", []entry.Field{{ID: "meditation", Name: "Meditation", Type: entry.LinkType, LinkType: entry.KindEntry}})
	a.publish("heard", "meditation", `{"title":{"en-GB":"Lamp"},"verified":{"en-GB":true}}`)
	a.publish("unheard", "meditation", `{"title":{"en-GB":"Lamp"},"verified":{"en-GB":false},"next":{"en-GB":`+link("Entry", "heard")+`}}`, "next=Entry:heard")
	a.publish("unsaid", "meditation", `{"title":{"en-GB":"Lamp"}}`)
	a.publish("begin", "storeItem", `{"meditation":{"en-GB":`+link("Entry", "unheard")+`}}`, "meditation=Entry:unheard")

	for _, query := range [][]string{
		{"content_type=meditation"},
		{"query=lamp"},
		{"content_type=meditation", "fields.title=Lamp"},
		{"content_type=meditation", "cursor=true"},
		{"content_type=meditation", "fields.title[match]=lam"},
		{"sys.id[in]=heard,unheard,unsaid"},
	} {
		require.Equal(t, []string{"heard"}, a.get("entries", query...).ids(t), "%v", query)
	}
	full := a.get("entries", "content_type=meditation", "limit=1")
	require.InDelta(t, 1, full.body["total"], 0, "it is not counted")
	require.Empty(t, a.get("entries", "links_to_entry=heard").ids(t))
	require.Empty(t, a.get("entries", "content_type=storeItem", "fields.meditation.sys.contentType.sys.id=meditation", "fields.meditation.fields.title=Lamp").ids(t))
	require.Equal(t, http.StatusNotFound, a.get("entries/unheard").status)
	linked := a.get("entries", "sys.id=begin")
	require.Nil(t, linked.body["includes"])
	require.Equal(t, "unheard", at(linked.list(t, "errors")[0], "details", "id"))

	all, next := a.told("initial=true")
	require.Equal(t, []string{"Entry:heard", "Entry:begin"}, all)
	a.publish("unheard", "meditation", `{"title":{"en-GB":"Lamp"},"verified":{"en-GB":true}}`)
	a.publish("unsaid", "meditation", `{"title":{"en-GB":"Another"}}`)
	changed, _ := a.told("sync_token=" + next)
	require.Equal(t, []string{"Entry:unheard"}, changed, "as if it were new")
	require.InDelta(t, 2, a.get("entries", "content_type=meditation", "limit=1").body["total"], 0)
}
