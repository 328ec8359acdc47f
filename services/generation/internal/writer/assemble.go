package writer

import (
	"slices"
	"time"

	"serein.app/services/generation/internal/brief"
	"serein.app/services/generation/internal/recording"
)

// assemble makes a script of the passages: with as many of the sentences that may be left out as the words need, and with the
// silences, whose sum is exact.
func assemble(b brief.Brief, passages []Passage) recording.Script {
	said := fit(b, passages)
	share := shares{left: b.Pause, passages: len(passages)}
	s := recording.Script{Passages: make([]recording.Passage, len(passages))}
	for i, p := range passages {
		s.Passages[i] = recording.Passage{Sentences: said[i], Common: shared(b, said[i]), Pause: share.next(p.Long)}
		s.Words += brief.CountWords(said[i])
	}
	return s
}

// fit chooses the sentences of each passage. Sentences that may be left out are said only until the script has its least words, the
// first of each passage before any second one.
func fit(b brief.Brief, passages []Passage) [][]string {
	said, total, most := make([][]string, len(passages)), 0, 0
	for i, p := range passages {
		said[i] = slices.Clone(p.Say)
		total += brief.CountWords(p.Say)
		most = max(most, len(p.More))
	}
	for nth := range most {
		for i, p := range passages {
			if nth >= len(p.More) || total >= b.MinWords {
				continue
			}
			if n := brief.CountWords(p.More[nth : nth+1]); total+n <= b.MaxWords {
				said[i] = append(said[i], p.More[nth])
				total += n
			}
		}
	}
	return said
}

// shared marks the catalogue's affirmations, the only sentences from outside that may be spoken to others: anything else may have
// the member's words in it.
func shared(b brief.Brief, sentences []string) []bool {
	marks := make([]bool, len(sentences))
	for i, s := range sentences {
		marks[i] = slices.Contains(b.Affirmations, s)
	}
	return marks
}

// shares gives each passage its silence as it comes, so that the sum is exact although nobody knows yet what follows: an ordinary
// silence is a little shorter than an even share, a long one twice an even share, and the last one is what is left.
type shares struct {
	left     time.Duration
	passages int
}

func (s *shares) next(long bool) time.Duration {
	even := s.left / time.Duration(s.passages)
	pause := even * 4 / 5
	if long {
		pause = 2 * even
	}
	s.passages--
	if s.passages == 0 {
		pause = s.left
	} else {
		pause = min(pause, s.left-time.Duration(s.passages)*brief.LeastPause)
		pause = max(pause.Truncate(brief.PauseStep), brief.LeastPause)
	}
	s.left -= pause
	return pause
}
