package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"serein.app/deploy/e2e/harness"
	"serein.app/services/platform/pause"
)

const (
	// tokenTime is that of a model that writes 40 tokens a second, of bytesAToken bytes of plain English each.
	tokenTime, bytesAToken = 25 * time.Millisecond, 4
	// narratorTime is how long the narrator takes for a sentence.
	narratorTime = 300 * time.Millisecond
)

// measureOutside asks for meditations whose script a model writes, and which a vendor's narrator speaks. Stand-ins for both answer at exactly those speeds.
func measureOutside(ctx context.Context, b *bench) (figures []Figure, err error) {
	v := &vendors{}
	writes, speaks := httptest.NewServer(http.HandlerFunc(v.write)), httptest.NewServer(http.HandlerFunc(v.speak))
	defer writes.Close()
	defer speaks.Close()
	product, leave, err := openProductWith(ctx, func(dir string) (map[string]string, error) {
		return map[string]string{
			"WRITER": "openai", "WRITER_URL": writes.URL, "WRITER_MODEL": "stand-in", "WRITER_STREAM": "true",
			"OPENAI_SPEECH_URL": speaks.URL, "OPENAI_SPEECH_MODEL": "stand-in", "NARRATORS_FILE": filepath.Join(dir, "narrators.yaml"),
		}, os.WriteFile(filepath.Join(dir, "narrators.yaml"), []byte(narratorsFile), 0o600)
	})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, leave()) }()
	b.say("  %d requests of Generate, written and spoken outside", b.requests)
	members, err := newMembers(ctx, product, b.requests)
	if err != nil {
		return nil, err
	}
	waited, err := firstSoundsBy(ctx, members, narratorID)
	if err != nil || len(waited.sound) == 0 {
		return nil, err
	}
	least := percentile(v.took(), 50) + narratorTime
	return []Figure{
		Figure{Name: "outside, Generate to first sound, p50", Value: seconds(percentile(waited.sound, 50))}.
			against("the first passage's tokens, then the narrator", least.Seconds()).below(2.5),
		{Name: "outside, Generate to first sound, p95", Value: seconds(percentile(waited.sound, 95))},
	}, nil
}

// narratorID is the narrator who speaks outside, and no built-in one.
const narratorID = "stella"

const narratorsFile = `narrators:
  - id: ` + narratorID + `
    name: Stella
    description: A stand-in for a vendor's voice.
    synthesiser: openai
    settings: {voice: alloy}
    languages: [en-GB]
    sound: plain
    loudness: -14
    words_per_minute: 150
    fallback: maren
`

// firstSoundsBy is firstSounds with that narrator.
func firstSoundsBy(ctx context.Context, members []*harness.Member, narrator string) (w waits, err error) {
	w.narrator = narrator
	for i, m := range members {
		if err := w.add(ctx, m, i); err != nil {
			return w, fmt.Errorf("request %d: %w", i+1, err)
		}
	}
	return w, nil
}

// vendors stand in for a model and for a narrator.
type vendors struct {
	mu sync.Mutex
	// passages are how long the first passage of each script took.
	passages []time.Duration
}

func (v *vendors) took() []time.Duration {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.passages
}

// wordsAsked finds what the prompt asks of a passage.
var wordsAsked = regexp.MustCompile(`which is about (\d+) a passage`)

// write streams a script token by token, as long as its asker listens.
func (v *vendors) write(w http.ResponseWriter, r *http.Request) {
	var asked struct{ Messages []struct{ Content string } }
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || len(asked.Messages) < 2 {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	share := 20
	if found := wordsAsked.FindStringSubmatch(asked.Messages[1].Content); found != nil {
		share, _ = strconv.Atoi(found[1])
	}
	w.Header().Set("Content-Type", "text/event-stream")
	began, lines := time.Now(), passagesOf(share)
	for i, line := range lines {
		for len(line) > 0 {
			token := line[:min(bytesAToken, len(line))]
			line = line[len(token):]
			if pause.For(r.Context(), tokenTime) != nil {
				return
			}
			chunk, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{"content": token}}}})
			if _, err := fmt.Fprintf(w, "data: %s\n\n", chunk); err != nil {
				return
			}
			w.(http.Flusher).Flush()
		}
		if i == 0 {
			v.mu.Lock()
			v.passages = append(v.passages, time.Since(began))
			v.mu.Unlock()
		}
	}
	<-r.Context().Done() // the meditation is cancelled long before its script would end
}

// plain sentences that suit every title.
var plain = []string{
	"You have found a few minutes, and they are yours.", "There is nothing to prepare here and nothing to get right.",
	"Let the chair or the floor carry whatever it can carry.", "Whatever the clock says, it can say it without you for now.",
	"Somewhere in this room there is a corner that nobody looks at.", "Look at it as you might look at a picture in a quiet gallery.",
	"Find one plain colour, and the line where it turns into another.", "If a plan comes along, greet it and let it walk past.",
	"Stay with what is in front of you, as long as it is easy.", "Then choose a second thing, nearer to where you are sitting.",
	"Ask what it is made of, and leave the question open.", "Its edges were there before you came, and they will stay.",
	"Nobody else sees it quite from this place.", "Let your attention lean on it, as one leans on a gate.",
}

// passagesOf shares the sentences out, at least so many words a passage, as lines of an answer.
func passagesOf(words int) (lines []string) {
	var said []string
	for _, sentence := range plain {
		said = append(said, sentence)
		if len(strings.Fields(strings.Join(said, " "))) < words {
			continue
		}
		line, _ := json.Marshal(map[string]any{"n": len(lines) + 1, "say": said, "rest": "short"})
		lines, said = append(lines, string(line)+"\n"), nil
	}
	return lines
}

// speak hums a sentence at 150 words a minute, as samples of 16 bits.
func (*vendors) speak(w http.ResponseWriter, r *http.Request) {
	var asked struct{ Input string }
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if pause.For(r.Context(), narratorTime) != nil {
		return
	}
	samples := make([]byte, 2*(utf8.RuneCountInString(asked.Input)*speech.Rate*60/(150*6)))
	for i := range len(samples) / 2 {
		x := 0.35 * math.Sin(2*math.Pi*140*float64(i)/float64(speech.Rate))
		binary.LittleEndian.PutUint16(samples[2*i:], uint16(int16(x*math.MaxInt16)))
	}
	w.Header().Set("Content-Type", "audio/pcm")
	_, _ = w.Write(samples)
}
