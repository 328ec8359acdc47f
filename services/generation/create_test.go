package generation

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/script"
	"serein.app/services/platform/errs"
)

func TestAMeditationIsMadeKeptAndPaidForOnce(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(1, time.Minute)
	uid := h.member(8)

	made, err := p.Create(t.Context(), uid, request())
	require.NoError(t, err)
	require.Equal(t, meditation.Queued, made.State)
	require.Equal(t, 2, made.Cost)
	require.Equal(t, "Isla", made.NarratorName)
	require.Equal(t, 220*time.Second, made.Expected, "before the script is written, the size's usual length")

	m := h.ended(p, uid, made.ID)
	require.Equal(t, meditation.Ready, m.State)
	require.Equal(t, passages*segmentTime, m.ReadyFor)
	require.Equal(t, m.Expected, m.ReadyFor, "exact at the end")
	require.Equal(t, passages, m.PassagesDone)
	require.Equal(t, map[string]int{"captured": 1}, h.billing.holds())
	require.Equal(t, int64(6), h.billing.available(uid))
	require.Equal(t, map[string]int{"requested": 1, "progressed": 3, "completed": 1}, h.events())
	require.Equal(t, wholeSound(m.ID.String()), h.audio(p, uid, m.ID))
}

func TestTheSameRequestIsTheSameMeditation(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	uid := h.member(8)
	r := request()
	first, err := p.Create(t.Context(), uid, r)
	require.NoError(t, err)

	t.Run("sent again, also over midnight", func(t *testing.T) {
		r := r
		r.Day = "2026-11-22"
		again, err := p.Create(t.Context(), uid, r)
		require.NoError(t, err)
		require.Equal(t, first.ID, again.ID)
		require.Equal(t, int64(6), h.billing.available(uid))
	})
	t.Run("with another request it is refused", func(t *testing.T) {
		r := r
		r.Title = "Another title"
		_, err := p.Create(t.Context(), uid, r)
		require.ErrorIs(t, err, meditation.ErrIdempotencyKeyReused)
		require.Equal(t, int64(6), h.billing.available(uid))
	})
	t.Run("another member's key is another key", func(t *testing.T) {
		other := h.member(8)
		m, err := p.Create(t.Context(), other, r)
		require.NoError(t, err)
		require.NotEqual(t, first.ID, m.ID)
	})
}

func TestTheSameRequestSentTwentyTimesAtOnceIsOneMeditation(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(1, time.Minute)
	uid := h.member(8)
	r := request()
	ids := make(chan uuid.UUID, 20)
	var sending sync.WaitGroup
	for range cap(ids) {
		sending.Go(func() {
			m, err := p.Create(context.Background(), uid, r)
			if err == nil {
				ids <- m.ID
			}
		})
	}
	sending.Wait()
	close(ids)
	seen := map[uuid.UUID]bool{}
	for id := range ids {
		seen[id] = true
	}
	require.Len(t, seen, 1)
	for id := range seen {
		h.ended(p, uid, id)
	}
	require.Equal(t, map[string]int{"captured": 1}, h.billing.holds())
	require.Equal(t, 1, h.count(`SELECT count(*) FROM meditations`))
}

func TestTenAtOnceWithOneCreditAreOne(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(1, time.Minute)
	uid := h.member(1)
	var sending sync.WaitGroup
	results := make(chan error, 10)
	for range cap(results) {
		r := request()
		r.Immersive = false
		sending.Go(func() {
			_, err := p.Create(context.Background(), uid, r)
			results <- err
		})
	}
	sending.Wait()
	close(results)
	created := 0
	for err := range results {
		if err == nil {
			created++
			continue
		}
		require.Equal(t, "INSUFFICIENT_CREDITS", errs.From(err).Word())
		require.Equal(t, "You have run out of meditation credits.", errs.From(err).Public, "billing's own sentence")
	}
	require.Equal(t, 1, created)
	require.Equal(t, 1, h.count(`SELECT count(*) FROM meditations`), "a refused request leaves nothing behind")
	page, _, total, err := p.List(t.Context(), uid, meditation.Active, 0, "")
	require.NoError(t, err)
	require.Equal(t, 1, total)
	h.ended(p, uid, page[0].ID)
	require.Equal(t, map[string]int{"captured": 1}, h.billing.holds())
}

