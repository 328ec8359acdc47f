package narration_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/narration"
	"serein.app/services/generation/internal/narration/dsp"
	"serein.app/services/generation/internal/narration/measure"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/testkit/signal"
)

func TestSegmentsFollowEachOtherAndAreWholeFrames(t *testing.T) {
	t.Parallel()
	n := newRecorder(t, hum{}, openCodec(t), 2)
	segments := record(t, n, "maren", script, 0, 0)
	require.Len(t, segments, n.Segments(script))
	var start time.Duration
	for i, s := range segments {
		require.Equal(t, i, s.Index)
		require.Equal(t, start, s.Start)
		require.Zero(t, s.Duration%(24*time.Millisecond))
		require.Len(t, s.mp3, int(s.Duration/(24*time.Millisecond))*192)
		require.Equal(t, []byte{0xff, 0xf3}, s.mp3[:2], "a frame of MPEG-2 layer III begins")
		start += s.Duration
	}
	require.Len(t, decode(t, join(segments)), at(start))
}

func TestTheFirstSentenceIsASegmentOfItsOwn(t *testing.T) {
	t.Parallel()
	n := newRecorder(t, hum{}, openCodec(t), 1)
	segments := record(t, n, "maren", script, 0, 0)
	require.Len(t, segments[0].Lines, 1)
	require.Equal(t, script.Passages[0].Sentences[0], segments[0].Lines[0].Text)
}

func TestPlannedSilencesAreExactToTheSample(t *testing.T) {
	t.Parallel()
	n := newRecorder(t, hum{}, openCodec(t), 2)
	segments := record(t, n, "maren", script, 0, 0)
	sound := decode(t, join(segments))
	for i, s := range segments[:len(segments)-1] {
		end, next := s.Lines[len(s.Lines)-1].End, segments[i+1].Lines[0].Start
		require.InDelta(t, s.Silence, next-end, float64(50*time.Microsecond))
		// After the reverb's tail there is the room alone, without a hole where the streams meet, and speech begins where it
		// is said to.
		quietest, median := measure.Floor(sound[at(end)+24000*4/10 : at(next)-600])
		require.InDelta(t, dsp.RoomToneLevel, median, 2)
		require.Greater(t, quietest, dsp.RoomToneLevel-7)
		require.Greater(t, signal.Level(sound[at(next)+600:at(next)+2400]), -30.0)
		require.Greater(t, signal.Level(sound[at(end)-4800:at(end)-2400]), -30.0)
		require.Less(t, signal.Level(sound[at(end):at(end)+2400]), -35.0, "the reverb alone")
	}
}

func TestEverySegmentPlaysAlone(t *testing.T) {
	t.Parallel()
	n := newRecorder(t, hum{}, openCodec(t), 2)
	segments := record(t, n, "wren", script, 0, 0)
	whole := decode(t, join(segments))
	for _, s := range segments {
		alone := decode(t, s.mp3)
		require.Len(t, alone, at(s.Duration))
		part := whole[at(s.Start):at(s.Start+s.Duration)]
		difference := make([]float32, len(alone))
		for i := range alone {
			difference[i] = alone[i] - part[i]
		}
		require.Less(t, signal.Level(difference), -80.0)
	}
}

func TestARecordingIsContinuedByteForByte(t *testing.T) {
	t.Parallel()
	codec, voice := openCodec(t), "tomas"
	whole := record(t, newRecorder(t, hum{}, codec, 2), voice, script, 0, 0)
	for from := range whole {
		rest := record(t, newRecorder(t, hum{}, codec, 1), voice, script, from, whole[from].Start)
		require.Equal(t, whole[from:], rest)
	}
	require.Empty(t, record(t, newRecorder(t, hum{}, codec, 1), voice, script, len(whole), time.Hour))
}

