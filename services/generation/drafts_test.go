package generation

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/generation/internal/brief"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/generation/internal/script"
	"serein.app/services/generation/internal/title"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/erasure"
	"serein.app/services/platform/errs"
	"serein.app/services/testkit"
)

// composing has scripts written, and titles judged, as members have them.
func composing(p *meditation.Ports) { p.Writer, p.CheckTitle = script.Composer{}, title.Check }

// read has a script written.
func (h *harness) read(p *process, uid uuid.UUID, r meditation.Request) meditation.Draft {
	h.t.Helper()
	d, err := p.CreateDraft(h.t.Context(), uid, r)
	require.NoError(h.t, err)
	require.Empty(h.t, d.Problems(), "what is written may be narrated as it is")
	return d
}

// toNarrate asks for a draft to be narrated.
func toNarrate(d meditation.Draft) meditation.Request {
	return meditation.Request{Key: uuid.New(), DraftID: d.ID, DraftRevision: d.Revision}
}

// say puts a member's words in the place of a line.
func say(p *process, d meditation.Draft, line int, text string) (meditation.Draft, error) {
	return p.ChangeLine(context.Background(), d.UID, d.ID, d.Revision, line, meditation.LineChange{Text: &text})
}

// drop leaves a line out, or takes it back.
func drop(p *process, d meditation.Draft, line int, dropped bool) (meditation.Draft, error) {
	return p.ChangeLine(context.Background(), d.UID, d.ID, d.Revision, line, meditation.LineChange{Dropped: &dropped})
}

// longest is the number of the line with the most words, and those.
func longest(d meditation.Draft) (number int, text string) {
	n := 0
	for _, passage := range d.Passages {
		for _, l := range passage.Lines {
			n++
			if len(strings.Fields(l.Text())) > len(strings.Fields(text)) {
				number, text = n, l.Text()
			}
		}
	}
	return number, text
}

func TestAScriptIsReadChangedAndThenNarratedAndPaidFor(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute, composing)
	uid := h.member(8)
	d := h.read(p, uid, request())
	require.Len(t, d.Passages, 17)
	require.Equal(t, int64(8), h.billing.available(uid), "reading costs nothing")
	require.Empty(t, h.billing.holds())

	number, written := longest(d)
	words := strings.Fields(written)
	own := "my own words stand here " + strings.ToLower(strings.Join(words[len(words)/2:], " "))
	changed, err := say(p, d, number, own)
	require.NoError(t, err)
	require.Equal(t, 2, changed.Revision)
	require.Empty(t, changed.Problems())

	m, err := p.Create(t.Context(), uid, toNarrate(changed))
	require.NoError(t, err)
	require.Equal(t, meditation.Queued, m.State)
	require.Equal(t, "A quiet evening", m.Title)
	require.Equal(t, changed.Script().Words, m.Words)
	require.Equal(t, 2, m.Cost)
	require.Equal(t, int64(6), h.billing.available(uid))
	_, err = p.Draft(t.Context(), uid, d.ID)
	require.ErrorIs(t, err, meditation.ErrDraftNotFound, "narrated drafts are gone")

	worker := h.start(1, time.Minute, func(ports *meditation.Ports) { ports.Writer = refusing{} })
	done := h.ended(worker, uid, m.ID)
	require.Equal(t, meditation.Ready, done.State, "narrated without being written again")
	require.Equal(t, map[string]int{"captured": 1}, h.billing.holds())
	spoken, err := p.Scripts(t.Context(), done)
	require.NoError(t, err)
	require.Equal(t, changed.Script().Passages, spoken[0].Passages)
	for _, passage := range spoken[0].Passages {
		for i, sentence := range passage.Sentences {
			if strings.HasPrefix(sentence, "My own words") {
				require.False(t, passage.IsCommon(i), "a member's words are spoken to nobody else")
			}
		}
	}
}

type refusing struct{}

func (refusing) Write(context.Context, meditation.Meditation) (recording.Script, error) {
	return recording.Script{}, errors.New("nobody may write here")
}

func TestTheSameRequestForADraftIsTheSameDraft(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute, composing)
	uid := h.member(8)
	r := request()
	first := h.read(p, uid, r)
	r.Day = "2026-11-22"
	require.Equal(t, first, h.read(p, uid, r), "sent again, over midnight too")
	r.Title = "Another evening"
	_, err := p.CreateDraft(t.Context(), uid, r)
	require.ErrorIs(t, err, meditation.ErrIdempotencyKeyReused)
}

