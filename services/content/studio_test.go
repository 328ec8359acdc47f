package content

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/content/internal/catalogue"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/narrate"
	store "serein.app/services/content/internal/postgres"
	handlers "serein.app/services/content/internal/rpc"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/outbox"
	"serein.app/services/testkit"
)

// studio is a client of the gateway's.
func (h *harness) studio() contentv1connect.StudioServiceClient {
	h.t.Helper()
	c, base, options := testkit.Dialer(h.t, "gateway").To(Name, h.address)
	return contentv1connect.NewStudioServiceClient(c, base, options)
}

// articles is a client of the gateway's.
func (h *harness) articles() contentv1connect.ArticleServiceClient {
	h.t.Helper()
	c, base, options := testkit.Dialer(h.t, "gateway").To(Name, h.address)
	return contentv1connect.NewArticleServiceClient(c, base, options)
}

func order(id string) *contentv1.MakeMeditationRequest {
	return &contentv1.MakeMeditationRequest{
		Id: id, Title: "A <i>Lamp</i> at Dusk", Type: "better-sleep", Practice: "Vipassana", Immersive: true, GeneratedBy: "Ada",
		Script: "Lie down, and let the day be over.\n\n[pause 8]\n\nThere is nothing left to do.",
	}
}

// stores are those of the service's own database.
func (h *harness) stores() store.Stores {
	h.t.Helper()
	return store.Open(h.db.Pool, outbox.New(h.db.Pool, nil, Name, testkit.Logger(h.t), time.Now), time.Now)
}

// content is the store of entries.
func (h *harness) content() *store.Store {
	h.t.Helper()
	return h.stores().Entries
}

// narrated gives a meditation its sound, as the narrator does.
func (h *harness) narrated(id string) {
	h.t.Helper()
	t, ctx, narrations := h.t, h.t.Context(), h.stores().Narrations
	p, err := h.content().Published(ctx, entry.Key{Environment: entry.Master, Kind: entry.KindEntry, ID: id})
	require.NoError(t, err)
	offer, err := catalogue.Load()
	require.NoError(t, err)
	hash := narrate.NewScripts(offer).Of(p, "en-GB").Hash()
	require.NoError(t, narrations.Want(ctx, narrate.Want{Key: p.Key, Hash: hash}))
	require.NoError(t, narrations.Finish(ctx, narrate.Job{Entry: p, Hash: hash}, hash+".mp3", 61*time.Second))
}

// told counts the events of a subject that wait.
func (h *harness) told(subject string) (n int) {
	h.t.Helper()
	require.NoError(h.t, h.db.Pool.QueryRow(h.t.Context(), "SELECT count(*) FROM outbox WHERE subject = $1", "serein.content.meditation."+subject+".v1").Scan(&n))
	return n
}

// acts returns the admin's acts on an entry from the audit log.
func (h *harness) acts(id string) (acts []string) {
	h.t.Helper()
	res, err := h.management().ListRevisions(admin(h.t), &contentv1.ListRevisionsRequest{Key: entryKey(id)})
	require.NoError(h.t, err)
	for _, r := range slices.Backward(res.GetRevisions()) {
		if r.GetActor() == adminUID {
			require.NotNil(h.t, r.GetAt())
			acts = append(acts, r.GetAct())
		}
	}
	return acts
}

