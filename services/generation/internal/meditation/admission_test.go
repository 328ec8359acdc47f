package meditation

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// studio is an admission with members who ask it, in any order.
type studio struct {
	admission
	running map[int]int
}

// ask asks for a member, as Create does.
func (s *studio) ask(member int, sound time.Duration, paid bool) (accepted bool) {
	running, _ := s.admit(sound)
	if running == 0 {
		return false
	}
	accepted = paid && s.running[member] < running
	s.release(sound, accepted)
	if accepted {
		s.running[member]++
		s.load.Pieces++
	}
	return accepted
}

// Whatever a few members ask for in whatever order, and whatever is asked without credits: others find a quarter of the
// studio's time, and what is accepted can be narrated within eight minutes.
func TestAFewMembersCannotFillTheStudio(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rate := time.Duration(rapid.IntRange(1, 100).Draw(t, "seconds of sound in a second")) * time.Second
		s := &studio{running: map[int]int{}}
		s.load = Load{Known: true, Rate: rate}
		size := rapid.SampledFrom([]time.Duration{3 * time.Minute, 10 * time.Minute})
		few := rapid.IntRange(1, 12).Draw(t, "members")
		var waiting, ofFirst time.Duration
		for range rapid.IntRange(1, 200).Draw(t, "requests") {
			member, sound, paid := rapid.IntRange(1, few).Draw(t, "member"), size.Draw(t, "size"), rapid.Bool().Draw(t, "paid")
			before := s.running[member]
			if s.ask(member, sound, paid) {
				waiting += sound
				if before == 0 {
					ofFirst += sound
				}
			}
			if rapid.Bool().Draw(t, "looked at") {
				s.look(Load{Known: true, Rate: rate, Sound: waiting})
				s.look(Load{Known: true, Rate: rate, Sound: waiting})
			}
		}
		if s.asking != 0 {
			t.Fatalf("%s stay reserved", s.asking)
		}
		if took := s.load.wait(waiting); took > time.Duration(forFirst) {
			t.Fatalf("%s are accepted", took)
		}
		if more := s.load.wait(waiting - ofFirst); more > time.Duration(forMore) {
			t.Fatalf("%s are accepted of those who have work already", more)
		}
		if took := s.load.wait(waiting + 3*time.Minute); took <= time.Duration(forFirst) && s.load.wait(waiting) <= time.Duration(forMore) && !s.ask(0, 3*time.Minute, true) {
			t.Fatalf("who has nothing at work finds no room beside %s", took)
		}
	})
}
