package spoken_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/narration"
	"serein.app/services/generation/internal/recovery"
	"serein.app/services/generation/internal/spoken"
	"serein.app/services/platform/blob"
	"serein.app/services/testkit"
)

// slow is a voice that speaks when it may.
type slow struct {
	voice
	may chan struct{}
}

func (s slow) Speak(ctx context.Context, u narration.Utterance) (narration.Speech, error) {
	select {
	case <-s.may:
		return s.voice.Speak(ctx, u)
	case <-ctx.Done():
		return narration.Speech{}, ctx.Err()
	}
}

// nothing is a blob store without a file.
type nothing struct{ blob.Store }

func (nothing) Read(context.Context, string, int64) ([]byte, error) { return nil, blob.ErrNotFound }

// alone is a store that finds nothing and stores nothing.
func alone(t *testing.T, synthesiser spoken.Synthesiser) *spoken.Store {
	t.Helper()
	return spoken.New(spoken.Ports{
		Synthesiser: synthesiser, Blobs: nothing{}, Metrics: &counted{}, Limit: plenty, Now: time.Now, Log: testkit.Logger(t),
	})
}

func TestASentenceThatIsMissedTwiceAtTheSameTimeIsSynthesisedOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := slow{voice{new(atomic.Int32)}, make(chan struct{})}
		store := alone(t, s)
		type answer struct {
			speech narration.Speech
			err    error
		}
		speak := func(ctx context.Context, u narration.Utterance) <-chan answer {
			got := make(chan answer, 1)
			go func() {
				speech, err := store.Speak(ctx, u)
				got <- answer{speech, err}
			}()
			synctest.Wait()
			return got
		}
		leaving, leave := context.WithCancel(t.Context())
		first := speak(leaving, everybody("Rest here."))
		second, third := speak(t.Context(), everybody("Rest here.")), speak(t.Context(), everybody("Rest here."))
		other := speak(t.Context(), everybody("And out."))
		own := speak(t.Context(), narration.Utterance{Text: "Rest here."})
		leave()
		require.ErrorIs(t, (<-first).err, context.Canceled, "who leaves does not wait")

		close(s.may)
		want, err := s.voice.Speak(t.Context(), everybody("Rest here."))
		require.NoError(t, err)
		require.Equal(t, answer{want, nil}, <-second)
		require.Equal(t, answer{want, nil}, <-third)
		require.NoError(t, (<-other).err)
		require.NoError(t, (<-own).err)
		require.EqualValues(t, 1+3, s.asked.Load(), "this test, and once each: the sentence, the other one, the one with a member's words")
	})
}

// panics is a voice that panics.
type panics struct{ voice }

func (panics) Speak(context.Context, narration.Utterance) (narration.Speech, error) {
	panic("no memory")
}

func TestAPanicOfTheSynthesiserIsAnErrorOfItsCallers(t *testing.T) {
	t.Parallel()
	_, err := alone(t, panics{}).Speak(t.Context(), everybody("Rest here."))
	require.ErrorIs(t, err, recovery.ErrPanic)
}

// release is the voice of a release that gives it another sound.
type release struct {
	voice
	name string
}

func (r release) Recipe(u narration.Utterance) spoken.Key {
	u.Voice += r.name
	return r.voice.Recipe(u)
}

func (r release) Speak(ctx context.Context, u narration.Utterance) (narration.Speech, error) {
	u.Voice += r.name
	return r.voice.Speak(ctx, u)
}

func TestTwoReleasesSideBySideEachFindTheirOwnSound(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	hear := func(name string) (narration.Speech, *process) {
		p := s.open(plenty, func(ports *spoken.Ports) { ports.Synthesiser = release{s.voice, name} })
		speech, err := p.Speak(t.Context(), everybody("Rest here."))
		require.NoError(t, err)
		return speech, p
	}
	old := map[string]narration.Speech{}
	for i, name := range []string{"before", "after"} {
		speech, p := hear(name)
		require.Equal(t, map[string]int{spoken.MissAbsent: 1}, p.misses, name)
		old[name] = speech
		s.kept(i + 1)
	}
	require.NotEqual(t, old["before"], old["after"])
	for name, speech := range old {
		again, p := hear(name)
		require.Equal(t, speech, again, name)
		require.Equal(t, 1, p.hits, "%s finds its own file", name)
	}
}