func TestAMemberHasThreeDraftsForADay(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute, composing)
	uid := h.member(8)
	var asking sync.WaitGroup
	refused := make(chan error, 8)
	for range cap(refused) {
		asking.Go(func() {
			_, err := p.CreateDraft(context.Background(), uid, request())
			refused <- err
		})
	}
	asking.Wait()
	close(refused)
	kept := 0
	for err := range refused {
		if err == nil {
			kept++
			continue
		}
		require.ErrorIs(t, err, meditation.ErrTooManyDrafts)
	}
	require.Equal(t, meditation.MaxDrafts, kept)

	all, err := p.Drafts(t.Context(), uid)
	require.NoError(t, err)
	require.Len(t, all, meditation.MaxDrafts)
	require.NoError(t, p.DeleteDraft(t.Context(), uid, all[0].ID))
	require.NoError(t, p.DeleteDraft(t.Context(), uid, all[0].ID), "twice is once")
	h.read(p, uid, request())

	h.pass(meditation.DraftLife + time.Second)
	all, err = p.Drafts(t.Context(), uid)
	require.NoError(t, err)
	require.Empty(t, all)
	h.read(p, uid, request())
}

func TestAnotherMembersDraftDoesNotExist(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute, composing)
	uid, other := h.member(8), h.member(8)
	d := h.read(p, uid, request())
	theirs := d
	theirs.UID = other
	_, err := p.Draft(t.Context(), other, d.ID)
	require.ErrorIs(t, err, meditation.ErrDraftNotFound)
	_, err = say(p, theirs, 1, "Mine now.")
	require.ErrorIs(t, err, meditation.ErrDraftNotFound)
	_, err = p.RewriteLine(t.Context(), other, d.ID, 1, 1)
	require.ErrorIs(t, err, meditation.ErrDraftNotFound)
	_, err = p.Create(t.Context(), other, toNarrate(d))
	require.ErrorIs(t, err, meditation.ErrDraftNotFound)
	require.NoError(t, p.DeleteDraft(t.Context(), other, d.ID))
	_, err = p.Draft(t.Context(), uid, d.ID)
	require.NoError(t, err)
}

func TestATitleInACrisisHasNoDraft(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute, composing)
	r := request()
	r.Title = "I want to end my life"
	_, err := p.CreateDraft(t.Context(), h.member(8), r)
	require.True(t, errs.Has(err, errorsv1.Reason_REASON_TITLE_NEEDS_CARE))
	require.Zero(t, h.count(`SELECT count(*) FROM drafts`))
}

func TestALineThatIsRefusedChangesNothing(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute, composing)
	d := h.read(p, h.member(8), request())
	for text, want := range map[string]errorsv1.Reason{
		" ":                             errorsv1.Reason_REASON_DRAFT_LINE_REQUIRED,
		strings.Repeat("so long ", 90):  errorsv1.Reason_REASON_DRAFT_LINE_TOO_LONG,
		"Count to 10.":                  errorsv1.Reason_REASON_DRAFT_LINE_UNSPEAKABLE,
		"What a shit day.":              errorsv1.Reason_REASON_DRAFT_LINE_PROFANE,
		"Hold your breath.":             errorsv1.Reason_REASON_DRAFT_LINE_UNSAFE,
		"Read the prompt.":              errorsv1.Reason_REASON_DRAFT_LINE_UNFIT,
		"I want to kill myself tonight": errorsv1.Reason_REASON_DRAFT_LINE_NEEDS_CARE,
	} {
		_, err := say(p, d, 1, text)
		require.True(t, errs.Has(err, want), "%q: %v", text, err)
		require.Equal(t, "text", errs.From(err).Field, "%q", text)
	}
	_, err := say(p, d, 1000, "Be here.")
	require.ErrorIs(t, err, meditation.ErrLineNotFound)
	same, err := p.Draft(t.Context(), d.UID, d.ID)
	require.NoError(t, err)
	require.Equal(t, d, same)
}

func TestAChangeOfAnOlderRevisionIsRefused(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute, composing)
	d := h.read(p, h.member(8), request())
	number, written := longest(d)
	now, err := say(p, d, number, written+" And rest.")
	require.NoError(t, err)
	_, err = drop(p, d, 1, true)
	require.ErrorIs(t, err, meditation.ErrDraftChanged)
	_, err = p.RewriteLine(t.Context(), d.UID, d.ID, d.Revision, 1)
	require.ErrorIs(t, err, meditation.ErrDraftChanged)
	_, err = p.Create(t.Context(), d.UID, toNarrate(d))
	require.ErrorIs(t, err, meditation.ErrDraftChanged)
	require.Empty(t, h.billing.holds())

	back, err := say(p, now, number, written)
	require.NoError(t, err)
	require.Equal(t, d.Passages, back.Passages, "the writer's words make the line the writer's again")
}

