package basket

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/basket/internal/basket"
)

func TestAddingTheSameProductInTheSameSizeRaisesItsQuantityByOne(t *testing.T) {
	t.Parallel()
	p := start(t).guest(t)
	p.add("tee/S")
	p.add("tee/M")
	require.Equal(t, "ADDED", p.add("tee/S"))
	p.shows("tee/S 2", "tee/M 1")
}

func TestNoMoreOfAProductIsAddedThanThereCanBe(t *testing.T) {
	t.Parallel()
	p := start(t).guest(t)
	p.add("socks")
	p.set("socks", basket.MaxQuantity-1)
	require.Equal(t, "ADDED", p.add("socks"))
	version := p.seen.GetVersion()
	require.Equal(t, "MOST", p.add("socks"))
	p.shows("socks 99")
	require.Equal(t, version, p.seen.GetVersion(), "nothing was changed")
}

func TestAPackOfCreditsIsBoughtOnce(t *testing.T) {
	t.Parallel()
	p := start(t).guest(t)
	require.Equal(t, "ADDED", p.add("credits-20"))
	version := p.seen.GetVersion()
	require.Equal(t, "ALREADY_THERE", p.add("credits-20"))
	require.Equal(t, "ADDED", p.add("credits-40"))
	p.shows("credits-20 1", "credits-40 1")
	require.Equal(t, version+1, p.seen.GetVersion())
	require.Equal(t, "QUANTITY_FIXED", p.set("credits-20", 2))
	require.Empty(t, p.set("credits-20", 1))
	require.Empty(t, p.set("credits-20", 0))
	p.shows("credits-40 1")
}

func TestAMembershipIsBoughtAloneAndTheOthersAreSavedForLater(t *testing.T) {
	t.Parallel()
	p := start(t).guest(t)
	p.add("tee/S")
	p.add("credits-20")
	require.Equal(t, "OTHERS_SAVED", p.add("core/month"))
	p.shows("(tee/S 1)", "(credits-20 1)", "core/month 1")
	require.Empty(t, p.undo())
	p.shows("tee/S 1", "credits-20 1")
}

func TestWhatIsAddedBesideAMembershipIsSavedForLater(t *testing.T) {
	t.Parallel()
	p := start(t).guest(t)
	require.Equal(t, "ADDED", p.add("generate/year"))
	require.Equal(t, "SAVED", p.add("tee/S"))
	require.Equal(t, "SAVED", p.add("tee/S"))
	require.Equal(t, "SAVED", p.add("credits-20"))
	version := p.seen.GetVersion()
	require.Equal(t, "ALREADY_THERE", p.add("credits-20"))
	require.Equal(t, "ALREADY_THERE", p.add("generate/year"))
	require.Equal(t, version, p.seen.GetVersion())
	p.shows("generate/year 1", "(tee/S 2)", "(credits-20 1)")
}

func TestASecondMembershipIsNotAddedUnlessItTakesThePlaceOfTheFirst(t *testing.T) {
	t.Parallel()
	p := start(t).guest(t)
	p.add("core/month")
	version := p.seen.GetVersion()
	for _, other := range []string{"premium/month", "core/year", "generate/month"} {
		require.Equal(t, "MEMBERSHIP_IN_BASKET", p.add(other))
		p.shows("core/month 1")
		require.Equal(t, version, p.seen.GetVersion())
	}
	require.Equal(t, "ADDED", p.replace("premium/month"))
	p.shows("premium/month 1")
	require.Empty(t, p.undo())
	p.shows("core/month 1")
	require.Equal(t, "ALREADY_THERE", p.replace("core/month"), "it has no place to take but its own")
}

func TestWhatWasSavedForLaterComesBackWhenItIsAdded(t *testing.T) {
	t.Parallel()
	p := start(t).guest(t)
	for _, of := range []string{"socks", "credits-20", "core/month"} {
		p.add(of)
	}
	p.save("core/month", true)
	require.Equal(t, "ADDED", p.add("credits-20"))
	require.Equal(t, "ADDED", p.add("socks"))
	p.shows("socks 2", "credits-20 1", "(core/month 1)")
	require.Equal(t, "OTHERS_SAVED", p.add("core/month"))
	p.shows("(socks 2)", "(credits-20 1)", "core/month 1")
}

func TestOnlyWhatIsSoldIsAdded(t *testing.T) {
	t.Parallel()
	h := start(t)
	p := h.guest(t)
	for of, reason := range map[string]string{
		"trial/month": "ITEM_NOT_SOLD", "bespoke/month": "ITEM_NOT_SOLD", "nothing": "ITEM_NOT_SOLD", "premium/year": "ITEM_NOT_SOLD",
		"core": "SIZE_REQUIRED", "tee": "SIZE_REQUIRED", "core/week": "SIZE_UNKNOWN", "tee/XXS": "SIZE_UNKNOWN", "tee/s": "SIZE_UNKNOWN",
		"socks/S": "SIZE_UNKNOWN", "credits-20/month": "SIZE_UNKNOWN", "tee/L": "ITEM_SOLD_OUT", "wrap": "ITEM_SOLD_OUT",
	} {
		require.Equal(t, reason, p.add(of), of)
	}
	p.look().shows()
	require.Zero(t, h.count(t, `SELECT count(*) FROM baskets`), "a refusal leaves no basket")
}

