package flite

import (
	"context"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/narration"
	"serein.app/services/testkit"
)

func open(tb testing.TB) *Synthesiser {
	tb.Helper()
	code, err := os.ReadFile(testkit.Part(tb, "flite.wasm"))
	require.NoError(tb, err)
	s, err := Open(tb.Context(), code, "")
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, s.Close(context.Background())) })
	return s
}

func speak(tb testing.TB, s *Synthesiser, u narration.Utterance) narration.Speech {
	tb.Helper()
	speech, err := s.Speak(tb.Context(), u)
	require.NoError(tb, err)
	return speech
}

func TestItSpeaks(t *testing.T) {
	t.Parallel()
	s := open(t)

	t.Run("every voice differs from the others", func(t *testing.T) {
		t.Parallel()
		seen := map[int]string{}
		for _, base := range voices {
			speech := speak(t, s, narration.Utterance{Text: "Breathe in.", Voice: base})
			require.NotZero(t, speech.Rate, base)
			require.Empty(t, seen[len(speech.Samples)], base)
			seen[len(speech.Samples)] = base
			var top float32
			for _, x := range speech.Samples {
				top = max(top, x, -x)
			}
			require.Greater(t, top, float32(0.05), base)
			require.LessOrEqual(t, top, float32(1), base)
		}
	})
	t.Run("stretch makes it slower", func(t *testing.T) {
		t.Parallel()
		usual := speak(t, s, narration.Utterance{Text: "And out.", Voice: "slt"})
		slow := speak(t, s, narration.Utterance{Text: "And out.", Voice: "slt", Stretch: 1.5})
		require.InDelta(t, 1.5, float64(len(slow.Samples))/float64(len(usual.Samples)), 0.03)
	})
	t.Run("the same words sound the same, side by side too", func(t *testing.T) {
		t.Parallel()
		u := narration.Utterance{Text: "Rest here.", Voice: "awb"}
		first, second := make(chan narration.Speech), make(chan narration.Speech)
		for _, c := range []chan narration.Speech{first, second} {
			go func() { speech, _ := s.Speak(t.Context(), u); c <- speech }()
		}
		a, b := <-first, <-second
		require.NotEmpty(t, a.Samples)
		require.Equal(t, a, b)
	})
	t.Run("odd text is no danger", func(t *testing.T) {
		t.Parallel()
		for _, text := range []string{"-o /etc/passwd -lv", "%s%n \x00\x1b[2J", "<speak>é</speak>", "1234567890", "a.b.c!?,,,--''"} {
			speech := speak(t, s, narration.Utterance{Text: text, Voice: "kal16"})
			require.NotEmpty(t, speech.Samples, text)
		}
		require.Empty(t, speak(t, s, narration.Utterance{Text: "🙂 … مرحبا", Voice: "slt"}).Samples)
	})
}

func TestItRefuses(t *testing.T) {
	t.Parallel()
	s := open(t)
	_, err := s.Speak(t.Context(), narration.Utterance{Text: "Hello.", Voice: "../slt"})
	require.ErrorIs(t, err, ErrVoice)
	_, err = s.Speak(t.Context(), narration.Utterance{Text: strings.Repeat("a", narration.MaxUtterance+1), Voice: "slt"})
	require.ErrorIs(t, err, ErrTooLong)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = s.Speak(ended, narration.Utterance{Text: "Hello.", Voice: "slt"})
	require.ErrorIs(t, err, context.Canceled)
}

