package main

import (
	"context"
	"math"
	"time"

	"serein.app/services/sound/mp3"
)

// speech is the format of all recordings.
var speech = mp3.Config{Rate: 24000, Channels: 1, BitrateKbps: 64}

// hum is sound that keeps an encoder as busy as speech does: tones that swell and fade, with a
// breath of silence now and then.
func hum(length time.Duration) []float32 {
	samples := make([]float32, int(length.Seconds()*float64(speech.Rate)))
	for i := range samples {
		t := float64(i) / float64(speech.Rate)
		if math.Mod(t, 5) > 4 {
			continue
		}
		swell := 0.5 + 0.5*math.Sin(2*math.Pi*3*t)
		for k := 1.0; k <= 8; k++ {
			samples[i] += float32(0.2 / k * swell * math.Sin(2*math.Pi*160*k*t))
		}
	}
	return samples
}

func encode(ctx context.Context, codec *mp3.Codec, samples []float32) error {
	encoder, err := codec.NewEncoder(ctx, speech)
	if err != nil {
		return err
	}
	defer func() { _ = encoder.Close(ctx) }()
	if _, err := encoder.Encode(ctx, samples); err != nil {
		return err
	}
	_, err = encoder.Flush(ctx)
	return err
}
