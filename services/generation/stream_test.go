package generation

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/alike"
	"serein.app/services/generation/internal/budget"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/metrics"
	store "serein.app/services/generation/internal/postgres"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/generation/internal/script"
	"serein.app/services/generation/internal/writer"
	"serein.app/services/testkit"
)

// author is a model that writes these lines. It says the first ones and waits until it is opened; faulty, it then breaks off, once.
type author struct {
	lines  []string
	first  int
	open   chan struct{}
	faulty bool

	mu sync.Mutex
	// wholes and rests count what it was asked for, and left the questions whose askers went away while it waited.
	wholes, rests, left int
}

func (a *author) Stream(ctx context.Context, ask writer.Ask, say func(string) error) (writer.Usage, error) {
	used, lines, first := writer.Usage{In: 10, Out: 10}, a.lines, a.first
	a.mu.Lock()
	if len(ask.Turns) > 1 {
		var n int
		_, _ = fmt.Sscanf(ask.Turns[2], "The passages above are spoken already and stay as they are. Write the rest in the same form: the passages %d", &n)
		lines, first = a.lines[n-1:], 0
		a.rests++
	} else {
		a.wholes++
	}
	a.mu.Unlock()
	for i, line := range lines {
		if i == first && len(ask.Turns) == 1 {
			if err := a.wait(ctx); err != nil || a.faulty {
				return used, err
			}
		}
		if err := say(line); err != nil {
			return used, err
		}
	}
	return used, nil
}

func (a *author) wait(ctx context.Context) error {
	select {
	case <-a.open:
		return nil
	case <-ctx.Done():
		a.mu.Lock()
		defer a.mu.Unlock()
		a.left++
		return context.Cause(ctx)
	}
}

func (a *author) asked() (wholes, rests, left int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.wholes, a.rests, a.left
}

// by has scripts written by the author and spoken meanwhile.
func (h *harness) by(a *author) option {
	counted, err := metrics.New(h.meters)
	require.NoError(h.t, err)
	return func(p *meditation.Ports) {
		p.Writer = writer.New(writer.Ports{
			Outside: writer.NewOutside(a, writer.Limits{AtOnce: 8, First: time.Minute, Whole: 2 * time.Minute}), BuiltIn: script.Composer{},
			Budget: budget.New(store.New(h.db.Pool, nil), budget.Writing, budget.Limits{Day: 1 << 40, Member: 1 << 40}, time.Now), Prices: writer.Prices{In: 1, Out: 1},
			Metrics: counted, Log: testkit.Logger(h.t), Streamed: true,
		})
	}
}

// spoken waits until so many segments are stored.
func (h *harness) spoken(p *process, uid, id uuid.UUID, n int) meditation.Meditation {
	h.t.Helper()
	var m meditation.Meditation
	require.Eventually(h.t, func() bool {
		var err error
		m, _, err = p.Get(h.t.Context(), uid, id)
		return err == nil && m.PassagesDone >= n
	}, waitFor, 2*time.Millisecond)
	return m
}

// requireSpokenAsStored holds the script that is stored against the sentences of the segments: they are the same, none is said twice, and
// its passages and silences are those of the size.
func (h *harness) requireSpokenAsStored(p *process, uid, id uuid.UUID) {
	h.t.Helper()
	m, segments, err := p.Get(h.t.Context(), uid, id)
	require.NoError(h.t, err)
	scripts, err := p.Scripts(h.t.Context(), m)
	require.NoError(h.t, err)
	var said, stored []string
	var silence time.Duration
	for _, s := range segments {
		for _, l := range s.Lines {
			said = append(said, l.Text)
		}
	}
	for _, passage := range scripts[0].Passages {
		stored = append(stored, passage.Sentences...)
		silence += passage.Pause
	}
	require.Equal(h.t, stored, said)
	require.Equal(h.t, 40*time.Second, silence)
	require.Len(h.t, scripts[0].Passages, 17)
	require.Equal(h.t, 17, m.PassagesTotal)
	require.Equal(h.t, script.WordCount(strings.Join(said, " ")), m.Words)
	for i, x := range said {
		for _, y := range said[:i] {
			require.False(h.t, alike.Same(alike.Bare(x), alike.Bare(y)), "%q and %q", x, y)
		}
	}
}

