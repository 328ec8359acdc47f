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

// two gives a member and a guest who have chosen these things.
func two(t *testing.T, h *harness, member, guest []string) (*tab, *tab) {
	t.Helper()
	m, g := h.member(t, uuid.NewString()), h.guest(t)
	for _, of := range member {
		require.NotContains(t, []string{"ITEM_NOT_SOLD", "ITEM_SOLD_OUT"}, m.add(of))
	}
	for _, of := range guest {
		g.add(of)
	}
	return m, g
}

func TestAGuestsBasketComesToTheMemberByProductAndSize(t *testing.T) {
	t.Parallel()
	h := start(t)
	m, g := two(t, h, []string{"socks", "tee/S", "credits-20"}, []string{"tee/M", "tee/S", "credits-20", "tee/S"})
	require.Equal(t, "true", m.merge(g.guest))
	m.shows("socks 1", "tee/S 3", "credits-20 1", "tee/M 1")
	require.EqualValues(t, 4, m.seen.GetVersion())
	g.look().shows()
	require.Empty(t, g.seen.GetId(), "the guest's is ended")
}

func TestAMemberWithoutABasketGetsTheGuests(t *testing.T) {
	t.Parallel()
	m, g := two(t, start(t), nil, []string{"tee/M", "core/month"})
	require.Equal(t, "true", m.merge(g.guest))
	m.shows("(tee/M 1)", "core/month 1")
}

func TestAGuestsBasketIsMergedOnce(t *testing.T) {
	t.Parallel()
	h := start(t)
	m, g := two(t, h, []string{"socks"}, []string{"socks"})
	require.Equal(t, "true", m.merge(g.guest))
	version := m.seen.GetVersion()
	for range 3 {
		require.Equal(t, "false", m.merge(g.guest))
		m.shows("socks 2")
		require.Equal(t, version, m.seen.GetVersion())
	}
	require.Equal(t, "false", h.member(t, uuid.NewString()).merge(g.guest), "nor into another's")
}

func TestNothingComesOfAGuestWhoChoseNothing(t *testing.T) {
	t.Parallel()
	h := start(t)
	m := h.member(t, uuid.NewString())
	require.Equal(t, "false", m.merge(uuid.NewString()))
	m.shows()
	require.Zero(t, h.count(t, `SELECT count(*) FROM baskets`))
	m, g := two(t, h, []string{"socks"}, []string{"tee/S"})
	g.clear()
	require.Equal(t, "false", m.merge(g.guest))
	m.shows("socks 1")
	require.EqualValues(t, 1, m.seen.GetVersion())
	require.Equal(t, 1, h.count(t, `SELECT count(*) FROM baskets`), "the empty one is ended too")
}

func TestNoMoreOfAProductComesOfAMergeThanThereCanBe(t *testing.T) {
	t.Parallel()
	m, g := two(t, start(t), []string{"socks"}, []string{"socks"})
	m.set("socks", 60)
	g.set("socks", 60)
	require.Equal(t, "true", m.merge(g.guest))
	m.shows("socks 99")
}

func TestTheMembersMembershipComesBeforeTheGuests(t *testing.T) {
	t.Parallel()
	m, g := two(t, start(t), []string{"core/month"}, []string{"premium/month"})
	require.Equal(t, "true", m.merge(g.guest))
	m.shows("core/month 1", "(premium/month 1)")
	m, g = two(t, start(t), []string{"core/month"}, []string{"core/month"})
	require.Equal(t, "true", m.merge(g.guest))
	m.shows("core/month 1")
}

func TestAMembershipFromEitherSavesTheOthersForLater(t *testing.T) {
	t.Parallel()
	m, g := two(t, start(t), []string{"core/month"}, []string{"socks", "credits-20"})
	require.Equal(t, "true", m.merge(g.guest))
	m.shows("core/month 1", "(socks 1)", "(credits-20 1)")
	m, g = two(t, start(t), []string{"socks", "credits-20"}, []string{"core/month"})
	require.Equal(t, "true", m.merge(g.guest))
	m.shows("(socks 1)", "(credits-20 1)", "core/month 1")
}

func TestWhatEitherWantsNowIsWantedNow(t *testing.T) {
	t.Parallel()
	m, g := two(t, start(t), []string{"socks", "tee/S", "tee/M"}, []string{"socks", "tee/S", "tee/M"})
	m.save("socks", true)
	g.save("tee/S", true)
	m.save("tee/M", true)
	g.save("tee/M", true)
	require.Equal(t, "true", m.merge(g.guest))
	m.shows("socks 2", "tee/S 2", "(tee/M 2)")
}

func TestAMergeIsNotTakenBack(t *testing.T) {
	t.Parallel()
	m, g := two(t, start(t), []string{"socks"}, []string{"tee/S"})
	require.Equal(t, "true", m.merge(g.guest))
	require.False(t, m.seen.GetCanUndo())
	require.Equal(t, "NOTHING_TO_UNDO", m.undo(), "the guest's things would be lost")
	m.shows("socks 1", "tee/S 1")
}

func TestAMergeLosesNoLineHoweverFullBothAre(t *testing.T) {
	t.Parallel()
	h := start(t)
	h.shop.change(func(s *contentv1.GetShopResponse) {
		for n := range 3 * basket.MaxLines {
			s.Items = append(s.Items, sizeless(fmt.Sprint("thing-", n), 100))
		}
	})
	full := func(from int) *tab {
		g := h.guest(t)
		for n := range basket.MaxLines {
			g.add(fmt.Sprint("thing-", from+n))
		}
		return g
	}
	m := h.member(t, uuid.NewString())
	first, second := full(0), full(basket.MaxLines)
	require.Equal(t, "true", m.merge(first.guest))
	require.Equal(t, "true", m.merge(second.guest))
	require.Len(t, m.look().seen.GetLines(), basket.MaxMerged)
	require.Equal(t, "BASKET_FULL", m.add("socks"))
	third := h.guest(t)
	third.add("socks")
	require.Equal(t, "BASKET_FULL", m.merge(third.guest))
	third.look().shows("socks 1")
	m.set("thing-0", 0)
	require.Equal(t, "true", m.merge(third.guest), "once there is room")
	require.Equal(t, "socks 1", m.lines()[basket.MaxMerged-1])
}

func TestARequestOfTheGuestsIsKnownToTheMember(t *testing.T) {
	t.Parallel()
	m, g := two(t, start(t), nil, nil)
	id := uuid.NewString()
	_, err := g.request(id, "socks", false)
	require.NoError(t, err)
	require.Equal(t, "true", m.merge(g.guest))
	outcome, err := m.request(id, "socks", false)
	require.Equal(t, "ADDED", word(outcome, err))
	m.shows("socks 1")
}

func TestThePriceThatWasSeenLastIsTheGuests(t *testing.T) {
	t.Parallel()
	h := start(t)
	m := h.member(t, uuid.NewString())
	m.add("socks")
	h.shop.price("socks", 1000)
	h.later(time.Minute)
	g := h.guest(t)
	g.add("socks")
	require.Equal(t, "true", m.merge(g.guest))
	require.Equal(t, map[string]int64{"socks": 1000}, m.prices())
}
