package shared

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/recording"
	"serein.app/services/platform/blob"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/pause"
	"serein.app/services/testkit"
)

// fakeRecorder speaks each passage in a second. It fails and panics as often as fail and panics say.
type fakeRecorder struct{ fail, panics, calls atomic.Int32 }

var maren = recording.Narrator{ID: "maren", Sound: "warm"}

func (*fakeRecorder) DefaultNarrator(bool) recording.Narrator { return maren }

func (f *fakeRecorder) Record(_ context.Context, id string, s recording.Script, _ int, _ time.Duration,
	emit func(recording.Segment, []byte) error,
) error {
	f.calls.Add(1)
	if f.panics.Add(-1) >= 0 {
		panic("no address space")
	}
	if f.fail.Add(-1) >= 0 {
		return errors.New("no voice today")
	}
	for i, p := range s.Passages {
		at := time.Duration(i) * time.Second
		err := emit(recording.Segment{
			Index: i, Start: at, Duration: time.Second + p.Pause,
			Lines: []recording.Line{{Text: p.Sentences[0], Start: at, End: at + time.Second}},
		}, []byte(id))
		if err != nil {
			return err
		}
	}
	return nil
}

func library(t *testing.T, dir string, v *fakeRecorder) *Library {
	t.Helper()
	store, err := blob.Open("file://" + dir)
	require.NoError(t, err)
	return New(Grounding, store, v, time.Now, testkit.Logger(t))
}

func TestTheGroundingIsMadeOnceAndFoundAtTheNextStart(t *testing.T) {
	t.Parallel()
	dir, v := t.TempDir(), &fakeRecorder{}
	first := library(t, dir, v)
	_, err := first.Recording()
	require.ErrorIs(t, err, ErrNotYet)
	require.NoError(t, first.Provide(t.Context()))
	made, err := first.Recording()
	require.NoError(t, err)
	require.NotEmpty(t, made.Lines)
	require.Positive(t, made.Duration)

	next := library(t, dir, v)
	require.NoError(t, next.Provide(t.Context()))
	again, err := next.Recording()
	require.NoError(t, err)
	require.Equal(t, made, again)
	require.EqualValues(t, 1, v.calls.Load())
}

func TestDamagedRecordingIsMadeAgain(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(store blob.Store, file string) error{
		"its description is no JSON": func(store blob.Store, file string) error {
			return store.Put(t.Context(), description(file), strings.NewReader(`{"file"`), 7)
		},
		"its description is empty": func(store blob.Store, file string) error {
			return store.Put(t.Context(), description(file), strings.NewReader("{}"), 2)
		},
		"its description is another's": func(store blob.Store, file string) error {
			other := `{"file":"0000000000000000.mp3"}`
			return errors.Join(
				store.Put(t.Context(), key("0000000000000000.mp3"), strings.NewReader("isla"), 4),
				store.Put(t.Context(), description(file), strings.NewReader(other), int64(len(other))),
			)
		},
		"its sound is gone": func(store blob.Store, file string) error { return store.Delete(t.Context(), key(file)) },
	} {
		dir, v := t.TempDir(), &fakeRecorder{}
		first := library(t, dir, v)
		require.NoError(t, first.Provide(t.Context()), name)
		made, err := first.Recording()
		require.NoError(t, err, name)
		require.NoError(t, damage(first.store, made.File), name)

		next := library(t, dir, v)
		found, err := next.provide(t.Context())
		require.NoError(t, err, name)
		require.Equal(t, made, found, name)
		sound, _, err := next.store.Open(t.Context(), key(found.File))
		require.NoError(t, err, name)
		require.NoError(t, sound.Close(), name)
		require.EqualValues(t, 2, v.calls.Load(), name)
		_, err = library(t, dir, v).provide(t.Context())
		require.NoError(t, err, name)
		require.EqualValues(t, 2, v.calls.Load(), "%s: mended for the next start too", name)
	}
}

func key(file string) string { return "grounding/" + file }

func description(file string) string { return key(strings.TrimSuffix(file, "mp3") + "json") }

// awayStore cannot be read just now.
type awayStore struct{ blob.Store }

func (awayStore) Open(context.Context, string) (io.ReadSeekCloser, blob.Info, error) {
	return nil, blob.Info{}, errs.ErrUnavailable
}

func TestStoreOutageDoesNotCauseANewRecording(t *testing.T) {
	t.Parallel()
	v := &fakeRecorder{}
	l := library(t, t.TempDir(), v)
	l.store = awayStore{l.store}
	_, err := l.provide(t.Context())
	require.ErrorIs(t, err, errs.ErrUnavailable)
	require.Zero(t, v.calls.Load())
}