func TestARecipeHasAllThatTheSoundDependsOn(t *testing.T) {
	t.Parallel()
	s, other := &Synthesiser{}, &Synthesiser{code: [32]byte{1}}
	u := narration.Utterance{Text: "Rest here.", Voice: "slt", Stretch: 1.4, Pitch: 160, PitchRange: 16, Fall: 4}
	same := u
	same.Text, same.Common = "Rest  here. ", true
	require.Equal(t, s.Recipe(u), s.Recipe(same), "it sounds the same")
	changes := map[string]func(*narration.Utterance){
		"text": func(u *narration.Utterance) { u.Text = "Rest there." }, "voice": func(u *narration.Utterance) { u.Voice = "rms" },
		"stretch": func(u *narration.Utterance) { u.Stretch = 1.41 }, "pitch": func(u *narration.Utterance) { u.Pitch = 161 },
		"fall": func(u *narration.Utterance) { u.Fall = 3 }, "no fall": func(u *narration.Utterance) { u.Fall = 0 },
		"pitch range": func(u *narration.Utterance) { u.PitchRange = 0 }, "one number as another": func(u *narration.Utterance) { u.Stretch, u.Pitch = u.Pitch, u.Stretch },
	}
	for name, change := range changes {
		v := u
		change(&v)
		require.NotEqual(t, s.Recipe(u), s.Recipe(v), name)
	}
	require.NotEqual(t, s.Recipe(u), other.Recipe(u), "another command")
}

func TestSpeakReturnsWhenItsTimeIsOver(t *testing.T) {
	t.Parallel()
	s := open(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	_, err := s.Speak(ctx, narration.Utterance{Text: strings.Repeat("breathe in ", 40), Voice: "slt"})
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestAfterCloseNothingIsSpoken(t *testing.T) {
	t.Parallel()
	code, err := os.ReadFile(testkit.Part(t, "flite.wasm"))
	require.NoError(t, err)
	s, err := Open(t.Context(), code, "")
	require.NoError(t, err)
	require.NoError(t, s.Close(t.Context()))
	_, err = s.Speak(t.Context(), narration.Utterance{Text: "Hello.", Voice: "slt"})
	require.ErrorIs(t, err, ErrClosed)
}

func TestAPanicIsAnErrorOfItsUtterance(t *testing.T) {
	t.Parallel()
	broken := &Synthesiser{} // without a module: every call of it panics
	_, err := broken.Speak(t.Context(), narration.Utterance{Text: "Hello.", Voice: "slt"})
	require.ErrorContains(t, err, "panic")
}

func TestUtterancesLeaveNothingBehind(t *testing.T) { //nolint:paralleltest // it counts what the whole process holds
	s := open(t)
	u := narration.Utterance{Text: "Rest.", Voice: "kal16"}
	heap := func() uint64 {
		speak(t, s, u)
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	for range 30 {
		speak(t, s, u)
	}
	require.Less(t, heap(), before+1<<20)
}

func TestSpeakableText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Let go — softly…":      "Let go, softly,",
		"It’s “fine”; really":   "It's fine, really",
		"Café naïve Ærø":        "Cafe naive Aero",
		"calm\r\n\tsea":         "calm sea",
		"<b>rest</b> & be":      "b rest b and be",
		"breathe 🙂 in":          "breathe in",
		"in , out":              "in, out",
		"...":                   "",
		"":                      "",
		"\u202eabc\u0000":       "abc",
		"four-fold, 4 × 7 = 28": "four-fold, 4 7 28",
	} {
		require.Equal(t, want, speakable(text), text)
	}
}

func FuzzSpeakableTextIsPlain(f *testing.F) {
	f.Add("Let go — softly…")
	f.Fuzz(func(t *testing.T, text string) {
		got := speakable(text)
		for _, r := range got {
			require.True(t, r >= ' ' && r < 127, "%q in %q", r, got)
		}
		require.Equal(t, got, speakable(got), "nothing more to do")
	})
}

func TestABrokenWAVIsAnError(t *testing.T) {
	t.Parallel()
	for _, b := range []string{"", "RIFF", "RIFF....WAVEdata\xff\xff\xff\x7f", "RIFF....WAVEfmt \x10\x00\x00\x00short"} {
		_, err := parseWAV([]byte(b))
		require.ErrorIs(t, err, errWAV, "%q", b)
	}
}

func BenchmarkSpeak(b *testing.B) {
	s := open(b)
	var seconds float64
	for b.Loop() {
		speech := speak(b, s, narration.Utterance{Text: "Let your shoulders soften, and breathe in slowly.", Voice: "slt", Stretch: 1.5})
		seconds += float64(len(speech.Samples)) / float64(speech.Rate)
	}
	b.ReportMetric(seconds/b.Elapsed().Seconds(), "speech-s/s")
}