func TestTheFirstPassagesCanBeHeardWhileTheRestIsBeingWritten(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	uid := h.member(8)
	a := &author{lines: scriptLines(t, uid), first: 3, open: make(chan struct{})}
	p := h.start(1, time.Hour, h.by(a))
	id := h.create(p, uid).ID
	m := h.spoken(p, uid, id, 3)
	require.Equal(t, meditation.Narrating, m.State)
	require.Zero(t, m.PassagesTotal, "nobody knows it yet")
	require.Zero(t, m.Words)
	require.Greater(t, m.Expected, time.Minute, "as long as the size lets expect")
	require.Equal(t, 3*segmentTime, m.ReadyFor)
	mp3, err := p.ReadSegment(t.Context(), uid, id, 2)
	require.NoError(t, err)
	require.NotEmpty(t, mp3)
	close(a.open)
	require.Equal(t, meditation.Ready, h.ended(p, uid, id).State)
	h.requireSpokenAsStored(p, uid, id)
	wholes, rests, _ := a.asked()
	require.Equal(t, []int{1, 0}, []int{wholes, rests})
	require.Equal(t, map[string]int{"captured": 1}, h.billing.holds())
	require.Equal(t, map[string]int{"requested": 1, "progressed": 3, "completed": 1}, h.events())
}

func TestAMeditationWhoseModelBreaksOffIsMadeWholeAndPaidOnce(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	uid := h.member(8)
	a := &author{lines: scriptLines(t, uid), first: 5, open: make(chan struct{}), faulty: true}
	close(a.open)
	p := h.start(1, time.Hour, h.by(a))
	id := h.create(p, uid).ID
	require.Equal(t, meditation.Ready, h.ended(p, uid, id).State)
	h.requireSpokenAsStored(p, uid, id)
	wholes, rests, _ := a.asked()
	require.Equal(t, []int{1, 1}, []int{wholes, rests})
	require.Equal(t, map[string]int{"captured": 1}, h.billing.holds())
}

// The process dies without a word at some of its writes, before or after their effect; another one goes on.
func TestWhereverItDiesWhileAScriptIsBeingWrittenNothingIsLostOrSaidTwice(t *testing.T) {
	t.Parallel()
	for dieAt := 4; dieAt < 60; dieAt += 7 {
		for _, before := range []bool{true, false} {
			t.Run(fmt.Sprintf("%d %v", dieAt, before), func(t *testing.T) {
				t.Parallel()
				h := newHarness(t)
				uid := h.member(8)
				a := &author{lines: scriptLines(t, uid), first: 5, open: make(chan struct{}), faulty: true}
				close(a.open)
				dying := crashAt(dieAt, before)
				p := h.start(1, time.Minute, h.by(a), dying.wrap)
				m, err := p.Create(context.Background(), uid, request())
				require.NoError(t, err)
				require.Eventually(t, func() bool {
					now, _, err := p.Get(context.Background(), uid, m.ID)
					return dying.alive() != nil || err == nil && now.State.Ended()
				}, waitFor, 2*time.Millisecond)
				p.stop()
				kept := h.count(`SELECT count(*) FROM segments`)
				h.lapse()
				p = h.start(1, time.Minute, h.by(a))
				require.Equal(t, meditation.Ready, h.ended(p, uid, m.ID).State)
				h.requireSpokenAsStored(p, uid, m.ID)
				_, rests, _ := a.asked()
				require.LessOrEqual(t, rests, 1)
				require.Equal(t, map[string]int{"captured": 1}, h.billing.holds())
				first := h.firstSentence(p, uid, m.ID)
				if began := h.recorder.began(first); len(began) == 2 {
					require.Equal(t, kept, began[1], "what is kept is not narrated again")
				}
			})
		}
	}
}

func (h *harness) firstSentence(p *process, uid, id uuid.UUID) string {
	h.t.Helper()
	_, segments, err := p.Get(h.t.Context(), uid, id)
	require.NoError(h.t, err)
	return segments[0].Lines[0].Text
}