func TestAMemberHasThreeAtWorkAtMost(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	uid := h.member(100)
	var sending sync.WaitGroup
	results := make(chan error, 12)
	for range cap(results) {
		sending.Go(func() {
			_, err := p.Create(context.Background(), uid, request())
			results <- err
		})
	}
	sending.Wait()
	close(results)
	created := 0
	for err := range results {
		if err == nil {
			created++
			continue
		}
		require.ErrorIs(t, err, meditation.ErrTooManyGenerations)
	}
	require.Equal(t, meditation.MaxRunning, created)
	require.Equal(t, int64(100-2*meditation.MaxRunning), h.billing.available(uid), "the holds of the others are released")
	require.Equal(t, meditation.MaxRunning, h.count(`SELECT count(*) FROM meditations`))
}

// together lets nobody's hold through before all have asked, so that all have begun while none was
// at work.
type together struct {
	meditation.Credits
	asking *sync.WaitGroup
}

func (c together) Hold(ctx context.Context, m meditation.Meditation) (meditation.Hold, error) {
	c.asking.Done()
	c.asking.Wait()
	return c.Credits.Hold(ctx, m)
}

func TestOfRequestsThatBeginTogetherThreeAreMadeAndTheOthersReleased(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	const all = 7
	asking := &sync.WaitGroup{}
	asking.Add(all)
	p := h.start(0, time.Minute, func(ports *meditation.Ports) { ports.Credits = together{ports.Credits, asking} })
	uid := h.member(100)
	results := make(chan error, all)
	for range all {
		go func() {
			_, err := p.Create(context.Background(), uid, request())
			results <- err
		}()
	}
	refused := 0
	for range all {
		if err := <-results; err != nil {
			require.ErrorIs(t, err, meditation.ErrTooManyGenerations)
			refused++
		}
	}
	require.Equal(t, all-meditation.MaxRunning, refused)
	require.Equal(t, map[string]int{"open": meditation.MaxRunning, "released": refused}, h.billing.holds())
	require.Equal(t, meditation.MaxRunning, h.count(`SELECT count(*) FROM meditations`), "nothing is left of the others")
	require.Equal(t, map[string]int{"requested": meditation.MaxRunning}, h.events())
}

// twelveTogether lets no first hold through before all have asked.
type twelveTogether struct {
	meditation.Credits
	asking *sync.WaitGroup
	asked  *sync.Map
}

func (c twelveTogether) Hold(ctx context.Context, m meditation.Meditation) (meditation.Hold, error) {
	if _, again := c.asked.LoadOrStore(m.ID, true); !again {
		c.asking.Done()
		c.asking.Wait()
	}
	return c.Credits.Hold(ctx, m)
}

// Six of twelve set a credit aside each, three give it back: the others have credits enough, and hear that three are being made.
func TestCreditsThatComeBackAreNotMissing(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	const all = 12
	asking := &sync.WaitGroup{}
	asking.Add(all)
	p := h.start(0, time.Minute, func(ports *meditation.Ports) {
		ports.Credits = twelveTogether{ports.Credits, asking, &sync.Map{}}
	})
	uid := h.member(6)
	results := make(chan error, all)
	for range all {
		go func() {
			r := request()
			r.Immersive = false
			_, err := p.Create(context.Background(), uid, r)
			results <- err
		}()
	}
	refused := 0
	for range all {
		if err := <-results; err != nil {
			require.ErrorIs(t, err, meditation.ErrTooManyGenerations)
			refused++
		}
	}
	require.Equal(t, all-meditation.MaxRunning, refused)
	require.Equal(t, int64(6-meditation.MaxRunning), h.billing.available(uid))
	require.Equal(t, meditation.MaxRunning, h.count(`SELECT count(*) FROM meditations`), "nothing is left of the others")
}

