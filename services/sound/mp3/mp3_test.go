package mp3_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"testing"

	gomp3 "github.com/hajimehoshi/go-mp3"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"serein.app/services/sound/mp3"
	"serein.app/services/testkit"
)

var voice = mp3.Config{Rate: 24000, Channels: 1, BitrateKbps: 64}

func open(tb testing.TB) *mp3.Codec {
	tb.Helper()
	code, err := os.ReadFile(testkit.Part(tb, "mp3.wasm"))
	require.NoError(tb, err)
	codec, err := mp3.Open(tb.Context(), code, "")
	require.NoError(tb, err)
	return codec
}

// encode makes one stream of the channels.
func encode(tb testing.TB, codec *mp3.Codec, c mp3.Config, channels ...[]float32) []byte {
	tb.Helper()
	data, err := encodeAll(tb.Context(), codec, c, channels...)
	require.NoError(tb, err)
	return data
}

// encodeAll is encode for any goroutine.
func encodeAll(ctx context.Context, codec *mp3.Codec, c mp3.Config, channels ...[]float32) ([]byte, error) {
	e, err := codec.NewEncoder(ctx, c)
	if err != nil {
		return nil, err
	}
	head, encodeErr := e.Encode(ctx, channels...)
	tail, flushErr := e.Flush(ctx)
	return append(head, tail...), errors.Join(encodeErr, flushErr, e.Close(ctx))
}

// decode gives the left channel.
func decode(tb testing.TB, data []byte) (rate int, left []float64) {
	tb.Helper()
	d, err := gomp3.NewDecoder(bytes.NewReader(data))
	require.NoError(tb, err)
	pcm, err := io.ReadAll(d)
	require.NoError(tb, err)
	for ; len(pcm) >= 4; pcm = pcm[4:] {
		left = append(left, float64(int16(binary.LittleEndian.Uint16(pcm)))/32768)
	}
	return d.SampleRate(), left
}

// burst is a soft tone around a place.
func burst(rate, n, place int) []float32 {
	out := make([]float32, n)
	for i := range out {
		x := float64(i-place) / (0.01 * float64(rate))
		out[i] = float32(0.5 * math.Exp(-x*x) * math.Cos(2*math.Pi*700*float64(i-place)/float64(rate)))
	}
	return out
}

func TestSoundComesBackAfterTheDelay(t *testing.T) {
	t.Parallel()
	codec := open(t)
	for _, c := range []mp3.Config{voice, {Rate: 32000, Channels: 2, BitrateKbps: 96}, {Rate: 44100, Channels: 2, BitrateKbps: 128}} {
		in := burst(c.Rate, c.Rate, c.Rate/2)
		channels := [][]float32{in, in}[:c.Channels]
		rate, out := decode(t, encode(t, codec, c, channels...))
		require.Equal(t, c.Rate, rate)
		var diff, sum float64
		for i, want := range in {
			got := out[min(i+mp3.Delay, len(out)-1)]
			diff += (got - float64(want)) * (got - float64(want))
			sum += float64(want) * float64(want)
		}
		require.Less(t, 10*math.Log10(diff/sum), -20.0, "%+v", c)
	}
}

func TestAStreamIsWholeFramesOfOneSize(t *testing.T) {
	t.Parallel()
	codec := open(t)
	for _, n := range []int{1, 575, 576, 577, 24000} {
		data := encode(t, codec, voice, make([]float32, n))
		frames := (n+575)/576 + 2
		require.Len(t, data, frames*voice.FrameBytes(), n)
		for at := 0; at < len(data); at += voice.FrameBytes() {
			require.Equal(t, []byte{0xff, 0xf3}, data[at:at+2])
		}
	}
}

func TestStreamsJoinedAreAStream(t *testing.T) {
	t.Parallel()
	codec := open(t)
	one := encode(t, codec, voice, burst(24000, 5760, 2880))
	_, single := decode(t, one)
	_, both := decode(t, append(bytes.Clone(one), one...))
	require.Len(t, both, 2*len(single))
	for i := range single {
		require.InDelta(t, single[i], both[i], 1e-4)
		require.InDelta(t, single[i], both[len(single)+i], 1e-4)
	}
}

func TestOneEncoderMakesStreamAfterStream(t *testing.T) {
	t.Parallel()
	codec, in := open(t), burst(24000, 9000, 4000)
	want := encode(t, codec, voice, in)
	e, err := codec.NewEncoder(t.Context(), voice)
	require.NoError(t, err)
	for range 2 {
		var got []byte
		for at := 0; at < len(in); at += 1000 { // in pieces, too
			more, err := e.Encode(t.Context(), in[at:at+1000])
			require.NoError(t, err)
			got = append(got, more...)
		}
		last, err := e.Flush(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, append(got, last...))
	}
	require.NoError(t, e.Close(t.Context()))
}

func TestEncodersDoNotDisturbEachOther(t *testing.T) {
	t.Parallel()
	codec, in := open(t), burst(24000, 9000, 4000)
	want := encode(t, codec, voice, in)
	results := make([][]byte, 4)
	var group errgroup.Group
	for i := range results {
		group.Go(func() (err error) {
			results[i], err = encodeAll(t.Context(), codec, voice, in)
			return err
		})
	}
	require.NoError(t, group.Wait())
	for _, got := range results {
		require.Equal(t, want, got)
	}
}

func TestBadInputIsRefused(t *testing.T) {
	t.Parallel()
	codec := open(t)
	for _, c := range []mp3.Config{
		{},
		{Rate: 1234, Channels: 1, BitrateKbps: 64},
		{Rate: 24000, Channels: 3, BitrateKbps: 64},
		{Rate: 24000, Channels: 1, BitrateKbps: 320},
		{Rate: 44100, Channels: 2, BitrateKbps: 65},
	} {
		_, err := codec.NewEncoder(t.Context(), c)
		require.ErrorIs(t, err, mp3.ErrConfig, "%+v", c)
	}
	e, err := codec.NewEncoder(t.Context(), voice)
	require.NoError(t, err)
	_, err = e.Encode(t.Context(), make([]float32, 10), make([]float32, 10))
	require.ErrorIs(t, err, mp3.ErrConfig)
	stereo, err := codec.NewEncoder(t.Context(), mp3.Config{Rate: 32000, Channels: 2, BitrateKbps: 96})
	require.NoError(t, err)
	_, err = stereo.Encode(t.Context(), make([]float32, 10), make([]float32, 9))
	require.ErrorIs(t, err, mp3.ErrConfig)
	_, err = mp3.Open(t.Context(), []byte("not a module"), "")
	require.Error(t, err)
}

func BenchmarkEncode(b *testing.B) {
	codec := open(b)
	in := make([]float32, 24000*10)
	for i := range in {
		in[i] = float32(0.2 * math.Sin(float64(i)*0.05) * math.Sin(float64(i)*0.0007))
	}
	for b.Loop() {
		encode(b, codec, voice, in)
	}
	b.ReportMetric(10*float64(b.N)/b.Elapsed().Seconds(), "audio-s/s")
}