func TestAFailureIsTriedAgainUntilTheRecordingIsThere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := &fakeRecorder{}
		v.fail.Store(3)
		l := library(t, t.TempDir(), v)
		require.NoError(t, l.Provide(t.Context()))
		_, err := l.Recording()
		require.NoError(t, err)
		require.EqualValues(t, 4, v.calls.Load())
	})
}

// run keeps a recording until the test ends.
func run(t *testing.T, l *Library) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- l.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		require.ErrorIs(t, <-ended, context.Canceled)
	})
}

// An operator empties the bucket or replaces the disk while the process runs.
func TestRecordingThatTheStoreLosesIsMadeAgainOnRequest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := &fakeRecorder{}
		l := library(t, t.TempDir(), v)
		require.NoError(t, l.Provide(t.Context()))
		made, err := l.Recording()
		require.NoError(t, err)
		run(t, l)
		for again := range int32(3) {
			synctest.Wait() // what is being written is whole: a folder goes only when nobody writes into it
			require.NoError(t, l.store.DeleteFolder(t.Context(), "grounding"))
			require.Eventually(t, func() bool {
				file, err := l.Open(t.Context(), made.File)
				if err != nil {
					require.ErrorIs(t, err, ErrNotYet, "not that there is no such recording")
					return false
				}
				return file.Close() == nil
			}, 2*longestRetry, time.Second)
			require.Equal(t, again+2, v.calls.Load(), "once, however many ask")
		}
		_, err = l.Open(t.Context(), "0000000000000000.mp3")
		require.ErrorIs(t, err, blob.ErrNotFound)
		require.EqualValues(t, 4, v.calls.Load(), "what was never ours is not made")
	})
}

// forgetful keeps nothing.
type forgetful struct{ blob.Store }

func (forgetful) Put(context.Context, string, io.Reader, int64) error { return nil }

func TestAStoreThatKeepsNothingCostsNoMoreThanATryAMinute(t *testing.T) {
	t.Parallel()
	v := &fakeRecorder{}
	l := library(t, t.TempDir(), v)
	l.store = forgetful{l.store}
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute+time.Second)
		defer stop()
		ended := make(chan error, 1)
		go func() { ended <- l.Run(ctx) }()
		for pause.For(ctx, time.Second) == nil {
			_, err := l.Open(ctx, Grounding.nameOf(maren)+".mp3")
			require.ErrorIs(t, err, ErrNotYet)
		}
		require.ErrorIs(t, <-ended, context.DeadlineExceeded)
		require.LessOrEqual(t, v.calls.Load(), int32(11))
	})
}

// The loop of a recording that belongs to nobody ends no process.
func TestAPanicIsATryThatFailedAndTheNextMakesTheRecording(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := &fakeRecorder{}
		v.panics.Store(2)
		l := library(t, t.TempDir(), v)
		require.NoError(t, l.Provide(t.Context()))
		_, err := l.Recording()
		require.NoError(t, err)
		require.EqualValues(t, 3, v.calls.Load())
	})
}

func TestReplicasThatMakeItTogetherKeepOneRecording(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var running sync.WaitGroup
	for range 4 {
		l := library(t, dir, &fakeRecorder{})
		running.Go(func() { _ = l.Provide(context.Background()) })
	}
	running.Wait()
	store, err := blob.Open("file://" + dir)
	require.NoError(t, err)
	kept, err := store.List(t.Context(), "grounding/")
	require.NoError(t, err)
	require.Len(t, kept, 2, "the sound and its description")
}

func TestOtherWordsOrAnotherVoiceHaveAnotherName(t *testing.T) {
	t.Parallel()
	require.NotEqual(t, Grounding.nameOf(maren), Grounding.nameOf(recording.Narrator{ID: "isla"}))
	require.NotEqual(t, Grounding.nameOf(maren), Grounding.nameOf(recording.Narrator{ID: "maren", Sound: "dark"}), "who sounds otherwise now")
	require.Regexp(t, fileName, Grounding.nameOf(maren)+".mp3")
}

func TestOnlyRecordingsCanBeOpened(t *testing.T) {
	t.Parallel()
	l := library(t, t.TempDir(), &fakeRecorder{})
	require.NoError(t, l.Provide(t.Context()))
	made, err := l.Recording()
	require.NoError(t, err)
	file, err := l.Open(t.Context(), made.File)
	require.NoError(t, err)
	sound, err := io.ReadAll(file)
	require.NoError(t, errors.Join(err, file.Close()))
	require.Equal(t, strings.Repeat("maren", len(Grounding.script().Passages)), string(sound))
	for _, other := range []string{"0000000000000000.mp3", strings.TrimSuffix(made.File, "mp3") + "json", "x.mp3", "../secret.mp3"} {
		_, err := l.Open(t.Context(), other)
		require.ErrorIs(t, err, blob.ErrNotFound, other)
	}
}

