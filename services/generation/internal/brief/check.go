package brief

import (
	"fmt"
	"strings"
	"time"

	"serein.app/services/generation/internal/recording"
)

// Reason is a stable word for what is wrong with a script; metrics count by it.
type Reason string

// The reasons.
const (
	// Words: the script has too few or too many.
	Words Reason = "words"
	// Breaks: the number of passages, and so of silences, is another one, or a passage says nothing.
	Breaks Reason = "breaks"
	// Pauses: a silence is shorter than a second or no multiple of half a second, or their sum is another one.
	Pauses Reason = "pauses"
	// Repeated: a sentence is said twice, but for a word or two.
	Repeated Reason = "repeated"
	// Known: too many sentences were said to this member in one script lately.
	Known Reason = "known"
	// Unspeakable: a sentence has what a narrator cannot read, such as markup, digits or capitals throughout, or is too long for one breath.
	Unspeakable Reason = "unspeakable"
	// Outside: a sentence has a link, an address, a brand, or asks for a purchase.
	Outside Reason = "outside"
	// Echo: a sentence speaks of the request, of instructions or of the model, instead of to the member.
	Echo Reason = "echo"
	// Unsafe: a sentence could hurt anybody: it speaks of a crisis, gives medical advice, promises a cure or asks to hold a breath.
	Unsafe Reason = "unsafe"
	// Never: a sentence has what somebody with this title must not be told.
	Never Reason = "never"
	// Quoted: a title is said that must not be said back.
	Quoted Reason = "quoted"
	// Named: the member's name is said more than once.
	Named Reason = "named"
	// Untaught: the practice that the member has chosen is hardly taught.
	Untaught Reason = "untaught"
)

// Reasons are all of them.
var Reasons = []Reason{Words, Breaks, Pauses, Repeated, Known, Unspeakable, Outside, Echo, Unsafe, Never, Quoted, Named, Untaught}

// Fault is something for which a script is refused.
type Fault struct {
	Reason Reason
	// Sentence has the fault; empty where the fault is one of the whole.
	Sentence string
	// Say tells a writer what to change. It has no words of the member's but those of the sentence.
	Say string
}

// String is the fault in words for a writer.
func (f Fault) String() string {
	if f.Sentence == "" {
		return f.Say
	}
	return fmt.Sprintf("%s: %q", f.Say, f.Sentence)
}

// A silence lasts LeastPause at least and is a multiple of PauseStep.
const (
	LeastPause = time.Second
	PauseStep  = 500 * time.Millisecond
)

// Check finds all that is wrong with a script; it is fit to be spoken where the answer is empty.
func (b Brief) Check(s recording.Script) (faults []Fault) {
	said := sentencesOf(s)
	faults = append(faults, b.measures(s, said)...)
	never := b.never()
	for _, sentence := range said {
		if f, bad := b.judge(sentence, never); bad {
			faults = append(faults, f)
		}
	}
	faults = append(faults, repeated(said)...)
	return append(faults, b.asAWhole(said)...)
}

// measures holds the size that was ordered.
func (b Brief) measures(s recording.Script, said []string) (faults []Fault) {
	if n := CountWords(said); n < b.MinWords || n > b.MaxWords {
		faults = append(faults, Fault{Words, "", fmt.Sprintf("The script has %d words; write %d to %d", n, b.MinWords, b.MaxWords)})
	}
	if n := len(s.Passages); n != b.Breaks {
		faults = append(faults, Fault{Breaks, "", fmt.Sprintf("The script has %d passages; write exactly %d", n, b.Breaks)})
	}
	total, wrong := time.Duration(0), false
	for _, p := range s.Passages {
		total += p.Pause
		wrong = wrong || p.Pause < LeastPause || p.Pause%PauseStep != 0
		if len(p.Sentences) == 0 {
			faults = append(faults, Fault{Breaks, "", "A passage has no sentence"})
		}
	}
	if wrong || total != b.Pause {
		faults = append(faults, Fault{Pauses, "", fmt.Sprintf("The silences last %s; they last %s, each a second at least", total, b.Pause)})
	}
	return faults
}

// asAWhole holds what no sentence shows alone.
func (b Brief) asAWhole(said []string) (faults []Fault) {
	if n := b.timesNamed(said); n > 1 {
		faults = append(faults, Fault{Named, "", fmt.Sprintf("The listener's name is said %d times; once is enough", n)})
	}
	if known, most := b.known(said), len(said)*mostKnown/100; known > most {
		faults = append(faults, Fault{Known, "", fmt.Sprintf("The listener has been told %d of the sentences in one meditation lately; at most %d may be in it", known, most)})
	}
	if p, ok := practices[b.PracticeID]; ok && !b.taught(p, said) {
		faults = append(faults, Fault{Untaught, "", "The script hardly teaches its practice, which is this: " + p.Teaches})
	}
	return faults
}

func (b Brief) taught(p Practice, said []string) bool {
	least := leastTaught
	if b.looksOutward() {
		least = leastTaughtOutward
	}
	for _, sentence := range said {
		if p.words.MatchString(sentence) {
			least--
		}
	}
	return least <= 0
}

func (b Brief) timesNamed(said []string) (times int) {
	name := folded(b.GivenName)
	if name == "" {
		return 0
	}
	for _, sentence := range said {
		times += strings.Count(" "+folded(sentence)+" ", " "+name+" ")
	}
	return times
}

func sentencesOf(s recording.Script) (all []string) {
	for _, p := range s.Passages {
		all = append(all, p.Sentences...)
	}
	return all
}

// CountWords counts as the size of a meditation is counted: what spaces separate.
func CountWords(sentences []string) (n int) {
	for _, s := range sentences {
		n += len(strings.Fields(s))
	}
	return n
}
