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
)

func TestSegmentsFollowEachOtherAndAreWholeFrames(t *testing.T) {
	t.Parallel()
	n := narration.New(hum{}, openCodec(t), 2)
	segments := record(t, n, narration.VoiceFor("maren", false), script, 0, 0)
	require.Len(t, segments, narration.Count(script))
	var start time.Duration
	for i, s := range segments {
		require.Equal(t, i, s.Index)
		require.Equal(t, start, s.Start)
		require.Zero(t, s.Duration%(24*time.Millisecond))
		require.Len(t, s.MP3, int(s.Duration/(24*time.Millisecond))*192)
		require.Equal(t, []byte{0xff, 0xf3}, s.MP3[:2], "a frame of MPEG-2 layer III begins")
		start += s.Duration
	}
	require.Len(t, decode(t, join(segments)), at(start))
}

func TestTheFirstSentenceIsASegmentOfItsOwn(t *testing.T) {
	t.Parallel()
	n := narration.New(hum{}, openCodec(t), 1)
	segments := record(t, n, narration.VoiceFor("maren", false), script, 0, 0)
	require.Len(t, segments[0].Lines, 1)
	require.Equal(t, script[0].Sentences[0], segments[0].Lines[0].Text)
}

func TestPlannedSilencesAreExactToTheSample(t *testing.T) {
	t.Parallel()
	n := narration.New(hum{}, openCodec(t), 2)
	segments := record(t, n, narration.VoiceFor("maren", false), script, 0, 0)
	sound := decode(t, join(segments))
	for i, s := range segments[:len(segments)-1] {
		end, next := s.Lines[len(s.Lines)-1].End, segments[i+1].Lines[0].Start
		require.InDelta(t, s.Silence, next-end, float64(50*time.Microsecond))
		// After the room's tail there is nothing at all, and speech begins where it is said to.
		require.Less(t, level(sound[at(end)+24000*4/10:at(next)-600]), -85.0)
		require.Greater(t, level(sound[at(next)+600:at(next)+2400]), -30.0)
		require.Greater(t, level(sound[at(end)-4800:at(end)-2400]), -30.0)
		require.Less(t, level(sound[at(end):at(end)+2400]), -35.0, "the room alone")
	}
}

func TestEverySegmentPlaysAlone(t *testing.T) {
	t.Parallel()
	n := narration.New(hum{}, openCodec(t), 2)
	segments := record(t, n, narration.VoiceFor("wren", false), script, 0, 0)
	whole := decode(t, join(segments))
	for _, s := range segments {
		alone := decode(t, s.MP3)
		require.Len(t, alone, at(s.Duration))
		part := whole[at(s.Start):at(s.Start+s.Duration)]
		difference := make([]float32, len(alone))
		for i := range alone {
			difference[i] = alone[i] - part[i]
		}
		require.Less(t, level(difference), -80.0)
	}
}

func TestARecordingIsContinuedByteForByte(t *testing.T) {
	t.Parallel()
	codec, voice := openCodec(t), narration.VoiceFor("tomas", false)
	whole := record(t, narration.New(hum{}, codec, 2), voice, script, 0, 0)
	for from := range whole {
		rest := record(t, narration.New(hum{}, codec, 1), voice, script, from, whole[from].Start)
		require.Equal(t, whole[from:], rest)
	}
	require.Empty(t, record(t, narration.New(hum{}, codec, 1), voice, script, len(whole), time.Hour))
}

func TestTheFirstSegmentDoesNotWaitForTheRest(t *testing.T) {
	t.Parallel()
	heard := make(chan struct{})
	synth := hum{before: func(ctx context.Context, u narration.Utterance) error {
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
	n := narration.New(synth, openCodec(t), 2)
	count := 0
	require.NoError(t, n.Narrate(t.Context(), narration.VoiceFor("maren", false), script, 0, 0, func(narration.Segment) error {
		if count++; count == 1 {
			close(heard)
		}
		return nil
	}))
	require.Equal(t, narration.Count(script), count)
}

func TestFailuresEndTheNarration(t *testing.T) {
	t.Parallel()
	codec, voice, broken := openCodec(t), narration.VoiceFor("maren", false), errors.New("broken")
	emit := func(narration.Segment) error { return nil }

	mute := hum{before: func(context.Context, narration.Utterance) error { return broken }}
	require.ErrorIs(t, narration.New(mute, codec, 2).Narrate(t.Context(), voice, script, 0, 0, emit), broken)

	full := func(narration.Segment) error { return broken }
	require.ErrorIs(t, narration.New(hum{}, codec, 2).Narrate(t.Context(), voice, script, 0, 0, full), broken)

	ctx, cancel := context.WithCancel(t.Context())
	stuck := hum{before: func(ctx context.Context, _ narration.Utterance) error {
		cancel()
		<-ctx.Done()
		return ctx.Err()
	}}
	require.ErrorIs(t, narration.New(stuck, codec, 2).Narrate(ctx, voice, script, 0, 0, emit), context.Canceled)
}

// A panic in the synthesiser or in our own signal processing is a fault of one recording: the
// others go on, and the worker that it happened to is free again.
func TestAPanicEndsItsOwnNarrationAlone(t *testing.T) {
	t.Parallel()
	codec, voice := openCodec(t), narration.VoiceFor("maren", false)
	synth := hum{before: func(_ context.Context, u narration.Utterance) error {
		if u.Text == "Unspeakable." {
			panic("no address space")
		}
		return nil
	}}
	n := narration.New(synth, codec, 1)
	unspeakable := []narration.Passage{{Sentences: []string{"Unspeakable."}, Pause: time.Second}}
	for range 3 {
		err := n.Narrate(t.Context(), voice, unspeakable, 0, 0, func(narration.Segment) error { return nil })
		require.ErrorContains(t, err, "no address space")
		require.ErrorContains(t, err, "fake_test.go", "the stack says where")
	}
	require.Len(t, record(t, n, voice, script, 0, 0), narration.Count(script))
}

func TestAllScriptsShareTheWorkers(t *testing.T) {
	t.Parallel()
	const workers = 2
	var now, most atomic.Int32
	synth := hum{before: func(context.Context, narration.Utterance) error {
		busy := now.Add(1)
		defer now.Add(-1)
		for m := most.Load(); busy > m && !most.CompareAndSwap(m, busy); m = most.Load() {
		}
		return nil
	}}
	n := narration.New(synth, openCodec(t), workers)
	done := make(chan error)
	for range 5 {
		go func() {
			done <- n.Narrate(t.Context(), narration.VoiceFor("isla", true), script, 0, 0, func(narration.Segment) error { return nil })
		}()
	}
	for range 5 {
		require.NoError(t, <-done)
	}
	require.LessOrEqual(t, most.Load(), int32(workers))
}

func TestASentenceWithoutSoundIsLeftOut(t *testing.T) {
	t.Parallel()
	n := narration.New(silent{}, openCodec(t), 1)
	segments := record(t, n, narration.VoiceFor("maren", false), script[2:], 0, 0)
	require.Len(t, segments, 1)
	require.Empty(t, segments[0].Lines)
	require.NotEmpty(t, segments[0].MP3)
}

// silent is a synthesiser that has nothing to say.
type silent struct{}

func (silent) Speak(context.Context, narration.Utterance) (narration.Speech, error) {
	return narration.Speech{Samples: make([]float32, 8000), Rate: 16000}, nil
}
