package script_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/script"
)

func TestTheComposerWritesWhatTheBriefAsksFor(t *testing.T) {
	t.Parallel()
	m := meditation.Meditation{
		UID:     uuid.UUID{1},
		Request: meditation.Request{Title: "A quiet evening", TypeID: "better-sleep", PracticeID: "zen", SizeID: "reset", Day: "2026-11-21"},
		Brief: meditation.Brief{
			MinWords: 550, MaxWords: 600, Breaks: 19, Pause: 70 * time.Second,
			Affirmations: []string{"The day is done, and I may let it go.", "Nothing is asked of me tonight.", "Sleep knows the way to me."},
		},
	}
	s, err := script.Composer{}.Write(t.Context(), m)
	require.NoError(t, err)
	require.GreaterOrEqual(t, s.Words, m.Brief.MinWords)
	require.LessOrEqual(t, s.Words, m.Brief.MaxWords)
	require.Len(t, s.Passages, m.Brief.Breaks)
	require.Equal(t, m.Brief.Pause, silence(s))
	require.Subset(t, sentences(s), m.Brief.Affirmations)

	again, err := script.Composer{}.Write(t.Context(), m)
	require.NoError(t, err)
	require.Equal(t, s, again, "the same meditation gives the same script")
	m.UID = uuid.UUID{2}
	other, err := script.Composer{}.Write(t.Context(), m)
	require.NoError(t, err)
	require.NotEqual(t, s, other)
	m.TypeID = "unheard-of"
	_, err = script.Composer{}.Write(t.Context(), m)
	require.ErrorIs(t, err, script.ErrRequest)
}

// A Timeout of a title with a theme, for a member with a past of ten scripts.
func BenchmarkCompose(b *testing.B) {
	r := request("gratitude", "mbsr", "timeout")
	for range 10 {
		s, err := script.Compose(r)
		require.NoError(b, err)
		r.Past = append(r.Past, sentences(s))
		r.Seed++
	}
	for b.Loop() {
		r.Seed++
		_, err := script.Compose(r)
		require.NoError(b, err)
	}
}
