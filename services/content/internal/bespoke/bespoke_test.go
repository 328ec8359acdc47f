package bespoke_test

import (
	"context"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/services/content/internal/bespoke"
	store "serein.app/services/content/internal/postgres"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/outbox"
	"serein.app/services/testkit"
)

// generation has pages of one meditation each, and is away when it has answered so many.
type generation struct {
	bespoke.Meditations

	tokens []string // of the pages in their order; the first one's is empty
	most   int
	asked  []string
}

func (g *generation) ListMeditations(_ context.Context, req *generationv1.ListMeditationsRequest) (*generationv1.ListMeditationsResponse, error) {
	if len(g.asked) == g.most {
		return nil, errs.ErrUnavailable
	}
	g.asked = append(g.asked, req.GetPageToken())
	n := slices.Index(g.tokens, req.GetPageToken())
	if n < 0 {
		return nil, errs.New(errs.Invalid, errorsv1.Reason_REASON_PAGE_TOKEN_INVALID, "That page does not exist.")
	}
	page := &generationv1.ListMeditationsResponse{
		Meditations: []*generationv1.Meditation{{Id: uuid.NewSHA1(uuid.Nil, []byte(strconv.Itoa(n))).String(), Title: "Harbour", Stage: generationv1.Stage_STAGE_READY}},
		Scripts:     []*generationv1.Script{{Paragraphs: []string{"The harbour sleeps."}}},
	}
	if n+1 < len(g.tokens) {
		page.NextPageToken = g.tokens[n+1]
	}
	return page, nil
}

// GetMeditation answers one of each stage: the id says which.
func (*generation) GetMeditation(_ context.Context, req *generationv1.GetMeditationRequest) (*generationv1.GetMeditationResponse, error) {
	stage := generationv1.Stage(uuid.MustParse(req.GetId())[0])
	if stage == generationv1.Stage_STAGE_UNSPECIFIED {
		return nil, errs.New(errs.NotFound, errorsv1.Reason_REASON_MEDITATION_NOT_FOUND, "There is no such meditation.")
	}
	return &generationv1.GetMeditationResponse{Meditation: &generationv1.Meditation{Id: req.GetId(), Stage: stage}}, nil
}

func TestAMemberOwnsWhatHasMoreThanATitle(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "content", store.Migrate)
	s := store.Open(db.Pool, outbox.New(db.Pool, nil, "content", testkit.Logger(t), time.Now), time.Now).Search
	fetcher := bespoke.New(s.Bespoke(func(string, string) ([]string, int) { return nil, 0 }), &generation{}, time.Now, testkit.Logger(t))
	for stage, want := range map[generationv1.Stage]bool{
		generationv1.Stage_STAGE_UNSPECIFIED: false, generationv1.Stage_STAGE_NARRATING: true, generationv1.Stage_STAGE_READY: true,
		generationv1.Stage_STAGE_DELETED: false,
	} {
		owns, err := fetcher.Owns(t.Context(), uuid.New(), uuid.UUID{byte(stage)})
		require.NoError(t, err)
		require.Equal(t, want, owns, stage)
	}
}

// answers has it answer so many pages more, and forgets what it was asked.
func (g *generation) answers(most int) { g.most, g.asked = most, nil }

// filling is a database and what fills it for one member, from that generation.
func filling(t *testing.T, g *generation) (db testkit.DB, fill func()) {
	t.Helper()
	db = testkit.Postgres(t, "content", store.Migrate)
	s := store.Open(db.Pool, outbox.New(db.Pool, nil, "content", testkit.Logger(t), time.Now), time.Now).Search
	own := s.Bespoke(func(string, string) ([]string, int) { return []string{"sleep"}, 44 })
	ctx := auth.WithMember(t.Context(), uuid.NewString())
	return db, func() {
		t.Helper()
		require.NoError(t, bespoke.New(own, g, time.Now, testkit.Logger(t)).Fill(ctx), "a search goes on without it")
	}
}

func found(t *testing.T, db testkit.DB) (n int) {
	t.Helper()
	require.NoError(t, db.Pool.QueryRow(t.Context(), "SELECT count(*) FROM search_items").Scan(&n))
	return n
}

// A member may have more meditations than one search has time to fetch. Each search may run on another replica.
func TestFillContinuesWhereTheLastSearchStopped(t *testing.T) {
	t.Parallel()
	g := &generation{tokens: []string{"", "second", "third"}}
	db, fill := filling(t, g)
	g.answers(1)
	fill()
	require.Equal(t, []string{""}, g.asked)
	require.Equal(t, 1, found(t, db))
	g.answers(0)
	fill()
	g.answers(1)
	fill()
	require.Equal(t, []string{"second"}, g.asked)
	g.answers(1)
	fill()
	require.Equal(t, []string{"third"}, g.asked)
	require.Equal(t, 3, found(t, db))
	g.answers(1)
	fill()
	require.Empty(t, g.asked, "once all are here nobody is asked")
}

func TestWhereGenerationDoesNotKnowThePageAnyMoreItIsFetchedFromTheFirst(t *testing.T) {
	t.Parallel()
	g := &generation{tokens: []string{"", "second"}}
	db, fill := filling(t, g)
	g.answers(1)
	fill()
	g.tokens = []string{"", "other"}
	g.answers(3)
	fill()
	require.Equal(t, []string{"second", "", "other"}, g.asked)
	require.Equal(t, 2, found(t, db))
}