// lateRelease lets the sweep give credits back right after billing has refused somebody for the want of them.
type lateRelease struct {
	meditation.Credits
	refused func()
}

func (c lateRelease) Hold(ctx context.Context, m meditation.Meditation) (meditation.Hold, error) {
	held, err := c.Credits.Hold(ctx, m)
	if err != nil {
		c.refused()
	}
	return held, err
}

func TestCreditsOfACancelledMeditationAreWaitedFor(t *testing.T) {
	t.Parallel()
	for name, wait := range map[string]time.Duration{"given back at once": 0, "given back a little later": 100 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t)
			sweeper := h.start(0, time.Minute)
			swept := make(chan error, 1)
			p := h.start(0, time.Minute, func(ports *meditation.Ports) {
				ports.Credits = lateRelease{ports.Credits, func() {
					h.billing.fail(nil, nil)
					time.AfterFunc(wait, func() { swept <- sweeper.Sweep(context.Background()) })
				}}
			})
			uid := h.member(2)
			first, err := p.Create(t.Context(), uid, request())
			require.NoError(t, err)
			h.billing.fail(away("release"), nil)
			_, err = p.Cancel(t.Context(), uid, first.ID, 0)
			require.NoError(t, err, "the sweep ends its hold")
			next, err := p.Create(t.Context(), uid, request())
			require.NoError(t, err)
			require.Equal(t, meditation.Queued, next.State)
			require.NoError(t, <-swept)
			require.Equal(t, map[string]int{"open": 1, "released": 1}, h.billing.holds())
		})
	}
}

func TestWhatCannotBeMadeIsRefusedBeforeAnythingHappens(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	refusal := errs.New(errs.Invalid, errorsv1.Reason_REASON_TITLE_PROFANE, "Title must not contain profanities").On("title")
	p := h.start(0, time.Minute, func(ports *meditation.Ports) {
		ports.CheckTitle = func(title string) (string, error) {
			if title == "rude" {
				return "", refusal
			}
			return title, nil
		}
	})
	uid := h.member(8)
	for name, c := range map[string]struct {
		change func(*meditation.Request)
		want   error
	}{
		"a profane title":     {func(r *meditation.Request) { r.Title = "rude" }, refusal},
		"an unknown type":     {func(r *meditation.Request) { r.TypeID = "better-sleep\x00" }, meditation.ErrUnknownType},
		"an unknown practice": {func(r *meditation.Request) { r.PracticeID = "" }, meditation.ErrUnknownPractice},
		"an unknown size":     {func(r *meditation.Request) { r.SizeID = "huge" }, meditation.ErrUnknownSize},
		"an unknown track":    {func(r *meditation.Request) { r.TrackID = "<b>rain</b>" }, meditation.ErrUnknownTrack},
		"an unknown narrator": {func(r *meditation.Request) { r.AskedNarratorID = "MAREN" }, meditation.ErrUnknownNarrator},
		"another language":    {func(r *meditation.Request) { r.Language = "en-US" }, meditation.ErrUnknownLanguage},
		"no day of any year":  {func(r *meditation.Request) { r.Day = "2026-02-30" }, meditation.ErrLocalDate},
	} {
		r := request()
		c.change(&r)
		_, err := p.Create(t.Context(), uid, r)
		require.ErrorIs(t, err, c.want, name)
		require.Equal(t, errs.From(c.want).Field, errs.From(err).Field, name)
	}
	require.Zero(t, h.count(`SELECT count(*) FROM meditations`))
	require.Zero(t, h.billing.calls("hold"))
}