func TestAMeditationIsMadeOnceJudgedAndTakenBack(t *testing.T) {
	t.Parallel()
	h := start(t, fakeSynthesiser{})
	s, ctx, id := h.studio(), admin(t), uuid.NewString()
	published, deleted := h.told("published"), h.told("deleted")
	var made *contentv1.Made
	for range 2 {
		res, err := s.MakeMeditation(ctx, order(id))
		require.NoError(t, err)
		made = res.GetMade()
	}
	require.Equal(t, []any{"A Lamp at Dusk", "a-lamp-at-dusk", "Better Sleep", "Vipassana", "better-sleep", "Better Sleep", "Ada", true, false, false}, []any{
		made.GetTitle(), made.GetSlug(), made.GetType(), made.GetPractice(), made.GetCategory().GetId(), made.GetCategory().GetName(), made.GetGeneratedBy(),
		made.GetImmersive(), made.GetIntro(), made.GetVerified(),
	})
	key := entry.Key{Environment: entry.Master, Kind: entry.KindEntry, ID: id}
	content := h.content()
	p, err := content.Published(ctx, key)
	require.NoError(t, err, "admins find it where everything is")
	require.Equal(t, order(id).GetScript(), p.Fields["script"]["en-GB"], "the quiet around it is the narration's")
	require.Equal(t, adminUID, p.Fields["createdBy"]["en-GB"])
	other := order(id)
	other.Script = "Something else."
	_, err = s.MakeMeditation(ctx, other)
	require.Equal(t, errorsv1.Reason_REASON_IDEMPOTENCY_KEY_REUSED, reason(err))
	twin, err := s.MakeMeditation(ctx, order(uuid.NewString()))
	require.NoError(t, err)
	require.Regexp(t, `^a-lamp-at-dusk-[0-9a-f]{8}$`, twin.GetMade().GetSlug(), "two of one title have each an address")

	_, err = s.VerifyMeditation(ctx, &contentv1.VerifyMeditationRequest{Id: id})
	require.Equal(t, errorsv1.Reason_REASON_NOT_NARRATED, reason(err))
	h.narrated(id)
	require.Equal(t, []int{published, 0}, []int{h.told("published"), h.told("verified")}, "no event announces a meditation that members cannot hear")
	for range 2 {
		verified, err := s.VerifyMeditation(ctx, &contentv1.VerifyMeditationRequest{Id: id})
		require.NoError(t, err)
		require.True(t, verified.GetMade().GetVerified())
		require.Regexp(t, `^narrations/[0-9a-f]{32}\.mp3$`, verified.GetMade().GetAudioPath())
		require.Equal(t, contentv1.NarrationState_NARRATION_STATE_DONE, verified.GetMade().GetNarration().GetState())
	}
	require.Equal(t, []int{published + 1, 1}, []int{h.told("published"), h.told("verified")}, "once")

	for range 2 {
		gone, err := s.DeleteMeditation(ctx, &contentv1.DeleteMeditationRequest{Id: id})
		require.NoError(t, err)
		require.NotNil(t, gone.GetMade().GetDeletedUntil())
	}
	require.Equal(t, deleted+1, h.told("deleted"))
	_, err = content.Published(ctx, key)
	require.ErrorIs(t, err, entry.ErrNotFound)
	back, err := s.RestoreMeditation(ctx, &contentv1.RestoreMeditationRequest{Id: id})
	require.NoError(t, err)
	require.Nil(t, back.GetMade().GetDeletedUntil())
	_, err = content.Published(ctx, key)
	require.NoError(t, err)
	require.Equal(t, []string{"create", "publish", "update", "publish", "unpublish", "delete", "unarchive", "publish"}, h.acts(id), "the audit log has each step")

	gone, err := s.DeleteMeditation(ctx, &contentv1.DeleteMeditationRequest{Id: id})
	require.NoError(t, err)
	testkit.Retain(t, h.db.Pool, store.Retention(), gone.GetMade().GetDeletedUntil().AsTime())
	_, err = s.RestoreMeditation(ctx, &contentv1.RestoreMeditationRequest{Id: id})
	require.Equal(t, errorsv1.Reason_REASON_ITEM_NOT_FOUND, reason(err))
}

func TestChangedDraftCannotBeVerifiedBeforeItsNarration(t *testing.T) {
	t.Parallel()
	h := start(t, fakeSynthesiser{})
	s, ctx, id := h.studio(), admin(t), uuid.NewString()
	_, err := s.MakeMeditation(ctx, order(id))
	require.NoError(t, err)
	h.narrated(id)
	content, key := h.content(), entry.Key{Environment: entry.Master, Kind: entry.KindEntry, ID: id}
	item, err := content.Item(ctx, key)
	require.NoError(t, err)
	fields := maps.Clone(item.Fields)
	fields["script"] = map[string]any{"en-GB": "Other words."}
	_, err = content.Update(ctx, entry.Actor{Name: adminUID, Editor: true}, key, item.Version, entry.Draft{Fields: fields})
	require.NoError(t, err)

	_, err = s.VerifyMeditation(ctx, &contentv1.VerifyMeditationRequest{Id: id})
	require.Equal(t, errorsv1.Reason_REASON_NOT_NARRATED, reason(err))
	readers, err := content.Published(ctx, key)
	require.NoError(t, err)
	require.Equal(t, []any{false, order(id).GetScript()}, []any{readers.Fields["verified"]["en-GB"], readers.Fields["script"]["en-GB"]})
}

