package web

import (
	"fmt"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// account is what billing says of a member with so many credits, whose plan opens so much.
func account(credits int64, open ...string) *billingv1.GetAccountResponse {
	return &billingv1.GetAccountResponse{
		Subscription: &billingv1.Subscription{Entitlements: open}, Balance: &billingv1.Balance{TopUpAvailable: credits},
	}
}

func TestEveryHourSuggestsWhatThePlanOpens(t *testing.T) {
	t.Parallel()
	kinds := map[string]struct {
		account       *billingv1.GetAccountResponse
		library, make bool
	}{
		"trial":               {account(0, "generator", "library", "articles", "journey"), true, true},
		"member":              {account(0, "generator", "library", "articles", "journey", "top_up"), true, true},
		"generate":            {account(0, "generator", "journey", "top_up"), false, true},
		"ended":               {account(0), false, false},
		"ended, with credits": {account(2), false, true},
		"billing is away":     {nil, false, false},
	}
	for hour := range int32(24) {
		for kind, of := range kinds {
			categories, titles := suggestable(hour, of.account)
			require.Equal(t, of.library, len(categories) > 0, "%s at %d", kind, hour)
			require.Equal(t, of.make, len(titles) > 0, "%s at %d", kind, hour)
			for _, title := range titles {
				require.LessOrEqual(t, utf8.RuneCountInString(title), 80)
			}
			require.NotContains(t, categories, "trauma")
			require.NotContains(t, categories, "anger")
		}
	}
}

func TestThePartsOfADay(t *testing.T) {
	t.Parallel()
	want := slices.Concat(
		slices.Repeat([]*partOfDay{night}, 5), slices.Repeat([]*partOfDay{morning}, 7), slices.Repeat([]*partOfDay{midday}, 2),
		slices.Repeat([]*partOfDay{afternoon}, 4), slices.Repeat([]*partOfDay{evening}, 4), slices.Repeat([]*partOfDay{night}, 2),
	)
	for hour := range int32(24) {
		require.Same(t, want[hour], partOf(hour), "at %d", hour)
	}
}

func recording(id string) *webv1.MeditationCard {
	return &webv1.MeditationCard{Id: id, Verified: true, AudioUrl: "/media/" + id, Standing: &webv1.Standing{}}
}

func TestOneHourHasOneSuggestionWhateverElseChanges(t *testing.T) {
	t.Parallel()
	var cards []*webv1.MeditationCard
	for i := range 30 {
		cards = append(cards, recording(fmt.Sprint("m", i)))
	}
	hour := lotOf("amara", &webv1.GetMemberHomeRequest{LocalDate: "2026-11-30", Hour: 7})
	first := hour.firstNew(cards)
	slices.Reverse(cards)
	require.Equal(t, first, hour.firstNew(cards), "in whichever order")
	rest := slices.DeleteFunc(slices.Clone(cards), func(c *webv1.MeditationCard) bool { return c != first && c.GetId() > "m2" })
	require.Equal(t, first, hour.firstNew(rest), "whatever is taken back")
	first.Standing.Saved = true
	require.NotEqual(t, first, hour.firstNew(cards), "what is saved is theirs already")

	seen := map[string]bool{}
	for at := range int32(24) {
		seen[lotOf("amara", &webv1.GetMemberHomeRequest{LocalDate: "2026-11-30", Hour: at}).firstNew(cards).GetId()] = true
	}
	require.Greater(t, len(seen), 8, "another hour, another one")
}

func TestOnlyWhatCanBePlayedAndIsNewIsSuggested(t *testing.T) {
	t.Parallel()
	of := func(change func(*webv1.MeditationCard)) *webv1.MeditationCard {
		c := recording("x")
		change(c)
		return c
	}
	require.Nil(t, lot("").firstNew([]*webv1.MeditationCard{
		of(func(c *webv1.MeditationCard) { c.Intro = true }), of(func(c *webv1.MeditationCard) { c.Verified = false }),
		of(func(c *webv1.MeditationCard) { c.AudioUrl = "" }), of(func(c *webv1.MeditationCard) { c.Standing.Saved = true }),
	}))
}
