package generation

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/errs"
)

func TestWhatAMemberKeepsInsideGoesToNoModel(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	uid := h.member(8)
	address, asked := vendorOf(t, streamedScript(t, uid))
	p := h.start(1, time.Hour, h.writtenBy(address))
	r := request()
	r.KeepInside = true
	m := h.ended(p, uid, h.ask(p, uid, r).ID)
	require.Equal(t, meditation.Ready, m.State)
	require.True(t, m.KeepInside, "the form offers it for the next one")
	require.Zero(t, asked.Load())
	listed, _, _, err := p.List(t.Context(), uid, meditation.All, 10, "")
	require.NoError(t, err)
	require.True(t, listed[0].KeepInside)
}

func TestWhatAMemberKeepsInsideIsSpokenInside(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	uid := h.member(8)
	p := h.start(1, time.Hour)
	r := request()
	r.KeepInside, r.AskedNarratorID = true, "nova"
	_, err := p.Create(t.Context(), uid, r)
	require.ErrorIs(t, err, meditation.ErrNarratorOutside)
	require.Equal(t, "narrator_id", errs.From(err).Field)
	require.Zero(t, h.count(`SELECT count(*) FROM meditations`))
	require.Zero(t, h.billing.calls("hold"))
	r.AskedNarratorID = "wren"
	require.Equal(t, "wren", h.ask(p, uid, r).NarratorID)
}

func TestTheFallbackOfATypesNarratorSpeaksWhatIsKeptInside(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	uid := h.member(8)
	p := h.start(0, time.Hour)
	for keep, want := range map[bool]string{false: "nova", true: "wren"} {
		r := request()
		r.TypeID, r.Immersive, r.KeepInside = "courage", false, keep
		require.Equal(t, want, h.ask(p, uid, r).NarratorID)
	}
}

// An operator has moved a narrator outside since the meditation was asked for.
func TestWhatIsKeptInsideIsNotSpokenByANarratorWhoHasGoneOutside(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	uid := h.member(8)
	p := h.start(0, time.Minute)
	r := request()
	r.KeepInside = true
	m := h.ask(p, uid, r)
	h.exec(`UPDATE meditations SET narrator_id = 'nova', narrator_name = 'Nova' WHERE id = $1`, m.ID)
	h.start(1, time.Minute)
	done := h.ended(p, uid, m.ID)
	require.Equal(t, meditation.Ready, done.State)
	require.Equal(t, "isla", done.NarratorID)
	require.Equal(t, "isla", h.recorder.spoke(m.ID.String()))
}