func TestTheNarratorAskedForSpeaks(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(1, time.Minute)
	uid := h.member(8)
	r := request()
	r.AskedNarratorID, r.Language = "wren", "en-gb"
	made, err := p.Create(t.Context(), uid, r)
	require.NoError(t, err)
	require.Equal(t, "wren", made.NarratorID)
	require.Equal(t, "Wren", made.NarratorName)
	require.Equal(t, "wren", made.AskedNarratorID)
	require.Equal(t, meditation.Language, made.Language)
	require.Equal(t, meditation.Ready, h.ended(p, uid, made.ID).State)
	require.Equal(t, "wren", h.recorder.spoke(made.ID.String()))
}

func TestWhoSpeaksWhereTheMemberNamesNobody(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	for name, c := range map[string]struct {
		typeID, asked string
		immersive     bool
		speaks        string
	}{
		"voice only, by the type's narrator":           {typeID: "gratitude", speaks: "wren"},
		"immersive, by the default narrator":           {typeID: "gratitude", immersive: true, speaks: "isla"},
		"of a type without a narrator":                 {typeID: "mindfulness", speaks: "maren"},
		"immersive, of a type without a narrator":      {typeID: "mindfulness", immersive: true, speaks: "isla"},
		"immersive, by the narrator who was asked for": {typeID: "mindfulness", asked: "wren", immersive: true, speaks: "wren"},
	} {
		r := request()
		r.TypeID, r.AskedNarratorID, r.Immersive = c.typeID, c.asked, c.immersive
		made, err := p.Create(t.Context(), h.member(2), r)
		require.NoError(t, err, name)
		require.Equal(t, c.speaks, made.NarratorID, name)
	}
}

// The release before had an immersive meditation spoken by its type's narrator.
func TestARepeatedRequestFindsWhatAnEarlierReleaseMadeOfIt(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	uid, r := h.member(8), request()
	first, err := p.Create(t.Context(), uid, r)
	require.NoError(t, err)
	h.exec(`UPDATE meditations SET narrator_id = 'wren', narrator_name = 'Wren'`)
	again, err := p.Create(t.Context(), uid, r)
	require.NoError(t, err)
	require.Equal(t, []any{first.ID, "wren"}, []any{again.ID, again.NarratorID})
	require.Equal(t, int64(6), h.billing.available(uid), "charged once")
}

// The default narrator is isla: with and without her name it is not the same request.
func TestNarratorAndLanguageArePartOfTheRequest(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	uid := h.member(8)
	r := request()
	first, err := p.Create(t.Context(), uid, r)
	require.NoError(t, err)
	require.Equal(t, "isla", first.NarratorID)
	spelledOut := r
	spelledOut.Language = "en-GB"
	again, err := p.Create(t.Context(), uid, spelledOut)
	require.NoError(t, err, "the default language is the same language")
	require.Equal(t, first.ID, again.ID)
	for _, narrator := range []string{"isla", "wren"} {
		other := r
		other.AskedNarratorID = narrator
		_, err = p.Create(t.Context(), uid, other)
		require.ErrorIs(t, err, meditation.ErrIdempotencyKeyReused)
	}
}

func TestTheFirstNameOfACancelledMeditationGoes(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	uid := h.member(8)
	r := request()
	r.GivenName = "Amara"
	made, err := p.Create(t.Context(), uid, r)
	require.NoError(t, err)
	_, err = p.Cancel(t.Context(), uid, made.ID, 0)
	require.NoError(t, err)
	require.NoError(t, p.Sweep(t.Context())) // tells billing
	require.NoError(t, p.Sweep(t.Context())) // tidies
	require.Zero(t, h.count(`SELECT count(*) FROM meditations WHERE meditations::text LIKE '%Amara%'`))
	again, err := p.Create(t.Context(), uid, r)
	require.NoError(t, err, "it is the same request still")
	require.Equal(t, made.ID, again.ID)
}

