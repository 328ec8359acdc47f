package content

import (
	"context"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	eventsv1 "serein.app/proto/gen/serein/events/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/rpc"
	"serein.app/services/testkit"
)

// meditations fakes the generation service: it has one meditation of the member from before, and sends events about some later ones.
type meditations struct {
	generationv1connect.UnimplementedMeditationServiceHandler

	member string
	later  []string // their ids
}

func (m *meditations) ListMeditations(ctx context.Context, req *generationv1.ListMeditationsRequest) (*generationv1.ListMeditationsResponse, error) {
	if auth.Member(ctx) != m.member || !req.GetWithScripts() {
		return &generationv1.ListMeditationsResponse{}, nil
	}
	return &generationv1.ListMeditationsResponse{
		Meditations: []*generationv1.Meditation{
			{Id: uuid.NewString(), Title: "Still being made", Stage: generationv1.Stage_STAGE_WRITING},
			{Id: uuid.NewString(), Title: "A lantern of before", Stage: generationv1.Stage_STAGE_READY, ExpectedMs: 61_000, Immersive: true},
		},
		Scripts: []*generationv1.Script{{}, {Paragraphs: []string{"Let the shoulders down.", "The harbour sleeps."}}},
	}, nil
}

func (m *meditations) GetMeditation(ctx context.Context, req *generationv1.GetMeditationRequest) (*generationv1.GetMeditationResponse, error) {
	if auth.Member(ctx) != m.member || !slices.Contains(m.later, req.GetId()) {
		return nil, errs.New(errs.NotFound, errorsv1.Reason_REASON_MEDITATION_NOT_FOUND, "There is none.")
	}
	return &generationv1.GetMeditationResponse{
		Meditation: &generationv1.Meditation{Id: req.GetId(), Title: "A lantern of now", Stage: generationv1.Stage_STAGE_READY},
		Script:     &generationv1.Script{Paragraphs: []string{"Beneath the lighthouse."}},
	}, nil
}

// startSearch runs the service beside that generation service.
func startSearch(t *testing.T, m *meditations) *harness {
	t.Helper()
	read := auth.Rule{Services: []string{Name}, Member: true}
	guard, err := rpc.NewServer(testkit.Verifier(t, "generation"), auth.Policy{
		generationv1connect.MeditationServiceListMeditationsProcedure: read, generationv1connect.MeditationServiceGetMeditationProcedure: read,
	}, testkit.Telemetry(t))
	require.NoError(t, err)
	_, handler := generationv1connect.NewMeditationServiceHandler(m, guard.Options()...)
	generation := httptest.NewServer(handler)
	t.Cleanup(generation.Close)
	return startWith(t, t.TempDir(), fakeSynthesiser{}, func(c *Config) { c.GenerationURL = generation.URL })
}

func (h *harness) search(ctx context.Context, as string, req *contentv1.SearchRequest) (*contentv1.SearchResponse, error) {
	c, base, options := testkit.Dialer(h.t, as).To(Name, h.address)
	return contentv1connect.NewSearchServiceClient(c, base, options).Search(ctx, req)
}

// publish tells of an event as that service does.
func (h *harness) publish(t *testing.T, service, uid string, message proto.Message) {
	t.Helper()
	b, err := bus.Connect(h.broker.URL, "test", testkit.Logger(t))
	require.NoError(t, err)
	t.Cleanup(b.Close)
	require.Eventually(t, func() bool {
		_, err := b.EnsureStream(t.Context(), service)
		return err == nil
	}, testkit.Patience, 10*time.Millisecond)
	row, err := outbox.New(nil, b, service, testkit.Logger(t), time.Now).Row(t.Context(), outbox.Event{Aggregate: uid, UID: uid, Message: message})
	require.NoError(t, err)
	_, err = b.Publish(t.Context(), bus.StreamName(service), []bus.Message{{ID: row.ID.String(), Subject: row.Subject, Data: row.Payload}})
	require.NoError(t, err)
}

// finds searches until the text is found among that kind, and gives the first match.
func (h *harness) finds(ctx context.Context, text string, kind contentv1.ItemKind) *contentv1.Match {
	h.t.Helper()
	var match *contentv1.Match
	require.Eventually(h.t, func() bool {
		res, err := h.search(ctx, "gateway", &contentv1.SearchRequest{Text: text, Kind: kind})
		require.NoError(h.t, err)
		require.Len(h.t, res.GetGroups(), 1)
		if matches := res.GetGroups()[0].GetMatches(); len(matches) > 0 {
			match = matches[0]
		}
		return match != nil
	}, testkit.Patience, 20*time.Millisecond, text)
	return match
}

