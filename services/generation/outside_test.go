package generation

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/recording"
)

var errVendor = errors.New("the vendor does not answer")

// byNova asks for a meditation by the outside narrator.
func (h *harness) byNova(p *process, uid uuid.UUID) meditation.Meditation {
	h.t.Helper()
	r := request()
	r.AskedNarratorID = "nova"
	m := h.ask(p, uid, r)
	require.Equal(h.t, "Nova", m.NarratorName)
	return m
}

// failFrom has Nova fail from the segment with that index on, and before is called for all who speak.
func (h *harness) failFrom(index int, before func(ctx context.Context, id string, index int) error) {
	h.recorder.hook(func(ctx context.Context, id string, i int) error {
		if h.recorder.spoke(id) == "nova" && i >= index {
			return errVendor
		}
		if before == nil {
			return nil
		}
		return before(ctx, id, i)
	})
}

func TestAnOutsideNarratorWhoFailsBeforeTheFirstSentenceGivesTheWholeRecordingToTheFallback(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.failFrom(0, nil)
	p := h.start(1, time.Minute)
	uid := h.member(8)
	m := h.byNova(p, uid)
	done := h.ended(p, uid, m.ID)
	require.Equal(t, meditation.Ready, done.State)
	require.Equal(t, []string{"wren", "Wren"}, []string{done.NarratorID, done.NarratorName}, "the member sees who speaks")
	require.Equal(t, "nova", done.AskedNarratorID, "the same request finds it again")
	require.Equal(t, []int{0, 0}, h.recorder.began(m.ID.String()))
	require.Equal(t, map[string]int{"captured": 1}, h.billing.holds())
}

func TestAnOutsideNarratorWhoFailsLaterKeepsTheRecordingUntilItIsGivenUp(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.failFrom(1, nil)
	p := h.start(1, time.Minute)
	uid := h.member(8)
	m := h.byNova(p, uid)
	require.Eventually(t, func() bool { return h.count(`SELECT count(*) FROM meditations WHERE tries > 0`) == 1 }, waitFor, 2*time.Millisecond)
	h.exec(`UPDATE meditations SET tries = $1, next_try_at = now() WHERE id = $2`, meditation.MaxTries, m.ID) // as if this had gone on for a while
	failed := h.ended(p, uid, m.ID)
	require.Equal(t, meditation.Failed, failed.State)
	require.Equal(t, meditation.ReasonNarration, failed.FailureReason)
	require.Equal(t, "nova", failed.NarratorID)
	require.Equal(t, "nova", h.recorder.spoke(m.ID.String()), "nobody else has spoken")
	require.Equal(t, map[string]int{"released": 1}, h.billing.holds())
	require.EqualValues(t, 8, h.billing.available(uid), "the credits are back")
}

func TestTheProcessThatGoesOnKeepsTheVoiceOfWhatIsStored(t *testing.T) {
	t.Parallel()
	for speaker, failing := range map[string]int{"nova": passages, "wren": 0} {
		t.Run(speaker, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t)
			g := newGate(2)
			h.failFrom(failing, g.before)
			p := h.start(1, time.Minute)
			uid := h.member(8)
			m := h.byNova(p, uid)
			<-g.arrived
			p.stop()
			close(g.open)
			next := h.start(1, time.Minute)
			done := h.ended(next, uid, m.ID)
			require.Equal(t, meditation.Ready, done.State)
			require.Equal(t, speaker, done.NarratorID)
			require.Equal(t, speaker, h.recorder.spoke(m.ID.String()))
			began := h.recorder.began(m.ID.String())
			require.Equal(t, 2, began[len(began)-1], "what is stored is not spoken again")
		})
	}
}

func TestAProcessThatDiesBetweenTheChangeOfTheNarratorAndTheFirstSentenceLosesNothing(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	g := newGate(0)
	h.failFrom(0, g.before)
	p := h.start(1, time.Minute)
	uid := h.member(8)
	m := h.byNova(p, uid)
	<-g.arrived
	p.stop()
	seen := h.count(`SELECT count(*) FROM meditations WHERE narrator_id = 'wren' AND narrator_name = 'Wren' AND passages_done = 0`)
	require.Equal(t, 1, seen)
	close(g.open)
	next := h.start(1, time.Minute)
	done := h.ended(next, uid, m.ID)
	require.Equal(t, meditation.Ready, done.State)
	require.Equal(t, "wren", done.NarratorID)
	require.Equal(t, []int{0, 0, 0}, h.recorder.began(m.ID.String()), "Nova is not asked again")
}

// An operator has taken the narrator out of the file.
func TestANarratorWhoIsGoneIsReplacedWhereNothingIsStored(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	uid := h.member(8)
	m := h.byNova(p, uid)
	h.exec(`UPDATE meditations SET narrator_id = 'gone', narrator_name = 'Gone' WHERE id = $1`, m.ID)
	h.start(1, time.Minute)
	done := h.ended(p, uid, m.ID)
	require.Equal(t, meditation.Ready, done.State)
	require.Equal(t, []string{"isla", "Isla"}, []string{done.NarratorID, done.NarratorName})
}

func TestNobodyTakesARecordingThatHasASegmentOrAnotherAttempt(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	g := newGate(1)
	h.recorder.hook(g.before)
	p := h.start(1, time.Minute)
	uid := h.member(8)
	m := h.byNova(p, uid)
	<-g.arrived
	held, _, err := p.Get(t.Context(), uid, m.ID)
	require.NoError(t, err)
	wren := recording.Narrator{ID: "wren", Name: "Wren"}
	kept := h.ports(nil).Store
	_, err = kept.ChangeNarrator(t.Context(), held, wren, time.Minute)
	require.ErrorIs(t, err, meditation.ErrLost, "a segment is stored")
	h.exec(`UPDATE meditations SET passages_done = 0 WHERE id = $1`, m.ID)
	held.Attempt--
	_, err = kept.ChangeNarrator(t.Context(), held, wren, time.Minute)
	require.ErrorIs(t, err, meditation.ErrLost, "another attempt has it")
	h.exec(`UPDATE meditations SET passages_done = 1 WHERE id = $1`, m.ID)
	close(g.open)
	require.Equal(t, "nova", h.ended(p, uid, m.ID).NarratorID)
}
