package meditation

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
	"time"

	"serein.app/services/generation/internal/recording"
)

// The limits of the product.
const (
	// CostVoiceOnly and CostImmersive are credits, from the specification.
	CostVoiceOnly = 1
	CostImmersive = 2
	// MaxRunning generations a member: enough to ask for another while one is made, too few to crowd others out.
	MaxRunning = 3
	// Patience from the request to the end. The longest meditation takes 20 s of work, so ten
	// minutes are for queues and repairs; nobody waits longer.
	Patience = 10 * time.Minute
	// HoldTime of the credits: three times Patience, so that a hold never ends under living work.
	HoldTime = 30 * time.Minute
	// HoldingTime after which a request that never became work is given up.
	HoldingTime = time.Minute
	// MaxTries is how many setbacks the work may cause itself without progress; then it fails.
	MaxTries = 5
	// SuspectAfter so many processes died with the work, without progress in between, a process makes it alone. So a
	// meditation that only shared a process with the one that kills processes is cleared. After MaxCrashes it fails.
	SuspectAfter = 2
	MaxCrashes   = 5
	// RememberedScripts are the scripts of a member that the writer looks at to say something new: a month of one a day.
	RememberedScripts = 30
	// FailedShownFor is how long My Journey shows a failed meditation with its reason.
	FailedShownFor = 24 * time.Hour
)

// Language of all that is written and spoken, as a BCP 47 tag.
const Language = "en-GB"

// Reasons a meditation failed for, stable words.
const (
	ReasonTimedOut = "timed_out"
	// ReasonBusy: it was never begun, since it could not have been finished in time.
	ReasonBusy      = "too_busy"
	ReasonWriting   = "writing_failed"
	ReasonNarration = "narration_failed"
	ReasonHoldEnded = "hold_ended"
	// ReasonSoundLost stands for what was paid for and refunded.
	ReasonSoundLost = "sound_lost"
	// ReasonCancelled stands in the event of a cancelled meditation.
	ReasonCancelled = "cancelled"
)

// Cost in credits.
func Cost(immersive bool) int {
	if immersive {
		return CostImmersive
	}
	return CostVoiceOnly
}

// Seed makes the script the member's own: the same request on the same day gives the same script,
// another title, choice, member or day another one.
func (m Meditation) Seed() uint64 {
	sum := sha256.Sum256([]byte(strings.Join([]string{m.UID.String(), m.Title, m.TypeID, m.PracticeID, m.SizeID, m.Day}, "\x00")))
	return binary.BigEndian.Uint64(sum[:8])
}

// Keys of the files. The attempt is part of a segment's key: a worker that has lost its lease
// cannot write over what the next one made.
func (m Meditation) segmentKey(index int) string {
	return fmt.Sprintf("%s/%04d-%d.mp3", m.segmentsFolder(), index, m.Attempt)
}
func (m Meditation) segmentsFolder() string { return m.folder() + "/segments" }
func (m Meditation) audioKey() string       { return m.folder() + "/audio.mp3" }
func (m Meditation) folder() string         { return "meditations/" + m.ID.String() }

// awayPause before work is taken up again that needs a part which is away.
const awayPause = 2 * time.Second

// backoff before work is taken up again: 250 ms, doubled for each setback, at most 10 s.
func backoff(tries int) time.Duration {
	return min(250*time.Millisecond<<min(tries, 10), 10*time.Second)
}

// expect the length of the whole: what is done, then the words and silences that are left, the
// words at the pace measured so far.
func expect(script recording.Script, narrator recording.Narrator, done []recording.Segment) time.Duration {
	words, silence := script.Words, time.Duration(0)
	for _, p := range script.Passages {
		silence += p.Pause
	}
	pace := float64(time.Minute) / narrator.WordsPerMinute
	var ready, spoken time.Duration
	said := 0
	for _, s := range done {
		ready += s.Duration
		spoken += s.Duration - s.Silence
		silence -= s.Silence
		for _, l := range s.Lines {
			said += len(strings.Fields(l.Text))
		}
	}
	if said > 0 {
		pace = float64(spoken) / float64(said)
	}
	left := time.Duration(pace * float64(max(words-said, 0)))
	return ready + left + max(silence, 0)
}
