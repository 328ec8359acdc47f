package narration_test

import (
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/narration/dsp"
	"serein.app/services/generation/internal/narration/measure"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/sound/loudness"
	"serein.app/services/sound/resample"
)

var speechDir = flag.String("speech", "", "a folder to write the measured sentences to, as 16 kHz samples of 16 bits")

// measured are sentences of ours with all sounds of English in them, among them many sibilants.
var measured = recording.Script{Passages: []recording.Passage{
	{Sentences: []string{
		"Welcome to this quiet moment, a small space that is only yours.",
		"Let your shoulders soften, and allow your hands to rest.",
		"There is nothing to fix, and nowhere else to be.",
		"Notice the small pause at the end of each breath.",
		"You do not have to make it longer, only to meet it.",
	}, Pause: 2 * time.Second},
	{Sentences: []string{
		"Send your attention all the way down to the toes.",
		"Are they warm, cool, pressed together, hardly there at all?",
		"Let the soles of the feet be felt, and the heels, and the bones around the ankles.",
		"If there is no sensation, be aware of no sensation.",
		"Think the sound once, and then wait, as you would wait for a friend who is never late.",
	}, Pause: 2 * time.Second},
	{Sentences: []string{
		"Follow one whole breath, from its first stir to its very end.",
		"Some rooms will be warm, and some will be shut up, and we look into all of them.",
		"Bring a friendly curiosity with you, as though this were a place that you had only just moved into.",
		"Anger is allowed in here, it only has to wipe its feet.",
		"When you are ready, open your eyes, and look around you slowly.",
	}, Pause: 2 * time.Second},
	{Sentences: []string{
		"You can stop, or look away, whenever you want to.",
		"Let justice wait until you have rested.",
		"It will be the better for it.",
		"The chair holds you, and the floor holds the chair.",
		"Say it once more, and then let the words go.",
	}, Pause: 3 * time.Second},
}}

// What a review asked of the voices. `go test -v -run Goals` prints the table of the README.
func TestEveryNarratorMeetsTheGoalsOfSound(t *testing.T) {
	t.Parallel()
	r := newRecorder(t, openFlite(t), openCodec(t), 2)
	for _, narrator := range r.Narrators() {
		t.Run(narrator.ID, func(t *testing.T) {
			t.Parallel()
			segments := record(t, r, narrator.ID, measured, 0, 0)
			sound := decode(t, join(segments))
			speech, silence := apart(segments, sound)
			hz, deviation, spread := measure.Movement(measure.Pitch(speech))
			difference := measure.AgainstSpeech(speech)
			sibilants := measure.Sibilants(speech)
			quietest, floor := measure.Floor(silence)
			lufs, peak := loudness.Integrated(dsp.Rate, sound), loudness.TruePeak(sound)
			t.Logf("| %s | %.0f Hz | %.2f | %.1f | %.1f | %.1f | %.1f | %.1f, %.1f | %.1f | %.1f |", narrator.Name, hz, deviation, spread,
				measure.Worst(difference), sibilants, floor, measure.Harmonicity(speech, 0), measure.Harmonicity(speech, 3000), lufs, peak)
			t.Logf("thirds %.1f quietest %.1f pace %.0f", difference, quietest, pace(segments))
			write(t, narrator.ID, segments, sound)

			require.GreaterOrEqual(t, deviation, 1.4, "semitones that the pitch moves")
			require.LessOrEqual(t, measure.Worst(difference), 4.0, "dB from the average spectrum of speech, 1 to 6 kHz")
			require.LessOrEqual(t, sibilants, -6.0, "dB that sibilants lie over vowels")
			require.InDelta(t, dsp.RoomToneLevel, floor, 2, "dBFS in the silences")
			require.Greater(t, quietest, dsp.RoomToneLevel-8, "there is no hole at a join")
			require.InDelta(t, -19, lufs, 0.15)
			require.LessOrEqual(t, peak, -2.0)
		})
	}
}

// apart gives the sentences, and the silences between them from where the reverb is gone.
func apart(segments []recorded, sound []float32) (speech, silence []float32) {
	end := time.Duration(0)
	for _, s := range segments {
		for _, l := range s.Lines {
			if from, to := at(end+450*time.Millisecond), at(l.Start-20*time.Millisecond); end > 0 && to > from {
				silence = append(silence, sound[from:to]...)
			}
			speech = append(speech, sound[at(l.Start):at(l.End)]...)
			end = l.End
		}
	}
	return speech, silence
}

// write keeps the sentences for a recogniser of speech, if a folder is named.
func write(t *testing.T, narrator string, segments []recorded, sound []float32) {
	t.Helper()
	n := 0
	for _, s := range segments {
		for _, l := range s.Lines {
			if n++; *speechDir == "" {
				continue
			}
			var pcm []byte
			for _, v := range resample.New(16000, dsp.Rate).Resample(sound[max(0, at(l.Start)-4800) : at(l.End)+2400]) {
				pcm = binary.LittleEndian.AppendUint16(pcm, uint16(int16(max(-1, min(v, 1))*32767)))
			}
			require.NoError(t, os.WriteFile(filepath.Join(*speechDir, fmt.Sprintf("%s-%02d.raw", narrator, n)), pcm, 0o600))
		}
	}
}