func TestCancellingStopsTheModel(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	uid := h.member(8)
	a := &author{lines: scriptLines(t, uid), first: 3, open: make(chan struct{})}
	p := h.start(1, time.Hour, h.by(a))
	id := h.create(p, uid).ID
	h.spoken(p, uid, id, 3)
	cancelled, err := p.Cancel(t.Context(), uid, id, 0)
	require.NoError(t, err)
	require.Equal(t, meditation.Cancelled, cancelled.State)
	h.nothingToHear(p, uid, id)
	require.Eventually(t, func() bool { _, _, left := a.asked(); return left == 1 }, waitFor, 2*time.Millisecond)
	require.Equal(t, map[string]int{"released": 1}, h.billing.holds())
}

func TestAMeditationThatEndsEarlyKeepsWhatWasSpokenByThen(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	uid := h.member(8)
	a := &author{lines: scriptLines(t, uid), first: 3, open: make(chan struct{})}
	p := h.start(1, time.Hour, h.by(a))
	id := h.create(p, uid).ID
	h.spoken(p, uid, id, 3)
	h.exec(`UPDATE meditations SET expected_us = ready_us`) // as if it were nearly over
	m, err := p.Cancel(t.Context(), uid, id, meditation.CostImmersive)
	require.NoError(t, err)
	require.Equal(t, meditation.Finishing, m.State)
	m = h.ended(p, uid, id)
	require.Equal(t, meditation.Ready, m.State)
	require.True(t, m.EndedEarly)
	require.Equal(t, 3, m.PassagesTotal)
	scripts, err := p.Scripts(t.Context(), m)
	require.NoError(t, err)
	require.Len(t, scripts[0].Passages, 3)
	require.Equal(t, map[string]int{"captured": 1}, h.billing.holds())
}

// An operator goes back to the built-in writer while a script is being written.
func TestTheBuiltInWriterEndsWhatAModelBegan(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	uid := h.member(8)
	a := &author{lines: scriptLines(t, uid), first: 3, open: make(chan struct{})}
	p := h.start(1, time.Hour, h.by(a))
	id := h.create(p, uid).ID
	h.spoken(p, uid, id, 3)
	p.stop()
	p = h.start(1, time.Hour, func(p *meditation.Ports) { p.Writer = script.Composer{} })
	require.Equal(t, meditation.Ready, h.ended(p, uid, id).State)
	h.requireSpokenAsStored(p, uid, id)
	wholes, rests, _ := a.asked()
	require.Equal(t, []int{1, 0}, []int{wholes, rests})
}

func TestOnlyTheAttemptThatOwnsADraftAddsToIt(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	uid := h.member(8)
	a := &author{lines: scriptLines(t, uid), first: 2, open: make(chan struct{})}
	p := h.start(1, time.Hour, h.by(a))
	id := h.create(p, uid).ID
	m := h.spoken(p, uid, id, 2)
	require.True(t, m.IsDraft())
	kept, one := h.ports(nil).Store, []recording.Passage{{Sentences: []string{"Rest here."}, Pause: time.Second}}
	require.ErrorIs(t, kept.AddPassages(t.Context(), m, 1, one), meditation.ErrLost, "another passage stands there")
	m.Attempt--
	require.ErrorIs(t, kept.AddPassages(t.Context(), m, 2, one), meditation.ErrLost)
	require.ErrorIs(t, kept.AskRest(t.Context(), m), meditation.ErrLost)
	require.ErrorIs(t, kept.CloseScript(t.Context(), m, 1, 2), meditation.ErrLost)
	m.Attempt++
	require.ErrorIs(t, kept.CloseScript(t.Context(), m, 1, 1), meditation.ErrLost, "more is spoken than that")
	close(a.open)
	require.Equal(t, meditation.Ready, h.ended(p, uid, id).State)
	m.PassagesTotal = 17
	require.ErrorIs(t, kept.AddPassages(t.Context(), m, 17, one), meditation.ErrLost, "it is whole")
}
