package gateway

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/guard"
)

const (
	studio = "/serein.web.v1.StudioService/"
	editor = "/serein.web.v1.EditorService/"
)

// admin signs in as a member who is an admin.
func (s *stack) admin(t *testing.T) *browser {
	t.Helper()
	s.services.is(s.uid(), true)
	return s.member(t)
}

// workroom are the calls of the studio and the editor.
func workroom() []string {
	var found []string
	for _, m := range webMethods() {
		if strings.HasPrefix(m.procedure, studio) || strings.HasPrefix(m.procedure, editor) {
			found = append(found, m.procedure)
		}
	}
	return found
}

func TestNobodyButAnAdminReachesTheWorkroom(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	require.Len(t, workroom(), 18)
	for who, b := range map[string]*browser{"visitor": s.gateways[0].browser(t), "member": s.other(t), "subscriber": s.member(t)} {
		s.services.subscribed(s.uid(), entitled(billingv1.PlanKind_PLAN_KIND_MEMBER, "generator", "library", "articles", "journey", "top_up"))
		want := "forbidden"
		if who == "visitor" {
			want = "unauthenticated"
		}
		for _, procedure := range workroom() {
			require.Equal(t, want, tryer{browser: b}.tryRPC(t, procedure), "%s as %s", procedure, who)
		}
		require.False(t, b.opens(t, "/admin"), who)
	}
	require.Empty(t, s.services.requests, "nothing of it reached content")
}

func TestAnAdminReachesTheWholeWorkroomAsAnAdmin(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.admin(t)
	_, rows := matrix(t)
	for _, procedure := range workroom() {
		want := rows[procedure]["admin"]
		require.Contains(t, []string{"allowed", "not-found"}, want, "what is judged here has no id, and there is none such")
		require.Equal(t, want, tryer{browser: b}.tryRPC(t, procedure), procedure)
	}
	require.True(t, b.opens(t, "/admin"))
	require.Equal(t, auth.Subject{UID: s.uid(), Admin: true}, s.services.subjectOf(contentv1connect.ManagementServiceUpdateItemProcedure))
}

func TestWhatIsMadeIsMadeInTheNameOfTheSession(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.admin(t)
	body := `{"id":"` + mine + `","title":"A gate","type":"better-sleep","practice":"zen","script":"Rest. [pause 3]","immersive":true,"intro":true,"narratorId":"maren"}`
	got := tree(t, b.call(t, studio+"MakeMeditation", body).body)
	require.Equal(t, "/media/narrations/3f2a.mp3", at(t, got, "made", "audioUrl"))
	require.Equal(t, "NARRATION_STATE_NARRATING", at(t, got, "made", "narration", "state"))
	require.Equal(t, "better-sleep", at(t, got, "made", "category", "id"))
	require.True(t, proto.Equal(&contentv1.MakeMeditationRequest{
		Id: mine, Title: "A gate", Type: "better-sleep", Practice: "zen", Script: "Rest. [pause 3]", Immersive: true, Intro: true, NarratorId: "maren", GeneratedBy: "Ada",
	}, s.services.lastRequest("MakeMeditationRequest")))

	b.call(t, studio+"MakeArticle", `{"id":"`+mine+`","title":"On rain","type":"gratitude","practice":"zen","text":"It rains.","open":true,"immersive":true,"narratorId":"isla"}`)
	require.True(t, proto.Equal(&contentv1.MakeArticleRequest{
		Id: mine, Title: "On rain", Type: "gratitude", Practice: "zen", Text: "It rains.", Open: true, Immersive: true, NarratorId: "isla", GeneratedBy: "Ada",
	}, s.services.lastRequest("MakeArticleRequest")))
}

func TestThePreviewOfAnArticleIsAskedForWithItsTitle(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	got := s.admin(t).call(t, studio+"Preview", `{"script":"Read [this](/about).","article":true,"title":"Three Columns","type":"anger","narratorId":"wren","immersive":true}`)
	require.Equal(t, http.StatusOK, got.StatusCode, got.body)
	require.True(t, proto.Equal(&contentv1.PreviewRequest{
		Script: "Read [this](/about).", Article: true, Title: "Three Columns", Type: "anger", NarratorId: "wren", Immersive: true,
	}, s.services.lastRequest("PreviewRequest")))
}

func TestTheStudioOffersWhatTheCatalogueHas(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.admin(t)
	got := tree(t, b.call(t, studio+"GetStudio", "{}").body)
	require.Equal(t, map[string]any{"id": "gratitude", "name": "Gratitude", "hint": "Wren"}, at(t, got, "types", 0))
	require.Equal(t, map[string]any{"id": "zen", "name": "Zen"}, at(t, got, "practices", 0))
	require.Equal(t, []any{map[string]any{"id": "wren", "name": "Wren"}}, at(t, got, "narrators"), "each once")
	require.InDelta(t, 4, at(t, got, "unverified"), 0)

	s.services.failing(contentv1connect.StudioServiceListMadeProcedure, errAway)
	got = tree(t, b.call(t, studio+"GetStudio", "{}").body)
	require.NotContains(t, got, "unverified")
	require.Contains(t, got, "types", "the form does not wait for a number")
}