func TestTheFirstNameReachesTheWriterIsPartOfTheRequestAndGoesWhenTheMeditationIsPurged(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(1, time.Minute)
	uid := h.member(8)
	r := request()
	r.GivenName = "Amara"
	made, err := p.Create(t.Context(), uid, r)
	require.NoError(t, err)
	require.Equal(t, "Amara", h.ended(p, uid, made.ID).GivenName)
	again, err := p.Create(t.Context(), uid, r)
	require.NoError(t, err)
	require.Equal(t, made.ID, again.ID)
	other := r
	other.GivenName = ""
	_, err = p.Create(t.Context(), uid, other)
	require.ErrorIs(t, err, meditation.ErrIdempotencyKeyReused)
	require.Zero(t, h.count(`SELECT count(*) FROM outbox WHERE convert_from(payload, 'LATIN1') LIKE '%Amara%'`), "no event has it")

	_, err = p.MarkDeleted(t.Context(), uid, made.ID)
	require.NoError(t, err)
	h.pass(meditation.KeptFor)
	require.NoError(t, p.Sweep(t.Context()))
	require.Zero(t, h.count(`SELECT count(*) FROM meditations WHERE meditations::text LIKE '%Amara%'`))
	again, err = p.Create(t.Context(), uid, r)
	require.NoError(t, err, "it is still the answer to the request that made it")
	require.Equal(t, made.ID, again.ID)
}

func TestTheComposerSaysTheFirstNameAtMostOnce(t *testing.T) {
	t.Parallel()
	heard := 0
	for day := range 20 {
		m := meditation.Meditation{
			Request: meditation.Request{
				Title: "A quiet evening", TypeID: "better-sleep", PracticeID: "zen", SizeID: "minimed", GivenName: "Amara",
				Day: fmt.Sprintf("2026-11-%02d", day+1),
			},
			Brief: meditation.Brief{
				MinWords: 350, MaxWords: 380, Breaks: 17, Pause: 40 * time.Second,
				Affirmations: []string{"The day is done.", "Nothing is asked of me tonight.", "Sleep knows the way to me."},
			},
		}
		written, err := script.Composer{}.Write(t.Context(), m)
		require.NoError(t, err)
		times := strings.Count(fmt.Sprint(written.Passages), "Amara")
		require.LessOrEqual(t, times, 1)
		heard += times
	}
	require.Positive(t, heard)
}

// A replica of the version before writes rows without the columns that came later.
func TestARowOfTheVersionBeforeIsRead(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	uid, id := h.member(0), uuid.New()
	h.exec(`INSERT INTO meditations (id, uid, title, type_id, practice_id, size_id, immersive, track_id, day, brief, narrator_id,
		narrator_name, cost, hold_id, state, created_at, deadline)
		VALUES ($1, $2, 'A title', 't', 'p', 's', false, '', now(), '{}', 'maren', 'Maren', 1, $1, 'queued', now(), now() + interval '1 hour')`, id, uid)
	m, _, err := h.start(0, time.Minute).Get(t.Context(), uid, id)
	require.NoError(t, err)
	require.Equal(t, meditation.Language, m.Language)
	require.Empty(t, m.AskedNarratorID)
}

func TestDefaultsAreOurs(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	r := request()
	r.TypeID, r.Immersive, r.Day = "mindfulness", false, ""
	m, err := p.Create(t.Context(), h.member(1), r)
	require.NoError(t, err)
	require.Equal(t, 1, m.Cost)
	require.Equal(t, "maren", m.NarratorID)
	require.Empty(t, m.TrackID, "a voice-only meditation has no track")
	require.Equal(t, h.clock().Format(time.DateOnly), m.Day)
}