func TestTheFirstSegmentDoesNotWaitForTheRest(t *testing.T) {
	t.Parallel()
	heard := make(chan struct{})
	synth := hum{Before: func(ctx context.Context, u narration.Utterance) error {
		if strings.HasPrefix(u.Text, "Welcome") {
			return nil
		}
		select {
		case <-heard:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}}
	n := newRecorder(t, synth, openCodec(t), 2)
	count := 0
	require.NoError(t, n.Record(t.Context(), "maren", script, 0, 0, func(recording.Segment, []byte) error {
		if count++; count == 1 {
			close(heard)
		}
		return nil
	}))
	require.Equal(t, n.Segments(script), count)
}

func TestFailuresEndTheRecording(t *testing.T) {
	t.Parallel()
	codec, voice, broken := openCodec(t), "maren", errors.New("broken")

	mute := hum{Before: func(context.Context, narration.Utterance) error { return broken }}
	require.ErrorIs(t, newRecorder(t, mute, codec, 2).Record(t.Context(), voice, script, 0, 0, ignore), broken)

	full := func(recording.Segment, []byte) error { return broken }
	require.ErrorIs(t, newRecorder(t, hum{}, codec, 2).Record(t.Context(), voice, script, 0, 0, full), broken)

	ctx, cancel := context.WithCancel(t.Context())
	stuck := hum{Before: func(ctx context.Context, _ narration.Utterance) error {
		cancel()
		<-ctx.Done()
		return ctx.Err()
	}}
	require.ErrorIs(t, newRecorder(t, stuck, codec, 2).Record(ctx, voice, script, 0, 0, ignore), context.Canceled)
}

// A panic in the synthesiser or in our own signal processing is a fault of one recording: the
// others go on, and the worker that it happened to is free again.
func TestAPanicEndsItsOwnRecordingAlone(t *testing.T) {
	t.Parallel()
	codec, voice := openCodec(t), "maren"
	synth := hum{Before: func(_ context.Context, u narration.Utterance) error {
		if u.Text == "Unspeakable." {
			panic("no address space")
		}
		return nil
	}}
	n := newRecorder(t, synth, codec, 1)
	unspeakable := recording.Script{Passages: []recording.Passage{{Sentences: []string{"Unspeakable."}, Pause: time.Second}}}
	for range 3 {
		err := n.Record(t.Context(), voice, unspeakable, 0, 0, ignore)
		require.ErrorContains(t, err, "no address space")
		require.ErrorContains(t, err, "narrationtest/hum.go", "the stack says where")
	}
	require.Len(t, record(t, n, voice, script, 0, 0), n.Segments(script))
}

// Whenever a recording is cancelled, nothing of it goes on: Record has returned, emits nothing more,
// and every worker is free for the next.
func TestACancelledRecordingLeavesNothingRunning(t *testing.T) {
	t.Parallel()
	codec := openCodec(t)
	whole := record(t, newRecorder(t, hum{}, codec, 2), "maren", script, 0, 0)
	utterances := 0
	for _, p := range script.Passages {
		utterances += len(p.Sentences)
	}
	for at := range utterances {
		ctx, cancel := context.WithCancel(t.Context())
		var speaking, spoken atomic.Int32
		r := newRecorder(t, hum{Before: func(ctx context.Context, _ narration.Utterance) error {
			speaking.Add(1)
			defer speaking.Add(-1)
			if int(spoken.Add(1)) == at+1 {
				cancel()
			}
			return ctx.Err()
		}}, codec, 2)
		emitted := []recorded{}
		err := r.Record(ctx, "maren", script, 0, 0, func(s recording.Segment, mp3 []byte) error {
			emitted = append(emitted, recorded{s, mp3})
			return nil
		})
		require.ErrorIs(t, err, context.Canceled)
		require.Zero(t, speaking.Load(), "nobody speaks after Record has returned")
		require.Equal(t, whole[:len(emitted)], emitted, "what was emitted until then is the beginning")
		require.Equal(t, whole, record(t, r, "maren", script, 0, 0), "the workers are free again")
	}
}

// A recording that waits for a worker is cancelled as well.
func TestARecordingThatWaitsForAWorkerCanBeCancelled(t *testing.T) {
	t.Parallel()
	busy, free := make(chan struct{}), make(chan struct{})
	r := newRecorder(t, hum{Before: func(context.Context, narration.Utterance) error {
		close(busy)
		<-free
		return errors.New("no more")
	}}, openCodec(t), 1)
	ended := make(chan error)
	go func() { ended <- r.Record(t.Context(), "maren", script, 0, 0, ignore) }()
	<-busy
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, r.Record(ctx, "maren", script, 0, 0, ignore), context.Canceled)
	close(free)
	require.ErrorContains(t, <-ended, "no more")
}

func TestAllScriptsShareTheWorkers(t *testing.T) {
	t.Parallel()
	const workers = 2
	var now, most atomic.Int32
	synth := hum{Before: func(context.Context, narration.Utterance) error {
		busy := now.Add(1)
		defer now.Add(-1)
		for m := most.Load(); busy > m && !most.CompareAndSwap(m, busy); m = most.Load() {
		}
		return nil
	}}
	n := newRecorder(t, synth, openCodec(t), workers)
	done := make(chan error)
	for range 5 {
		go func() {
			done <- n.Record(t.Context(), "isla", script, 0, 0, ignore)
		}()
	}
	for range 5 {
		require.NoError(t, <-done)
	}
	require.LessOrEqual(t, most.Load(), int32(workers))
}

func TestASentenceWithoutSoundIsLeftOut(t *testing.T) {
	t.Parallel()
	n := newRecorder(t, silent{}, openCodec(t), 1)
	segments := record(t, n, "maren", recording.Script{Passages: script.Passages[2:]}, 0, 0)
	require.Len(t, segments, 1)
	require.Empty(t, segments[0].Lines)
	require.NotEmpty(t, segments[0].mp3)
}

// silent is a synthesiser that has nothing to say.
type silent struct{ hum }

func (silent) Speak(context.Context, narration.Utterance) (narration.Speech, error) {
	return narration.Speech{Samples: make([]float32, 8000), Rate: 16000}, nil
}