// What a trauma-aware teacher would insist on, and what the words on the screen promise.
func TestTheWordsStayOutsideTheBodyAndEndWithPeople(t *testing.T) {
	t.Parallel()
	s := Grounding.script()
	var all []string
	silence := time.Duration(0)
	for _, p := range s.Passages {
		require.NotEmpty(t, p.Sentences)
		require.GreaterOrEqual(t, p.Pause, time.Second)
		all = append(all, p.Sentences...)
		silence += p.Pause
	}
	text := strings.Join(all, " ")
	require.NotRegexp(t, `(?i)breath|inhale|exhale|hold (it|your)|chest|belly|throat|pelvis|heart|scan|close your|meditat|relax|title`, text)
	for _, anchor := range []string{"eyes open", "feet", "five things that you can see", "touch", "sounds"} {
		require.Contains(t, text, anchor)
	}
	require.Regexp(t, `somebody you trust.*helpline.*danger`, strings.Join(all[len(all)-6:], " "))
	require.LessOrEqual(t, len(all[0]), 60, "the first sentence is short")
	require.InDelta(t, 110, silence.Seconds()+float64(s.Words)/120*60, 20, "seconds at the narrators' pace")
}

func TestTheSampleIsAboutAMinuteAndAPieceOfItsOwn(t *testing.T) {
	t.Parallel()
	s := Sample.script()
	silence := time.Duration(0)
	for _, p := range s.Passages {
		require.NotEmpty(t, p.Sentences)
		silence += p.Pause
	}
	require.InDelta(t, 60, silence.Seconds()+float64(s.Words)/120*60, 12, "seconds at the narrators' pace")
	require.NotEqual(t, Grounding.nameOf(maren), Sample.nameOf(maren))
	dir, v := t.TempDir(), &fakeRecorder{}
	store, err := blob.Open("file://" + dir)
	require.NoError(t, err)
	require.NoError(t, New(Sample, store, v, time.Now, testkit.Logger(t)).Provide(t.Context()))
	_, err = library(t, dir, v).provide(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, v.calls.Load(), "neither is taken for the other")
}

func TestOnlyTheSampleEndsWithTheBellOfMeditations(t *testing.T) {
	t.Parallel()
	require.False(t, Sample.script().NoBell)
	require.True(t, Grounding.script().NoBell)
	require.True(t, VoiceOf(maren).script().NoBell)
}

func TestTheSentenceOfEveryNarratorIsASeparateRecordingOfAboutSixSeconds(t *testing.T) {
	t.Parallel()
	words := VoiceOf(recording.Narrator{ID: "wren"}).script()
	require.Len(t, words.Passages, 1)
	require.InDelta(t, 6, float64(words.Words)/120*60, 1, "seconds at the narrators' pace")
	dir, v := t.TempDir(), &fakeRecorder{}
	store, err := blob.Open("file://" + dir)
	require.NoError(t, err)
	samples := Samples{Minute: New(Sample, store, v, time.Now, testkit.Logger(t))}
	for _, id := range []string{"maren", "wren"} {
		samples.Voices = append(samples.Voices, Voice{recording.Narrator{ID: id}, New(VoiceOf(recording.Narrator{ID: id}), store, v, time.Now, testkit.Logger(t))})
	}
	for _, l := range []*Library{samples.Minute, samples.Voices[0].Library, samples.Voices[1].Library} {
		require.NoError(t, l.Provide(t.Context()))
	}
	require.EqualValues(t, 3, v.calls.Load())
	made, err := samples.Voices[1].Library.Recording()
	require.NoError(t, err)
	file, err := samples.Open(t.Context(), made.File)
	require.NoError(t, err)
	sound, err := io.ReadAll(file)
	require.NoError(t, errors.Join(err, file.Close()))
	require.Equal(t, "wren", string(sound), "the narrator speaks it, and not the default one")

	require.NoError(t, store.Delete(t.Context(), samples.Voices[1].Library.key(made.File)))
	_, err = samples.Open(t.Context(), made.File)
	require.ErrorIs(t, err, ErrNotYet, "it is made again")
	require.Len(t, samples.Voices[1].Library.lost, 1)
}
