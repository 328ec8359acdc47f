package publication

import (
	"fmt"
	"strings"
	"time"

	"serein.app/services/generation/internal/recording"
)

// captions says in WebVTT when each sentence is heard, or each part of a long one. parts are what the segments were made of, one by one.
func captions(parts []recording.Passage, stored []Segment) []byte {
	var vtt strings.Builder
	vtt.WriteString("WEBVTT\n")
	var start time.Duration
	for i, s := range stored {
		if text := strings.Join(strings.Fields(strings.Join(parts[i].Sentences, " ")), " "); text != "" {
			end := max(start, start+s.Duration-parts[i].Pause)
			fmt.Fprintf(&vtt, "\n%s --> %s\n%s\n", cueTime(start), cueTime(end), escaped.Replace(text))
		}
		start += s.Duration
	}
	return []byte(vtt.String())
}

// escaped is what a cue's text has to name otherwise.
var escaped = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

func cueTime(t time.Duration) string {
	ms := t.Milliseconds()
	return fmt.Sprintf("%02d:%02d:%02d.%03d", ms/3_600_000, ms/60_000%60, ms/1000%60, ms%1000)
}