func TestADraftWithAProblemIsNotNarrated(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute, composing)
	d := h.read(p, h.member(8), request())
	number := len(d.Passages[0].Lines)
	var err error
	for line := 1; line <= number; line++ {
		d, err = drop(p, d, line, true)
		require.NoError(t, err)
	}
	require.Contains(t, d.Problems(), meditation.DraftProblem{
		Reason: brief.Breaks, Passage: 1, Message: "Nothing is said here any more. Take a line back, so that the silence has something to follow.",
	})
	_, err = p.Create(t.Context(), d.UID, toNarrate(d))
	require.ErrorIs(t, err, meditation.ErrDraftUnfit)
	for line := 1; line <= number; line++ {
		d, err = drop(p, d, line, false)
		require.NoError(t, err)
	}
	require.Empty(t, d.Problems())
	_, err = p.Create(t.Context(), d.UID, toNarrate(d))
	require.NoError(t, err)
}

func TestARefusedHoldKeepsTheDraft(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute, composing)
	uid := h.member(0)
	d := h.read(p, uid, request())
	asked := toNarrate(d)
	_, err := p.Create(t.Context(), uid, asked)
	require.True(t, errs.Has(err, errorsv1.Reason_REASON_INSUFFICIENT_CREDITS))
	same, err := p.Draft(t.Context(), uid, d.ID)
	require.NoError(t, err)
	require.Equal(t, d, same)
	require.Zero(t, h.count(`SELECT count(*) FROM scripts`))

	h.billing.grant(uid, 2)
	_, err = p.Create(t.Context(), uid, asked)
	require.NoError(t, err, "with the same key, once there are credits")
}

func TestTheSameRequestForANarrationIsOneMeditationAlsoWhenItsDraftIsGone(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute, composing)
	uid := h.member(8)
	d := h.read(p, uid, request())
	asked := toNarrate(d)
	h.billing.fail(nil, away("hold")) // the answer is lost
	_, err := p.Create(t.Context(), uid, asked)
	require.ErrorIs(t, err, meditation.ErrBillingAway)
	_, err = p.Create(t.Context(), uid, toNarrate(d))
	require.ErrorIs(t, err, meditation.ErrDraftChanged, "it is being held for the first request")
	h.billing.fail(nil, nil)
	m, err := p.Create(t.Context(), uid, asked)
	require.NoError(t, err)
	again, err := p.Create(t.Context(), uid, asked)
	require.NoError(t, err)
	require.Equal(t, m.ID, again.ID)
	asked.DraftRevision++
	_, err = p.Create(t.Context(), uid, asked)
	require.ErrorIs(t, err, meditation.ErrIdempotencyKeyReused)
	require.Equal(t, int64(6), h.billing.available(uid))
}

func TestADraftIsNarratedOnceHoweverOftenThatIsAskedAtOnce(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute, composing)
	uid := h.member(8)
	d := h.read(p, uid, request())
	var asking sync.WaitGroup
	made := make(chan uuid.UUID, 10)
	for range cap(made) {
		asking.Go(func() {
			if m, err := p.Create(context.Background(), uid, toNarrate(d)); err == nil {
				made <- m.ID
			}
		})
	}
	asking.Wait()
	require.Len(t, made, 1)
	require.Equal(t, int64(6), h.billing.available(uid))
}

func TestAnAbandonedRequestGivesTheDraftBack(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute, composing)
	uid := h.member(8)
	d := h.read(p, uid, request())
	h.billing.fail(nil, away("hold"))
	_, err := p.Create(t.Context(), uid, toNarrate(d))
	require.ErrorIs(t, err, meditation.ErrBillingAway)
	h.billing.fail(nil, nil)
	h.pass(meditation.HoldingTime + time.Second)
	require.NoError(t, p.Sweep(t.Context()))
	m, err := p.Create(t.Context(), uid, toNarrate(d))
	require.NoError(t, err)
	require.Equal(t, meditation.Queued, m.State)
}

func TestLinesAreWrittenAgainWithoutANewProblem(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute, composing)
	d := h.read(p, h.member(8), request())
	lines, other := 0, 0
	for _, passage := range d.Passages {
		lines += len(passage.Lines)
	}
	for line := 1; line <= lines && d.RewritesLeft() > 0; line++ {
		before := d
		next, err := p.RewriteLine(t.Context(), d.UID, d.ID, d.Revision, line)
		if errors.Is(err, meditation.ErrLineAlone) {
			continue
		}
		require.NoError(t, err)
		require.Empty(t, next.Problems())
		require.NotEqual(t, before.Passages, next.Passages)
		require.Equal(t, d.Rewrites+1, next.Rewrites)
		d, other = next, other+1
	}
	require.Greater(t, other, 5, "the writer has something else for many lines")
	t.Logf("%d of %d lines were written again", other, lines)
	h.exec(`UPDATE drafts SET rewrites = $1`, meditation.MaxRewrites)
	_, err := p.RewriteLine(t.Context(), d.UID, d.ID, d.Revision, 1)
	require.ErrorIs(t, err, meditation.ErrRewritesSpent)
}