func TestAnArticleKeepsAllThatItsOrderSays(t *testing.T) {
	t.Parallel()
	h := start(t, fakeSynthesiser{})
	s, ctx := h.studio(), admin(t)
	req := &contentv1.MakeArticleRequest{
		Id: uuid.NewString(), Title: "On Rain", Type: "anger", Practice: "zen", NarratorId: "wren", Immersive: true, GeneratedBy: "Ada",
		Text: "It falls on the roof and on the road.",
	}
	for range 2 {
		res, err := s.MakeArticle(ctx, req)
		require.NoError(t, err)
		made := res.GetMade()
		require.Equal(t, []any{"Anger", "Zen (Zazen)", true, "Ada"}, []any{made.GetType(), made.GetPractice(), made.GetImmersive(), made.GetGeneratedBy()})
	}
	p, err := h.content().Published(ctx, entry.Key{Environment: entry.Master, Kind: entry.KindEntry, ID: req.GetId()})
	require.NoError(t, err)
	require.Equal(t, "wren", p.Fields["voice"]["en-GB"])
	req.NarratorId = ""
	_, err = s.MakeArticle(ctx, req)
	require.Equal(t, errorsv1.Reason_REASON_IDEMPOTENCY_KEY_REUSED, reason(err))
}

func TestWhatIsNotDoneWithIsListedTheNewestFirst(t *testing.T) {
	t.Parallel()
	h := start(t, fakeSynthesiser{})
	s, ctx := h.studio(), admin(t)
	var ids []string
	for range 3 {
		id := uuid.NewString()
		_, err := s.MakeMeditation(ctx, order(id))
		require.NoError(t, err)
		ids = append([]string{id}, ids...)
	}
	article, err := s.MakeArticle(ctx, &contentv1.MakeArticleRequest{
		Id: uuid.NewString(), Title: "Sleep After a Quarrel", Type: "Anger", Practice: "zen", Open: true,
		Text: "You are awake because of what was said. Lie still, and **let the pillow** hold your head; sleep comes to the tired and the angry alike, at night.",
	})
	require.NoError(t, err)
	require.Equal(t, contentv1.ItemKind_ITEM_KIND_ARTICLE, article.GetMade().GetItem().GetKind())
	require.Equal(t, "anger", article.GetMade().GetCategory().GetId(), "the type's category comes first")
	filed := article.GetMade().GetCategories()
	require.Len(t, filed, 3)
	require.Equal(t, []any{"anger", int32(100)}, []any{filed[0].GetId(), filed[0].GetConfidence()}, "the caller chose it")
	require.Equal(t, "better-sleep", filed[1].GetId())
	require.Positive(t, filed[1].GetConfidence())
	require.Less(t, filed[1].GetConfidence(), int32(100))
	listed, err := h.articles().ListArticles(ctx, &contentv1.ListArticlesRequest{Category: "better-sleep", Search: "Quarrel"})
	require.NoError(t, err)
	require.Len(t, listed.GetArticles(), 1)
	require.Equal(t, filed[1].GetConfidence(), listed.GetArticles()[0].GetCategories()[1].GetConfidence(), "readers see how sure the classifier was")
	ids = append([]string{article.GetMade().GetItem().GetId()}, ids...)

	list := func(size int32, token string) ([]string, *contentv1.ListMadeResponse) {
		res, err := s.ListMade(ctx, &contentv1.ListMadeRequest{PageSize: size, PageToken: token})
		require.NoError(t, err)
		var found []string
		for _, m := range res.GetMade() {
			found = append(found, m.GetItem().GetId())
		}
		return found, res
	}
	all, res := list(0, "")
	require.Equal(t, ids, all)
	require.EqualValues(t, 3, res.GetUnverified())
	first, res := list(3, "")
	rest, _ := list(3, res.GetNextPageToken())
	require.Equal(t, ids, append(first, rest...))

	h.narrated(ids[0])
	h.narrated(ids[1])
	_, err = s.VerifyMeditation(ctx, &contentv1.VerifyMeditationRequest{Id: ids[1]})
	require.NoError(t, err)
	all, res = list(0, "")
	require.Equal(t, ids[2:], all, "what has its sound, and somebody's word, is done with")
	require.EqualValues(t, 2, res.GetUnverified())
}