func TestBillingAwayDuringCreateChargesNothing(t *testing.T) {
	t.Parallel()
	for name, outage := range map[string]func(*fakeBilling){
		"refused before":     func(b *fakeBilling) { b.fail(away("hold"), nil) },
		"its answer is lost": func(b *fakeBilling) { b.fail(nil, away("hold")) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t)
			p := h.start(1, time.Minute)
			uid := h.member(2)
			r := request()
			outage(h.billing)
			_, err := p.Create(t.Context(), uid, r)
			require.ErrorIs(t, err, meditation.ErrBillingAway)
			_, _, total, err := p.List(t.Context(), uid, meditation.Active, 0, "")
			require.NoError(t, err)
			require.Zero(t, total, "nothing to see")

			t.Log("the sweep gives up after a minute, and keeps trying while billing is away")
			h.pass(meditation.HoldingTime + time.Second)
			require.Error(t, p.Sweep(t.Context()))
			h.billing.fail(nil, nil)
			h.exec(`UPDATE meditations SET next_try_at = now()`)
			require.NoError(t, p.Sweep(t.Context()))
			require.Equal(t, int64(2), h.billing.available(uid))
			require.Zero(t, h.billing.holds()["open"])
			require.Zero(t, h.count(`SELECT count(*) FROM meditations`))

			t.Log("and the same request can be sent again")
			m, err := p.Create(t.Context(), uid, r)
			require.NoError(t, err)
			require.Equal(t, meditation.Ready, h.ended(p, uid, m.ID).State)
			require.Equal(t, int64(2), h.billing.spends)
		})
	}
}

func TestARequestSentAgainAfterAnOutageGoesOn(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(1, time.Minute)
	uid := h.member(2)
	r := request()
	h.billing.fail(nil, away("hold"))
	_, err := p.Create(t.Context(), uid, r)
	require.ErrorIs(t, err, meditation.ErrBillingAway)
	h.billing.fail(nil, nil)
	m, err := p.Create(t.Context(), uid, r)
	require.NoError(t, err)
	h.ended(p, uid, m.ID)
	require.Equal(t, map[string]int{"captured": 1}, h.billing.holds())
}

func TestARequestGoesOnWhenWhoSentItLeaves(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	ctx, leave := context.WithCancel(t.Context())
	p := h.start(1, time.Minute, func(ports *meditation.Ports) {
		ports.Credits = leaving{ports.Credits, leave}
	})
	uid := h.member(2)
	m, err := p.Create(ctx, uid, request())
	require.NoError(t, err)
	require.Equal(t, meditation.Ready, h.ended(p, uid, m.ID).State)
}

// leaving has the caller leave in the middle of the hold.
type leaving struct {
	meditation.Credits
	leave func()
}

func (l leaving) Hold(ctx context.Context, m meditation.Meditation) (meditation.Hold, error) {
	l.leave()
	return l.Credits.Hold(ctx, m)
}

func TestAnotherMembersMeditationDoesNotExist(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(1, time.Minute)
	uid, other := h.member(8), h.member(8)
	m, err := p.Create(t.Context(), uid, request())
	require.NoError(t, err)
	h.ended(p, uid, m.ID)
	for _, id := range []uuid.UUID{m.ID, uuid.New(), uuid.Nil} {
		_, _, err := p.Get(t.Context(), other, id)
		require.ErrorIs(t, err, meditation.ErrNotFound)
		_, err = p.Cancel(t.Context(), other, id, 0)
		require.ErrorIs(t, err, meditation.ErrNotFound)
		_, _, err = p.OpenAudio(t.Context(), other, id)
		require.ErrorIs(t, err, meditation.ErrNotFound)
		_, err = p.ReadSegment(t.Context(), other, id, 0)
		require.ErrorIs(t, err, meditation.ErrNotFound)
		err = p.Watch(t.Context(), other, id, 0, func(meditation.Update) error { return errors.New("sent") })
		require.ErrorIs(t, err, meditation.ErrNotFound)
	}
	_, _, total, err := p.List(t.Context(), other, meditation.Active, 0, "")
	require.NoError(t, err)
	require.Zero(t, total)
}