func TestMemberSearchesPublishedAndOwnItems(t *testing.T) {
	t.Parallel()
	member := uuid.NewString()
	h := startSearch(t, &meditations{member: member})
	ctx := auth.WithMember(t.Context(), member)

	article := h.finds(ctx, "AWAKE at thrre", contentv1.ItemKind_ITEM_KIND_ARTICLE)
	require.Equal(t, "awake-at-three", article.GetSlug())
	require.Equal(t, "Better Sleep", article.GetCategory().GetName())
	require.EqualValues(t, 100, article.GetCategory().GetConfidence())
	meditation := h.finds(ctx, "four fingertips", contentv1.ItemKind_ITEM_KIND_MEDITATION)
	require.Equal(t, "four-fingertips", meditation.GetItem().GetId())
	require.Empty(t, meditation.GetSlug(), "only articles have one here")

	before := h.finds(ctx, "harbour", contentv1.ItemKind_ITEM_KIND_BESPOKE)
	require.EqualValues(t, 61, before.GetAudioSeconds())
	require.True(t, before.GetImmersive())
	require.NotEmpty(t, before.GetCategory().GetId())
	res, err := h.search(auth.WithMember(t.Context(), uuid.NewString()), "gateway", &contentv1.SearchRequest{Text: "harbour", Kind: contentv1.ItemKind_ITEM_KIND_BESPOKE})
	require.NoError(t, err)
	require.Zero(t, res.GetGroups()[0].GetTotal(), "another member's are nobody's business")
}

func TestWhatAMemberMakesIsFoundByItsTitleAndThenByItsScriptUntilTheyAreGone(t *testing.T) {
	t.Parallel()
	member, id := uuid.NewString(), uuid.NewString()
	h := startSearch(t, &meditations{member: member, later: []string{id}})
	ctx := auth.WithMember(t.Context(), member)
	h.publish(t, "generation", member, &eventsv1.GenerationCompleted{MeditationId: id, Uid: member, Title: "A lantern of now", DurationMs: 9000})
	match := h.finds(ctx, "lighthouse", contentv1.ItemKind_ITEM_KIND_BESPOKE)
	require.Equal(t, id, match.GetItem().GetId())
	h.publish(t, "identity", member, &eventsv1.UserDeleted{Uid: member, DeletionId: uuid.NewString()})
	require.Eventually(t, func() bool {
		var n int
		require.NoError(t, h.db.Pool.QueryRow(t.Context(), "SELECT count(*) FROM search_items WHERE uid = $1", member).Scan(&n))
		return n == 0
	}, testkit.Patience, 20*time.Millisecond)
}

// What is marked as deleted can come back, with what the member did with it; what is purged or refunded cannot.
func TestNothingIsKeptOfAMeditationThatIsGone(t *testing.T) {
	t.Parallel()
	member, purged, refunded, kept := uuid.NewString(), uuid.NewString(), uuid.NewString(), uuid.NewString()
	h := startSearch(t, &meditations{member: member, later: []string{purged, refunded, kept}})
	ctx := auth.WithMember(t.Context(), member)
	c, base, options := testkit.Dialer(t, "gateway").To(Name, h.address)
	items := contentv1connect.NewItemServiceClient(c, base, options)
	for _, id := range []string{purged, refunded, kept} {
		item := &contentv1.ItemRef{Kind: contentv1.ItemKind_ITEM_KIND_BESPOKE, Id: id}
		_, err := items.SetLike(ctx, &contentv1.SetLikeRequest{Item: item, Liked: true})
		require.NoError(t, err)
		_, err = items.SetSaved(ctx, &contentv1.SetSavedRequest{Item: item, Saved: true})
		require.NoError(t, err)
	}
	h.publish(t, "generation", member, &eventsv1.BespokeDeleted{MeditationId: kept, Uid: member})
	h.publish(t, "generation", member, &eventsv1.BespokeDeleted{MeditationId: purged, Uid: member})
	h.publish(t, "generation", member, &eventsv1.BespokePurged{MeditationId: purged, Uid: member})
	h.publish(t, "generation", member, &eventsv1.GenerationRefunded{MeditationId: refunded, Uid: member})
	require.Eventually(t, func() bool {
		var states, likes, saved []string
		require.NoError(t, h.db.Pool.QueryRow(t.Context(), `SELECT (SELECT array_agg(state ORDER BY state) FROM search_bespoke),
			(SELECT array_agg(item) FROM likes), (SELECT array_agg(item) FROM saved)`).Scan(&states, &likes, &saved))
		return slices.Equal(states, []string{"deleted", "gone", "gone"}) && slices.Equal(likes, []string{kept}) && slices.Equal(saved, []string{kept})
	}, testkit.Patience, 20*time.Millisecond)
	var counted int
	require.NoError(t, h.db.Pool.QueryRow(t.Context(), "SELECT count(*) FROM like_counts").Scan(&counted))
	require.Equal(t, 1, counted)
}

