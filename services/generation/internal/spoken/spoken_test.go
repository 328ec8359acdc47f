package spoken_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/narration"
	"serein.app/services/generation/internal/spoken"
	"serein.app/services/platform/blob"
	"serein.app/services/testkit"
)

func TestASentenceIsSynthesisedOnceForAllProcesses(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	one := s.open(plenty)
	require.True(t, one.say(everybody("Rest here.")))
	s.kept(1)
	require.False(t, one.say(everybody("Rest here.")), "out of memory")
	two := s.open(plenty)
	require.False(t, two.say(everybody("Rest here.")), "out of the blob store")
	require.True(t, two.say(everybody("And out.")))
	other := everybody("Rest here.")
	other.Voice = "awb"
	require.True(t, two.say(other), "another voice speaks for itself")
	s.kept(3)
	require.Equal(t, 1, two.hits)
	require.Equal(t, map[string]int{spoken.MissAbsent: 2}, two.misses)
}

func TestASentenceWithAMembersWordsIsNotKept(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	p := s.open(plenty)
	own := narration.Utterance{Text: "This is for you, Amara."}
	require.True(t, p.say(own))
	require.True(t, p.say(own))
	require.True(t, p.say(everybody("Rest here.")))
	s.kept(1)
	require.Equal(t, 2, p.misses[spoken.MissOwn])
}

func TestOfSpeechThatAFileDoesNotHoldExactlyNothingIsKept(t *testing.T) {
	t.Parallel()
	for name, speech := range map[string]narration.Speech{
		"none": {}, "finer than 16 bits": {Rate: 16000, Samples: []float32{0.1}}, "too loud": {Rate: 16000, Samples: []float32{1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			p := s.open(plenty, func(ports *spoken.Ports) { ports.Synthesiser = fixed{s.voice, speech} })
			got, err := p.Speak(t.Context(), everybody("Rest here."))
			require.NoError(t, err)
			require.Equal(t, speech, got)
			p.SpeakExactly(t, "And out.")
			require.Len(t, s.kept(1), 1, "the other sentence alone")
		})
	}
}

// fixed says its speech to one text and speaks otherwise as the voice.
type fixed struct {
	voice
	speech narration.Speech
}

func (f fixed) Speak(ctx context.Context, u narration.Utterance) (narration.Speech, error) {
	if u.Text == "Rest here." {
		return f.speech, nil
	}
	return f.voice.Speak(ctx, u)
}

// SpeakExactly has a sentence spoken that is kept.
func (p *process) SpeakExactly(t *testing.T, text string) {
	t.Helper()
	_, err := p.Speak(t.Context(), everybody(text))
	require.NoError(t, err)
}

func TestADamagedFileIsSpokenAgainAndMended(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	first := s.open(plenty)
	first.say(everybody("Rest here."))
	good := s.kept(1)[0]
	first.say(everybody("And out."))
	other := s.kept(2)[0]
	if other == good {
		other = s.files()[1]
	}
	path := filepath.Join(s.dir, good)
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	another, err := os.ReadFile(filepath.Join(s.dir, other))
	require.NoError(t, err)
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 1
	for name, damage := range map[string][]byte{
		"a bit": flipped, "the end": whole[:len(whole)-7], "everything": {}, "noise": []byte("no sound at all"), "another sentence": another,
	} {
		require.NoError(t, os.WriteFile(path, damage, 0o600))
		p := s.open(plenty)
		require.True(t, p.say(everybody("Rest here.")), name)
		require.Equal(t, map[string]int{spoken.MissDamaged: 1}, p.misses, name)
		require.Eventually(t, func() bool {
			now, err := os.ReadFile(path)
			return err == nil && bytes.Equal(whole, now)
		}, testkit.Patience, 2*time.Millisecond, name)
		require.False(t, s.open(plenty).say(everybody("Rest here.")), name)
	}
	require.NoError(t, os.Remove(path))
	require.True(t, s.open(plenty).say(everybody("Rest here.")), "lost")
	s.kept(2)
}

// away is a blob store that does not answer, or answers with an error at once.
type away struct {
	blob.Store
	stalls bool
	asked  atomic.Int32
}

func (a *away) Read(ctx context.Context, _ string, _ int64) ([]byte, error) {
	a.asked.Add(1)
	if a.stalls {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return nil, errors.New("no route")
}

func (*away) Put(context.Context, string, io.Reader, int64) error { return errors.New("no route") }

func TestWithTheBlobStoreAwaySentencesAreSpoken(t *testing.T) {
	t.Parallel()
	for _, stalls := range []bool{false, true} {
		t.Run(fmt.Sprint("stalls ", stalls), func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			gone := &away{stalls: stalls}
			p := s.open(plenty, func(ports *spoken.Ports) { ports.Blobs = gone })
			for i := range 40 {
				require.True(t, p.say(everybody(fmt.Sprintf("Breath %d.", i))))
			}
			require.EqualValues(t, 3, gone.asked.Load(), "then it is left in peace")
			require.Equal(t, 40, p.misses[spoken.MissAway])
		})
	}
}

func TestACancelledRecordingDoesNotMakeTheBlobStoreAway(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	gone := &away{stalls: true}
	p := s.open(plenty, func(ports *spoken.Ports) { ports.Blobs = gone })
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for range 10 {
		_, err := p.Speak(cancelled, everybody("Rest here."))
		require.ErrorIs(t, err, context.Canceled)
	}
	require.EqualValues(t, 10, gone.asked.Load())
}

// The database is only asked behind the sound.
func TestWithTheDatabaseAwaySentencesAreFoundAndSpoken(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.open(plenty).say(everybody("Rest here."))
	s.kept(1)
	p := s.open(plenty)
	s.db.Pool.Close()
	require.False(t, p.say(everybody("Rest here.")))
	for i := range 200 { // more than can wait
		require.True(t, p.say(everybody(fmt.Sprintf("Breath %d.", i))))
	}
	require.Len(t, s.files(), 1)
}

func TestProcessesThatStoreTheSameAtOnceDisturbNobody(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	var all sync.WaitGroup
	for range 4 {
		p := s.open(plenty)
		all.Go(func() {
			for i := range 30 {
				p.SpeakExactly(t, fmt.Sprintf("Breath %d.", i))
			}
		})
	}
	all.Wait()
	s.kept(30)
	p := s.open(plenty)
	for i := range 30 {
		require.False(t, p.say(everybody(fmt.Sprintf("Breath %d.", i))))
	}
}
