package main

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Studio is the pool of narration that a day is played with.
type Studio struct {
	// Least and Most are the bounds of the autoscaler, in processors; a recorder is one processor's work.
	Least, Most int
	// Starts is how many seconds a further processor takes from the wish for it until it works: a pod, and a node where none is free.
	Starts int
	// Target is the age of the queue in seconds above which the autoscaler asks for more.
	Target float64
}

// Day is how members fared.
type Day struct {
	Asked, Refused int
	// Median and Most95 are seconds until a meditation is begun; Worst is the longest wait.
	Median, Most95, Worst float64
	// Processors is the largest number that worked at once.
	Processors int
}

// longest is the work that the studio accepts, in seconds: what cannot be made within it is refused (services/generation/README.md).
const longest = 480

// play plays a day second by second: members come at random by the hours' shares, the oldest is begun first, and the autoscaler looks every 15 s.
// The same seed plays the same day.
func (s Studio) play(d Demand, seed uint64) Day {
	random := rand.New(rand.NewPCG(seed, 1))
	var day Day
	var waits []float64
	processors, coming := s.Least, map[int]int{}
	backlog := 0.0 // seconds of a processor's work that wait
	for second := range int(24 * 3600) {
		processors += coming[second]
		delete(coming, second)
		for range poisson(random, d.Meditations*hours[second/3600]/3600) {
			day.Asked++
			wait := backlog / float64(processors)
			if wait > longest {
				day.Refused++
				continue
			}
			waits = append(waits, wait)
			backlog += work(random, d)
		}
		backlog = max(0, backlog-float64(processors))
		if second%15 == 0 {
			processors = s.scale(second, processors, backlog, coming)
			day.Processors = max(day.Processors, processors)
		}
	}
	slices.Sort(waits)
	if len(waits) > 0 {
		day.Median, day.Most95, day.Worst = waits[len(waits)/2], waits[len(waits)*95/100], waits[len(waits)-1]
	}
	return day
}

// scale asks for as many processors as would bring the queue's age to the target, at most twice those that work; and lets one in fifty go while
// nothing waits.
func (s Studio) scale(second, processors int, backlog float64, coming map[int]int) int {
	all := processors
	for _, n := range coming {
		all += n
	}
	age := backlog / float64(processors)
	if age > s.Target {
		wanted := min(s.Most, 2*processors, int(math.Ceil(float64(processors)*age/s.Target)))
		if wanted > all {
			coming[second+s.Starts] += wanted - all
		}
		return processors
	}
	if backlog == 0 && len(coming) == 0 {
		return max(s.Least, processors-max(1, processors/50))
	}
	return processors
}

// work is a meditation's processor time.
func work(random *rand.Rand, d Demand) float64 {
	at := random.Float64()
	for _, s := range sizes {
		if at < s.Share {
			return s.Spoken + d.Kept*(s.Kept-s.Spoken)
		}
		at -= s.Share
	}
	last := sizes[len(sizes)-1]
	return last.Spoken + d.Kept*(last.Kept-last.Spoken)
}

// poisson is a random number with a mean: exactly for small means, by the normal distribution for large ones.
func poisson(random *rand.Rand, mean float64) int {
	if mean > 50 {
		return max(0, int(math.Round(mean+math.Sqrt(mean)*random.NormFloat64())))
	}
	n, product, limit := 0, random.Float64(), math.Exp(-mean)
	for product > limit {
		n++
		product *= random.Float64()
	}
	return n
}