func TestTheEditorHearsWhyContentRefused(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.admin(t)
	s.services.failing(contentv1connect.ManagementServiceUpdateItemProcedure, errVersion.On("fields.title"))
	refused := b.call(t, editor+"UpdateItem", bodies["UpdateItem"])
	require.Equal(t, "VERSION_MISMATCH", refused.reason(t))
	require.Contains(t, refused.body, "Somebody has changed it since.")
}

func TestTheEditorsMessagesLoseNothing(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.admin(t)
	types := tree(t, b.call(t, editor+"ListContentTypes", "{}").body)
	require.Equal(t, map[string]any{"id": "tags", "name": "Tags", "type": "Array", "itemsType": "Symbol", "required": true, "disabled": true},
		at(t, types, "contentTypes", 0, "fields", 0))
	found := tree(t, b.call(t, editor+"GetItem", bodies["GetItem"]).body)
	require.Equal(t, map[string]any{
		"id": "on-rain", "contentType": "article", "title": "On rain", "version": 3.0, "publishedVersion": 2.0,
		"fields": map[string]any{"title": map[string]any{"en-GB": "On rain"}},
	}, at(t, found, "item"))
	trail := tree(t, b.call(t, editor+"ListRevisions", "{}").body)
	require.Equal(t, map[string]any{
		"key": map[string]any{"id": "on-rain"}, "title": "On rain", "version": 4.0, "act": "update", "actor": s.uid(), "actorName": "Ada", "changed": []any{"title"},
	}, at(t, trail, "revisions", 0))
	request, ok := s.services.lastRequest("ListRevisionsRequest").(*contentv1.ListRevisionsRequest)
	require.True(t, ok)
	require.Nil(t, request.GetKey(), "the trail of everything")
}

// goneUID is of an admin whose account is deleted.
const goneUID = "00000000-0000-4000-8000-00000000dead"

func TestTheTrailNamesMembersAndWaitsForNobodysName(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.admin(t)
	names := func() (all []any) {
		trail := tree(t, b.call(t, editor+"ListRevisions", "{}").body)
		for i := range 4 {
			revision, ok := at(t, trail, "revisions", i).(map[string]any)
			require.True(t, ok)
			all = append(all, revision["actorName"])
		}
		return all
	}
	require.Equal(t, []any{"Ada", nil, nil, nil}, names(), "the deleted account, the service account and the files have no member's name")
	s.services.failing(identityv1connect.UserServiceGetUserProcedure, errs.ErrUnavailable)
	require.Equal(t, []any{nil, nil, nil, nil}, names(), "the trail is there all the same")
}

// upload sends a file of n bytes as an asset.
func (b *browser) upload(t *testing.T, n int) answer {
	t.Helper()
	content := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, n))
	return b.call(t, editor+"UploadAsset", fmt.Sprintf(`{"id":"rain","title":"Rain","fileName":"rain.png","content":%q}`, content))
}

func TestOnlyAnAdminsUploadMayBeLarge(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	const largest = 10 << 20
	for who, b := range map[string]*browser{"visitor": s.gateways[0].browser(t), "member": s.other(t)} {
		require.Equal(t, "REQUEST_TOO_LARGE", b.upload(t, guard.MaxBody).reason(t), who)
	}
	b := s.admin(t)
	require.Equal(t, http.StatusOK, b.upload(t, largest).StatusCode)
	request, ok := s.services.lastRequest("UploadAssetRequest").(*contentv1.UploadAssetRequest)
	require.True(t, ok)
	require.Equal(t, bytes.Repeat([]byte{7}, largest), request.GetContent())
	require.Equal(t, "INVALID_ARGUMENT", b.upload(t, largest+1).reason(t))
	require.Equal(t, "REQUEST_TOO_LARGE", b.upload(t, 11<<20).reason(t))
	require.Equal(t, "REQUEST_TOO_LARGE", b.call(t, editor+"ListItems", `{"search":"`+strings.Repeat("a", guard.MaxBody)+`"}`).reason(t), "not just any call")
}

// What the content service takes of a text goes through, whatever its letters: 200 KiB.
func TestAnEditorsTextMayBeAsLongAsContentTakesIt(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	text := strings.Repeat("a\\n", 102_400)
	fields := `"fields":{"body":{"en-GB":"` + text + `"}}}`
	calls := map[string]string{
		"PreviewText": `{"markdown":"` + text + `"}`, "CreateItem": `{"key":{"id":"a"},"contentType":"article",` + fields,
		"UpdateItem": `{"key":{"id":"a"},"version":1,` + fields,
	}
	visitor, b := s.gateways[0].browser(t), s.admin(t)
	for name, body := range calls {
		require.Equal(t, "REQUEST_TOO_LARGE", visitor.call(t, editor+name, body).reason(t), name)
		require.Equal(t, http.StatusOK, b.call(t, editor+name, body).StatusCode, name)
	}
	require.Equal(t, "INVALID_ARGUMENT", b.call(t, editor+"PreviewText", `{"markdown":"`+text+`a"}`).reason(t))
	require.Equal(t, "REQUEST_TOO_LARGE", b.call(t, editor+"PreviewText", `{"markdown":"`+strings.Repeat("a", 1<<20)+`"}`).reason(t))
}