func TestWhatAnEditorHasTakenAwayIsNotAddedAnyMore(t *testing.T) {
	t.Parallel()
	h := start(t)
	p := h.guest(t)
	p.add("tee/S")
	h.shop.sellOut("tee", "S")
	h.later(time.Minute)
	require.Equal(t, "ITEM_SOLD_OUT", p.add("tee/S"))
	p.shows("tee/S 1")
	h.shop.drop("tee")
	h.later(time.Minute)
	require.Equal(t, "ITEM_NOT_SOLD", p.add("tee/S"))
	require.Empty(t, p.set("tee/S", 3), "what is there is its owner's")
	p.shows("tee/S 3")
}

func TestABasketGrowsToItsMostLinesByAdditions(t *testing.T) {
	t.Parallel()
	h := start(t)
	h.shop.change(func(s *contentv1.GetShopResponse) {
		for n := range basket.MaxLines {
			s.Items = append(s.Items, sizeless(fmt.Sprint("thing-", n), 100))
		}
	})
	p := h.guest(t)
	for n := range basket.MaxLines {
		require.Equal(t, "ADDED", p.add(fmt.Sprint("thing-", n)))
	}
	before := p.lines()
	require.Equal(t, "BASKET_FULL", p.add("socks"))
	require.Equal(t, "BASKET_FULL", p.add("core/month"))
	require.Equal(t, before, p.look().lines())
	require.Equal(t, "ADDED", p.add("thing-7"), "of what is there one more may come")
}

func TestARequestThatIsRepeatedAddsNothingMore(t *testing.T) {
	t.Parallel()
	h := start(t)
	p, id := h.guest(t), uuid.NewString()
	for range 3 {
		outcome, err := p.request(id, "socks", false)
		require.Equal(t, "ADDED", word(outcome, err))
		p.shows("socks 1")
		require.EqualValues(t, 1, p.seen.GetVersion())
	}
	h.shop.drop("tee", "socks", "wrap")
	h.later(time.Minute)
	outcome, err := p.request(id, "socks", false)
	require.Equal(t, "ADDED", word(outcome, err), "also when it is not sold any more")
	other := h.guest(t)
	outcome, err = other.request(id, "credits-20", false)
	require.Equal(t, "ADDED", word(outcome, err), "somebody else's request is another")
}

func TestARequestThatWasRefusedMayBeMadeAgain(t *testing.T) {
	t.Parallel()
	p, id := start(t).guest(t), uuid.NewString()
	p.add("core/month")
	outcome, err := p.request(id, "premium/month", false)
	require.Equal(t, "MEMBERSHIP_IN_BASKET", word(outcome, err))
	outcome, err = p.request(id, "premium/month", true)
	require.Equal(t, "ADDED", word(outcome, err), "the same press, after the question whether to replace")
	p.shows("premium/month 1")
}

func TestThePriceThatTheOwnerSawIsKeptUntilTheyChangeTheLine(t *testing.T) {
	t.Parallel()
	h := start(t)
	p := h.guest(t)
	p.add("socks")
	p.add("tee/S")
	require.Equal(t, map[string]int64{"socks": 900, "tee/S": 2800}, p.prices())
	require.Equal(t, "gbp", p.seen.GetLines()[0].GetShownCurrency())
	h.shop.price("tee", 3000)
	h.shop.price("socks", 1000)
	h.later(time.Minute)
	require.Equal(t, map[string]int64{"socks": 900, "tee/S": 2800}, p.look().prices(), "looking changes nothing")
	p.set("socks", 2)
	require.Equal(t, map[string]int64{"socks": 1000, "tee/S": 2800}, p.look().prices())
	p.save("tee/S", true)
	require.Equal(t, map[string]int64{"socks": 1000, "tee/S": 3000}, p.look().prices())
}

func TestWhatIsSoldIsAskedForOnceInHalfAMinute(t *testing.T) {
	t.Parallel()
	h := start(t)
	p := h.guest(t)
	for range 5 {
		p.add("socks")
	}
	require.EqualValues(t, 1, h.shop.asked.Load())
	h.later(31 * time.Second)
	p.add("socks")
	require.EqualValues(t, 2, h.shop.asked.Load())
}

func TestWhileContentIsAwayTheLastThatItSaidIsSold(t *testing.T) {
	t.Parallel()
	h := start(t)
	p := h.guest(t)
	p.add("socks")
	h.shop.away.Store(true)
	h.later(time.Hour)
	require.Equal(t, "ADDED", p.add("socks"))
	p.shows("socks 2")
}

func TestBeforeContentHasSaidAnythingNothingIsAddedAndTheRestWorks(t *testing.T) {
	t.Parallel()
	h := start(t)
	h.shop.away.Store(true)
	p := h.guest(t)
	require.Equal(t, "UNAVAILABLE", p.add("socks"))
	p.look().shows()
	id := h.insert(t, true, time.Now())
	require.NoError(t, put(t, h, id, "tee", "product", 2, time.Now()))
	p.guest = id.String()
	p.look().shows("tee/M 2")
	require.Empty(t, p.set("tee/M", 3))
	require.Empty(t, p.save("tee/M", true))
	require.Equal(t, "UNAVAILABLE", p.save("tee/M", false))
	require.Empty(t, p.set("tee/M", 0))
	require.Empty(t, p.undo())
	p.shows("(tee/M 3)")
}