func TestWhatIsReadFirstIsKeptInsideAsAsked(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute, composing)
	uid := h.member(8)
	asked := request()
	asked.KeepInside = true
	d := h.read(p, uid, asked)
	asked.KeepInside = false
	_, err := p.CreateDraft(t.Context(), uid, asked)
	require.ErrorIs(t, err, meditation.ErrIdempotencyKeyReused)
	m, err := p.Create(t.Context(), uid, toNarrate(d))
	require.NoError(t, err)
	require.True(t, m.KeepInside)
}

func TestADeletedAccountHasNoDrafts(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute, composing)
	uid := h.member(8)
	h.read(p, uid, request())
	require.NoError(t, p.Erase(t.Context(), erasure.Deletion{ID: uuid.New(), UID: uid}))
	require.Zero(t, h.count(`SELECT count(*) FROM drafts`))
}

func TestTheContractOfDrafts(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	made := h.fakes()
	made.writer, made.checkTitle = script.Composer{}, title.Check
	url, _ := h.service(made)
	c := generationv1connect.NewDraftServiceClient(testkit.Dialer(t, "gateway").To(Name, url))
	ctx := auth.WithMember(t.Context(), h.member(8).String())
	asked := createRequest()
	created, err := c.CreateDraft(ctx, &generationv1.CreateDraftRequest{
		Title: asked.GetTitle(), TypeId: asked.GetTypeId(), PracticeId: asked.GetPracticeId(), SizeId: asked.GetSizeId(), Immersive: true,
		TrackId: asked.GetTrackId(), IdempotencyKey: asked.GetIdempotencyKey(), LocalDate: asked.GetLocalDate(),
	})
	require.NoError(t, err)
	d := created.GetDraft()
	require.Len(t, d.GetPassages(), 17)
	require.Equal(t, []int32{350, 380, 2, 30, 1}, []int32{d.GetMinWords(), d.GetMaxWords(), d.GetCost(), d.GetRewritesLeft(), d.GetRevision()})
	require.Equal(t, "Isla", d.GetNarratorName())
	words, pause := 0, int64(0)
	for _, passage := range d.GetPassages() {
		pause += passage.GetPauseMs()
		for _, l := range passage.GetLines() {
			words += len(strings.Fields(l.GetText()))
		}
	}
	require.EqualValues(t, words, d.GetWords())
	require.EqualValues(t, 40_000, pause)

	yes := true
	dropped, err := c.ChangeLine(ctx, &generationv1.ChangeLineRequest{Id: d.GetId(), Revision: 1, Line: 1, Dropped: &yes})
	require.NoError(t, err)
	require.True(t, dropped.GetDraft().GetPassages()[0].GetLines()[0].GetDropped())
	text := "Take one slow breath in 4 counts."
	_, err = c.ChangeLine(ctx, &generationv1.ChangeLineRequest{Id: d.GetId(), Revision: 2, Line: 1, Text: &text})
	require.True(t, errs.Has(err, errorsv1.Reason_REASON_DRAFT_LINE_UNSPEAKABLE))

	listed, err := c.ListDrafts(ctx, &generationv1.ListDraftsRequest{})
	require.NoError(t, err)
	require.Len(t, listed.GetDrafts(), 1)
	_, err = c.GetDraft(auth.WithMember(t.Context(), h.member(1).String()), &generationv1.GetDraftRequest{Id: d.GetId()})
	require.True(t, errs.Has(err, errorsv1.Reason_REASON_DRAFT_NOT_FOUND))
	_, err = c.GetDraft(ctx, &generationv1.GetDraftRequest{Id: "no id"})
	require.True(t, errs.Has(err, errorsv1.Reason_REASON_DRAFT_NOT_FOUND))
	_, err = client(t, "gateway", url).CreateMeditation(ctx, &generationv1.CreateMeditationRequest{
		IdempotencyKey: uuid.NewString(), DraftId: d.GetId(), DraftRevision: 1,
	})
	require.True(t, errs.Has(err, errorsv1.Reason_REASON_DRAFT_CHANGED))
	_, err = c.DeleteDraft(ctx, &generationv1.DeleteDraftRequest{Id: d.GetId()})
	require.NoError(t, err)
}
