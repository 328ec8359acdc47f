package meditation

import "time"

// Load is what waits and who works, as the store last knew.
type Load struct {
	// Pieces of accepted work that are not narrated yet, and how much sound they still need.
	Pieces int
	Sound  time.Duration
	// Oldest is when the longest waiting piece was accepted; the epoch where none waits.
	Oldest time.Time
	// Workers and their Recorders that are alive.
	Workers, Recorders int
	// Rate is how much sound all of them make in a second; 0 where nobody works. It is Known once any
	// recorder's pace was measured, also one's that has died since.
	Rate  time.Duration
	Known bool
}

// NewLoad adds up the workers that are alive. last is the pace that was measured last, for those whose
// own was not measured yet; 0 where none ever was.
func NewLoad(pieces int, sound time.Duration, oldest time.Time, alive []Worker, last time.Duration) Load {
	l := Load{Pieces: pieces, Sound: sound, Oldest: oldest, Workers: len(alive), Known: last > 0}
	for _, w := range alive {
		l.Recorders += w.Recorders
		pace := w.Pace
		if pace == 0 {
			pace = last
		}
		if pace > 0 {
			l.Rate += time.Duration(float64(w.Recorders) * float64(time.Second) / pace.Seconds())
		}
	}
	return l
}

// never is a time longer than any patience.
const never = 24 * time.Hour

// wait is how long it takes to narrate that much sound.
func (l Load) wait(sound time.Duration) time.Duration {
	switch {
	case !l.Known || sound <= 0:
		return 0
	case l.Rate == 0:
		return never
	}
	return time.Duration(min(sound.Seconds()/l.Rate.Seconds()*float64(time.Second), float64(never)))
}

// overloaded says that not all that waits can be finished in time, since workers were lost after it was accepted.
func (l Load) overloaded() bool { return l.wait(l.Sound) > overloadedAt }