func TestEveryRefusalOfTheStudioHasItsReason(t *testing.T) {
	t.Parallel()
	h := start(t, fakeSynthesiser{})
	s, ctx := h.studio(), admin(t)
	meditation := func(change func(*contentv1.MakeMeditationRequest)) error {
		req := order(uuid.NewString())
		change(req)
		return second(s.MakeMeditation(ctx, req))
	}
	article := func(text string) error {
		return second(s.MakeArticle(ctx, &contentv1.MakeArticleRequest{Id: uuid.NewString(), Title: "T", Type: "anger", Practice: "zen", Text: text}))
	}
	verify := func(id string) error {
		return second(s.VerifyMeditation(ctx, &contentv1.VerifyMeditationRequest{Id: id}))
	}
	type req = contentv1.MakeMeditationRequest
	for name, c := range map[string]struct {
		err  error
		want errorsv1.Reason
	}{
		"no id":           {meditation(func(r *req) { r.Id = "x" }), errorsv1.Reason_REASON_INVALID_ARGUMENT},
		"no title":        {meditation(func(r *req) { r.Title = " <b></b> " }), errorsv1.Reason_REASON_TITLE_REQUIRED},
		"no words":        {meditation(func(r *req) { r.Script = "[pause 8]" }), errorsv1.Reason_REASON_SCRIPT_REQUIRED},
		"no pause":        {meditation(func(r *req) { r.Script = "One.\n[pause 99]" }), errorsv1.Reason_REASON_SCRIPT_INVALID},
		"no type":         {meditation(func(r *req) { r.Type = "joy" }), errorsv1.Reason_REASON_UNKNOWN_TYPE},
		"no practice":     {meditation(func(r *req) { r.Practice = "" }), errorsv1.Reason_REASON_UNKNOWN_PRACTICE},
		"no narrator":     {meditation(func(r *req) { r.NarratorId = "nobody" }), errorsv1.Reason_REASON_UNKNOWN_NARRATOR},
		"an empty text":   {article("<script></script>"), errorsv1.Reason_REASON_SCRIPT_REQUIRED},
		"no meditation":   {verify("nothing"), errorsv1.Reason_REASON_ITEM_NOT_FOUND},
		"an article":      {verify("awake-at-three"), errorsv1.Reason_REASON_ITEM_NOT_FOUND},
		"no page":         {second(s.ListMade(ctx, &contentv1.ListMadeRequest{PageToken: "x"})), errorsv1.Reason_REASON_PAGE_TOKEN_INVALID},
		"nothing to say":  {second(s.Preview(ctx, &contentv1.PreviewRequest{Type: "anger"})), errorsv1.Reason_REASON_SCRIPT_REQUIRED},
		"nobody to speak": {second(s.Preview(ctx, &contentv1.PreviewRequest{Type: "anger", Script: "One."})), errorsv1.Reason_REASON_UNAVAILABLE},
	} {
		require.Equal(t, c.want, reason(c.err), name)
	}
	require.Contains(t, errs.From(meditation(func(r *req) { r.Script = "One.\n[pause 99]" })).Public, "Line 2")
}

// studioScopes open calls of the studio to service accounts; the others are for admins alone.
var studioScopes = map[string]string{
	contentv1connect.StudioServiceMakeMeditationProcedure: handlers.MakeLibraryScope, contentv1connect.StudioServiceMakeArticleProcedure: handlers.MakeArticlesScope,
	contentv1connect.StudioServiceVerifyMeditationProcedure: handlers.MakeLibraryScope, contentv1connect.StudioServiceDeleteMeditationProcedure: handlers.MakeLibraryScope,
}

// Only admins through the gateway, and service accounts with the scope for an item's kind, may use the studio.
func TestWhoMayWorkInTheStudio(t *testing.T) {
	t.Parallel()
	policy := handlers.Policy()
	methods := contentv1.File_serein_content_v1_studio_proto.Services().ByName("StudioService").Methods()
	for i := range methods.Len() {
		procedure := "/serein.content.v1.StudioService/" + string(methods.Get(i).Name())
		for _, c := range []struct {
			caller auth.Caller
			want   error
		}{
			{auth.Caller{Service: "gateway", Subject: auth.Subject{UID: adminUID, Admin: true}}, nil},
			{auth.Caller{Service: "gateway", Subject: auth.Subject{UID: adminUID, Entitlements: []string{"library"}}}, auth.ErrAdminRequired},
			{auth.Caller{Service: "gateway"}, auth.ErrUnauthenticated},
			{auth.Caller{Service: "gateway", Subject: auth.Subject{UID: adminUID, Admin: true, Actor: "x"}}, auth.ErrForbidden},
			{auth.Caller{Service: "client:press", Scopes: []string{handlers.WriteScope}}, auth.ErrForbidden},
			{auth.Caller{Service: "client:press", Scopes: []string{handlers.ArticlesScope, handlers.LibraryScope}}, auth.ErrForbidden},
		} {
			require.ErrorIs(t, policy.Check(procedure, c.caller), c.want, "%s %+v", procedure, c.caller)
		}
		for _, scope := range []string{handlers.MakeLibraryScope, handlers.MakeArticlesScope} {
			err := policy.Check(procedure, auth.Caller{Service: "client:press", Scopes: []string{scope}})
			require.Equal(t, scope == studioScopes[procedure], err == nil, "%s %s", procedure, scope)
		}
	}
}
