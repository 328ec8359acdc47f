package generation

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/narration"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/sound/mp3"
	"serein.app/services/testkit"
)

// cursedSynthesiser hums, and panics on a word.
type cursedSynthesiser struct {
	*panickingSynthesiser

	before func()
}

func (s *cursedSynthesiser) Speak(ctx context.Context, u narration.Utterance) (narration.Speech, error) {
	if strings.Contains(u.Text, "nevermore") {
		s.before()
		panic("a word that this synthesiser cannot bear")
	}
	return s.panickingSynthesiser.Speak(ctx, u)
}

// titleWriter gives each meditation the script that its title is.
type titleWriter struct{}

func (titleWriter) Write(_ context.Context, m meditation.Meditation) (recording.Script, error) {
	var script recording.Script
	for _, passage := range strings.Split(m.Title, "|") {
		script.Passages = append(script.Passages, recording.Passage{Sentences: strings.Split(passage, "/"), Pause: time.Second})
		script.Words += len(strings.Fields(passage))
	}
	return script, nil
}

// TestAPanicOnAWordEndsAnAttemptOfOneMeditation has scripts of any text narrated beside a plain one, in one process.
// Some of them hold the word that the synthesiser panics on, in whatever goroutine that is: the other meditation is
// finished, and the process goes on to make the next.
func TestAPanicOnAWordEndsAnAttemptOfOneMeditation(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	code, err := os.ReadFile(testkit.Part(t, "mp3.wasm"))
	require.NoError(t, err)
	codec, err := mp3.Open(t.Context(), code, "")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, codec.Close(context.Background())) })
	bearing := panickingSynthesiser{bad: "\x00"}                                  // which no text holds, an empty one included
	cursed := &cursedSynthesiser{panickingSynthesiser: &bearing, before: func() { // as if this had gone on for a while
		_, _ = h.db.Pool.Exec(context.Background(), `UPDATE meditations SET tries = $1 WHERE state IN ('writing', 'narrating') AND title LIKE '%nevermore%'`, meditation.MaxTries-1)
	}}
	recorder, err := narration.New(narration.Synthesisers{"flite": cursed}, codec, 2)
	require.NoError(t, err)
	p := h.start(2, time.Minute, func(ports *meditation.Ports) { ports.Writer, ports.Recorder = titleWriter{}, recorder })
	rapid.Check(t, func(rt *rapid.T) {
		parts := rapid.SliceOfN(rapid.OneOf(
			rapid.StringN(0, 60, 200), rapid.SampledFrom([]string{"nevermore", "|", "/", "And nevermore.", "静けさ 🌊", "Rest."}),
		), 1, 6).Draw(rt, "script")
		text := kept(strings.Join(parts, ""))
		uid := h.member(4)
		strange, plain := request(), request()
		strange.Title, plain.Title = text, "Let the shoulders rest.|And the hands."
		odd, good := h.ask(p, uid, strange), h.ask(p, uid, plain)
		require.Equal(rt, meditation.Ready, h.ended(p, uid, good.ID).State)
		ended := h.ended(p, uid, odd.ID)
		if strings.Contains(text, "nevermore") {
			require.Equal(rt, meditation.Failed, ended.State)
			require.Equal(rt, meditation.ReasonNarration, ended.FailureReason)
			return
		}
		require.Equal(rt, meditation.Ready, ended.State)
	})
}

func (h *harness) ask(p *process, uid uuid.UUID, r meditation.Request) meditation.Meditation {
	h.t.Helper()
	m, err := p.Create(h.t.Context(), uid, r)
	require.NoError(h.t, err)
	return m
}

// kept is what a database keeps of any bytes, as the title's check lets it in.
func kept(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "�"), "\x00", " ")
	return "Rest. " + strings.ToValidUTF8(text[:min(len(text), 2000)], "")
}
