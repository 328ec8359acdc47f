package narration

import (
	"strings"
	"time"

	"serein.app/services/generation/internal/recording"
)

const (
	// sentenceGap is the breath between two sentences of a passage.
	sentenceGap = 900 * time.Millisecond
	// pieceGap is the shorter breath inside a sentence that is spoken in pieces.
	pieceGap = 360 * time.Millisecond
	// maxSentences in one segment: it bounds the wait for a segment and the memory it takes.
	maxSentences = 4
	// longest text in characters that is spoken in one piece.
	longest = 180
)

// plan cuts passages into those that each make one segment. The first sentence stands alone and the next segment has
// two, so that listening starts at once and never overtakes the narrator; a cut inside a
// passage is in the breath between two sentences.
func plan(passages []recording.Passage) (parts []recording.Passage) {
	for _, p := range passages {
		parts = append(parts, cut(p, len(parts))...)
	}
	return parts
}

// cut cuts the next passage of a recording that has so many parts already.
func cut(p recording.Passage, before int) (parts []recording.Passage) {
	at, end := 0, len(p.Sentences)
	for {
		n := min(before+len(parts)+1, maxSentences)
		if end-at <= n {
			break
		}
		parts = append(parts, p.Cut(at, at+n, sentenceGap))
		at += n
	}
	return append(parts, p.Cut(at, end, p.Pause))
}

// split cuts a long sentence into pieces of at most longest characters, after a comma or
// the like where there is one, otherwise between words.
func split(text string) []string {
	var pieces []string
	for text = strings.TrimSpace(text); len(text) > longest; {
		at := strings.LastIndexAny(text[:longest], ",;:–—")
		if at < longest/3 {
			at = strings.LastIndexByte(text[:longest], ' ')
		}
		if at <= 0 {
			at = longest - 1
		}
		for at++; at < len(text) && text[at]&0xC0 == 0x80; at++ { // not inside a character
		}
		pieces = append(pieces, strings.TrimSpace(text[:at]))
		text = strings.TrimSpace(text[at:])
	}
	return append(pieces, text)
}
