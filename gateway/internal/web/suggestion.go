package web

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// partOfDay is what suits some hours. Nobody is led unasked to Anger or Trauma.
type partOfDay struct {
	// categories of the library.
	categories []string
	// titles for a meditation of the member's own. Generation finds all of them ordinary, so each may be spoken.
	titles []string
}

var (
	morning = &partOfDay{
		[]string{"mindfulness", "focus-and-concentration", "gratitude"},
		[]string{"A calm start", "Waking up slowly", "A gentle start to the day", "Coffee by the window"},
	}
	midday = &partOfDay{
		[]string{"stress-relief", "mindfulness", "resilience"},
		[]string{"A pause at lunchtime", "Lunch away from the desk", "Fresh air at midday"},
	}
	afternoon = &partOfDay{
		[]string{"focus-and-concentration", "resilience", "compassion"},
		[]string{"A calm afternoon", "A cup of tea at four", "A breather between meetings"},
	}
	evening = &partOfDay{
		[]string{"loving-kindness", "gratitude", "relationships", "compassion"},
		[]string{"The walk home", "A soft end to the day", "Slowing down after supper"},
	}
	night = &partOfDay{
		[]string{"better-sleep", "anxiety-relief"},
		[]string{"Unwinding before bed", "Rain on the window at bedtime", "Lights out, slowly"},
	}
)

// partOf is the part of the day that an hour (0 to 23) belongs to.
func partOf(hour int32) *partOfDay {
	switch {
	case hour < 5:
		return night
	case hour < 12:
		return morning
	case hour < 14:
		return midday
	case hour < 18:
		return afternoon
	case hour < 22:
		return evening
	default:
		return night
	}
}

// suggestable is what may be suggested to a member at that hour, by what is open to them: categories where their plan has the library, titles
// where it has the generator or credits are left, since these outlive a plan. Nothing where billing does not tell (nil).
func suggestable(hour int32, account *billingv1.GetAccountResponse) (categories, titles []string) {
	part, open, left := partOf(hour), account.GetSubscription().GetEntitlements(), account.GetBalance()
	if slices.Contains(open, "library") {
		categories = part.categories
	}
	if slices.Contains(open, "generator") || left.GetPlanAvailable()+left.GetTopUpAvailable() > 0 {
		titles = part.titles
	}
	return categories, titles
}

// lot orders what may be suggested to one member in one hour: the same on every device and replica, whatever is added or left out.
type lot string

func lotOf(uid string, req *webv1.GetMemberHomeRequest) lot {
	return lot(fmt.Sprintf("%s/%s/%d", uid, req.GetLocalDate(), req.GetHour()))
}

func (l lot) place(id string) uint64 {
	sum := sha256.Sum256([]byte(string(l) + "/" + id))
	return binary.BigEndian.Uint64(sum[:])
}

// drawn orders ids as they were drawn.
func (l lot) drawn(ids []string) []string {
	return slices.SortedFunc(slices.Values(ids), func(a, b string) int {
		if l.place(a) < l.place(b) {
			return -1
		}
		return 1
	})
}

// firstNew is the first drawn of what can be played and the member has not saved; nil for none. The introductions have an order of their own.
func (l lot) firstNew(cards []*webv1.MeditationCard) *webv1.MeditationCard {
	var first *webv1.MeditationCard
	for _, c := range cards {
		if c.GetIntro() || !c.GetVerified() || c.GetAudioUrl() == "" || c.GetStanding().GetSaved() {
			continue
		}
		if first == nil || l.place(c.GetId()) < l.place(first.GetId()) {
			first = c
		}
	}
	return first
}
