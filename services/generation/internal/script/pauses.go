package script

import "time"

// halves is a time in half seconds.
type halves int

func (h halves) duration() time.Duration { return time.Duration(h) * 500 * time.Millisecond }

const (
	// leastPause is the shortest silence, longPause what "~ long" asks for, and longest what it gets where there is time.
	leastPause, longPause, longestPause halves = 2, 10, 12
	// breathPause is the time of one breath, in and out.
	breathPause halves = 10
)

// breathTime is what a silence of so many breaths takes beyond the shortest one.
func breathTime(breaths int) halves {
	if breaths == 0 {
		return 0
	}
	return halves(breaths)*breathPause - leastPause
}

// timeToBreathe is how much of a script's silence may go to the blocks that count breaths: two thirds of what is over
// when every silence has its least, and no more than leaves each affirmation its time. The rest is for the long ones.
func timeToBreathe(seconds, breaks int) halves {
	over := halves(2*seconds) - leastPause*halves(breaks)
	return max(0, min(over*2/3, over-affirmationsPerType*(longPause-leastPause)))
}

// pauses shares the whole silence out, to the half second: what breaths take in whole, then affirmations and the long
// ones as far as it reaches, and the rest evenly.
func (d *draft) pauses(spare halves) []halves {
	pauses := make([]halves, len(d.passages))
	for i, p := range d.passages {
		pauses[i] = leastPause + breathTime(p.breaths)
		spare -= pauses[i]
	}
	long := d.longOnes(spare)
	for _, i := range long {
		pauses[i] = longPause
		spare -= longPause - leastPause
	}
	short := d.others(pauses)
	for _, step := range []struct {
		which []int
		to    halves
	}{{short, leastPause + 1}, {long, longestPause}, {short, 2 * leastPause}, {short, 3 * leastPause}} {
		spare = raise(pauses, step.which, step.to, spare)
	}
	for i := 0; spare > 0; i, spare = i+1, spare-1 {
		pauses[i%len(pauses)]++
	}
	return pauses
}

// longOnes are the passages that get a long silence, as far as there is time: those with an affirmation, beside a sound those that
// end a part of the script, and then of those that ask for one all, or as many as there is time for, evenly apart.
func (d *draft) longOnes(spare halves) (long []int) {
	joining, asking := []int{}, []int{}
	for i, p := range d.passages {
		switch {
		case p.breaths > 0:
		case p.affirms:
			long = append(long, i)
		case p.joins && d.scene.immersive:
			joining = append(joining, i)
		case p.long:
			asking = append(asking, i)
		}
	}
	long = long[:min(int(spare/(longPause-leastPause)), len(long))]
	for _, some := range [][]int{joining, asking} {
		long = append(long, d.evenly(some, spare-halves(len(long))*(longPause-leastPause))...)
	}
	return long
}

// evenly are all of some passages, or as many as there is time for, evenly apart.
func (d *draft) evenly(passages []int, spare halves) (long []int) {
	// Half a second more for everybody comes before all long ones but the first two: a second is hardly more than the breath
	// between two sentences.
	all, some := int(spare/(longPause-leastPause)), int((spare-halves(len(d.passages)))/(longPause-leastPause))
	n := min(max(some, min(all, 2)), len(passages))
	for i, at := range passages {
		if (i+1)*n/len(passages) > i*n/len(passages) {
			long = append(long, at)
		}
	}
	return long
}

// others are the passages that have the shortest silence.
func (d *draft) others(pauses []halves) (short []int) {
	for i, p := range pauses {
		if p == leastPause {
			short = append(short, i)
		}
	}
	return short
}

// raise makes those silences so long, by half a second at a time, as far as there is time, and answers what is over.
func raise(pauses []halves, which []int, to, spare halves) halves {
	for range to {
		for _, i := range which {
			if spare > 0 && pauses[i] < to {
				pauses[i]++
				spare--
			}
		}
	}
	return spare
}
