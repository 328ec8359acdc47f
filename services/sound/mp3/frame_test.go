package mp3_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/sound/mp3"
)

// busy needs more main data than a frame holds, now and then.
func busy(n int) []float32 {
	r := rand.New(rand.NewPCG(1, 2))
	out := make([]float32, n)
	for i := range out {
		out[i] = 0.001 * r.Float32()
		if i%6000 < 1200 {
			out[i] = r.Float32() - 0.5
		}
	}
	return out
}

func TestAStreamTakenApartAndJoinedSoundsTheSame(t *testing.T) {
	t.Parallel()
	codec := open(t)
	stream := encode(t, codec, voice, busy(48000))
	frames, err := mp3.Split(stream, voice)
	require.NoError(t, err)
	require.Len(t, frames, len(stream)/voice.FrameBytes())
	again, err := mp3.Join(frames, voice)
	require.NoError(t, err)
	require.Len(t, again, len(stream))
	_, want := decode(t, stream)
	_, got := decode(t, again)
	require.True(t, slices.Equal(want, got))
}

func TestFramesOfASmallerBitRateLeaveRoomForThoseOfTheLarger(t *testing.T) {
	t.Parallel()
	codec, small := open(t), mp3.Config{Rate: 24000, Channels: 1, BitrateKbps: 32}
	in := busy(48000)
	half, err := mp3.Split(encode(t, codec, small, in), small)
	require.NoError(t, err)
	frames, err := mp3.Split(encode(t, codec, voice, in), voice)
	require.NoError(t, err)
	stream, err := mp3.Join(append(append(frames[:0:0], half[5:8]...), frames[8:]...), voice)
	require.NoError(t, err)
	_, whole := decode(t, encode(t, codec, voice, in))
	_, got := decode(t, stream)
	require.Len(t, got, len(whole)-5*576)
	for i := 5 * 576; i < len(got); i++ {
		require.InDelta(t, whole[5*576+i], got[i], 1e-4, "from the second whole frame on")
	}
}

func TestFramesThatDoNotFitAreRefused(t *testing.T) {
	t.Parallel()
	codec := open(t)
	stream := encode(t, codec, voice, busy(48000))
	_, err := mp3.Split(stream[192*5:], voice)
	require.ErrorIs(t, err, mp3.ErrFrames, "it needs the frames before it")
	_, err = mp3.Split(stream[:100], voice)
	require.ErrorIs(t, err, mp3.ErrFrames)
	frames, err := mp3.Split(stream, voice)
	require.NoError(t, err)
	_, err = mp3.Join(frames, mp3.Config{Rate: 24000, Channels: 1, BitrateKbps: 32})
	require.ErrorIs(t, err, mp3.ErrFrames)
}