func TestOnlyMembersSearch(t *testing.T) {
	t.Parallel()
	h := start(t, fakeSynthesiser{})
	req := &contentv1.SearchRequest{Text: "sleep"}
	_, err := h.search(t.Context(), "gateway", req)
	require.Equal(t, errs.Unauthenticated, errs.KindOf(err))
	_, err = h.search(auth.WithMember(t.Context(), uuid.NewString()), "generation", req)
	require.Equal(t, errs.Forbidden, errs.KindOf(err))
}

func TestSearchPagesGoOnWithTheirOwnTokenAlone(t *testing.T) {
	t.Parallel()
	h := start(t, fakeSynthesiser{}) // generation is away: a search goes on without what the member made before
	ctx := auth.WithMember(t.Context(), uuid.NewString())
	first := &contentv1.SearchRequest{Text: "the", Kind: contentv1.ItemKind_ITEM_KIND_ARTICLE, PageSize: 1}
	var token string
	require.Eventually(t, func() bool {
		res, err := h.search(ctx, "gateway", first)
		require.NoError(t, err)
		token = res.GetGroups()[0].GetNextPageToken()
		return token != ""
	}, testkit.Patience, 20*time.Millisecond)
	next := proto.CloneOf(first)
	next.PageToken = token
	res, err := h.search(ctx, "gateway", next)
	require.NoError(t, err)
	require.Len(t, res.GetGroups()[0].GetMatches(), 1)
	for name, change := range map[string]func(*contentv1.SearchRequest){
		"another text":     func(r *contentv1.SearchRequest) { r.Text = "and" },
		"another kind":     func(r *contentv1.SearchRequest) { r.Kind = contentv1.ItemKind_ITEM_KIND_MEDITATION },
		"all kinds":        func(r *contentv1.SearchRequest) { r.Kind = contentv1.ItemKind_ITEM_KIND_UNSPECIFIED },
		"another category": func(r *contentv1.SearchRequest) { r.Category = "anger" },
		"no token":         func(r *contentv1.SearchRequest) { r.PageToken = "x" },
	} {
		wrong := proto.CloneOf(next)
		change(wrong)
		_, err := h.search(ctx, "gateway", wrong)
		require.True(t, errs.Has(err, errorsv1.Reason_REASON_PAGE_TOKEN_INVALID), name)
	}
	_, err = h.search(ctx, "gateway", &contentv1.SearchRequest{Text: string(make([]byte, 201))})
	require.Equal(t, errs.Invalid, errs.KindOf(err))
	require.NotEqual(t, connect.CodeInternal, connect.CodeOf(err))
}

func TestMemberLikesAndSavesOnlyTheirOwnMeditations(t *testing.T) {
	t.Parallel()
	m := &meditations{member: uuid.NewString(), later: []string{uuid.NewString()}}
	h := startSearch(t, m)
	c, base, options := testkit.Dialer(t, "gateway").To(Name, h.address)
	items := contentv1connect.NewItemServiceClient(c, base, options)
	ref := func(id string) *contentv1.ItemRef {
		return &contentv1.ItemRef{Kind: contentv1.ItemKind_ITEM_KIND_BESPOKE, Id: id}
	}
	ctx := auth.WithMember(t.Context(), m.member)
	before := h.finds(ctx, "harbour", contentv1.ItemKind_ITEM_KIND_BESPOKE).GetItem().GetId()
	for _, id := range []string{before, m.later[0]} { // no event has announced the later one
		liked, err := items.SetLike(ctx, &contentv1.SetLikeRequest{Item: ref(id), Liked: true})
		require.NoError(t, err)
		require.EqualValues(t, 1, liked.GetStanding().GetLikes())
		stranger := auth.WithMember(t.Context(), uuid.NewString())
		_, err = items.SetLike(stranger, &contentv1.SetLikeRequest{Item: ref(id), Liked: true})
		require.Equal(t, errorsv1.Reason_REASON_ITEM_NOT_FOUND, rpc.Declared(err).Reason)
		_, err = items.SetSaved(stranger, &contentv1.SetSavedRequest{Item: ref(id), Saved: true})
		require.Equal(t, errorsv1.Reason_REASON_ITEM_NOT_FOUND, rpc.Declared(err).Reason)
	}
}
