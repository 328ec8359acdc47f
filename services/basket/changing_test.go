package basket

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	"serein.app/services/platform/errs"
)

func TestAQuantityIsSetAndNoughtRemovesTheLine(t *testing.T) {
	t.Parallel()
	p := start(t).guest(t)
	p.add("socks")
	p.add("tee/S")
	require.Empty(t, p.set("socks", 99))
	p.shows("socks 99", "tee/S 1")
	version := p.seen.GetVersion()
	require.Empty(t, p.set("socks", 99))
	require.Equal(t, version, p.seen.GetVersion(), "what is so already is no change")
	require.Empty(t, p.set("socks", 0))
	p.shows("tee/S 1")
	require.Equal(t, "LINE_NOT_FOUND", p.set("socks", 1))
	for _, wrong := range []int32{-1, 100, 1 << 30} {
		require.Equal(t, "INVALID_ARGUMENT", p.set("tee/S", wrong), wrong)
	}
	p.look().shows("tee/S 1")
}

func TestAMembershipIsBoughtOnce(t *testing.T) {
	t.Parallel()
	p := start(t).guest(t)
	p.add("core/year")
	require.Equal(t, "QUANTITY_FIXED", p.set("core/year", 2))
	require.Empty(t, p.set("core/year", 0))
	p.shows()
}

func TestAChangeOfAnotherVersionChangesNothing(t *testing.T) {
	t.Parallel()
	p := start(t).guest(t)
	p.add("socks")
	stale := p.another()
	p.add("tee/S")
	for name, act := range map[string]func() string{
		"a quantity": func() string { return stale.set("socks", 7) }, "a removal": func() string { return stale.set("socks", 0) },
		"a saving": func() string { return stale.save("socks", true) }, "a clearing": stale.clear, "an undoing": stale.undo,
	} {
		require.Equal(t, "VERSION_MISMATCH", act(), name)
		p.shows("socks 1", "tee/S 1")
		require.EqualValues(t, 2, p.seen.GetVersion(), name)
		require.True(t, p.seen.GetCanUndo(), name)
	}
	ahead := p.another()
	ahead.seen = &basketv1.Basket{Version: 3, Lines: p.seen.GetLines()}
	require.Equal(t, "VERSION_MISMATCH", ahead.set("socks", 7), "nor one that was never there")
	require.Equal(t, "ADDED", stale.add("socks"), "an addition is about whatever there is")
	stale.shows("socks 2", "tee/S 1")
}

func TestAnothersLineIsNobodyElses(t *testing.T) {
	t.Parallel()
	h := start(t)
	owner := h.member(t, uuid.NewString())
	owner.add("socks")
	for _, thief := range []*tab{h.member(t, uuid.NewString()), h.guest(t)} {
		thief.add("tee/S") // so that both versions are the same
		require.Equal(t, owner.seen.GetVersion(), thief.seen.GetVersion())
		own := thief.seen
		thief.seen = owner.seen
		require.Equal(t, "LINE_NOT_FOUND", thief.set("socks", 0))
		require.Equal(t, "LINE_NOT_FOUND", thief.save("socks", true))
		require.Equal(t, "LINE_NOT_FOUND", thief.save("socks", false))
		thief.seen = own
		thief.shows("tee/S 1")
	}
	owner.shows("socks 1")
	stranger := h.guest(t)
	stranger.seen = &basketv1.Basket{Lines: owner.seen.GetLines()}
	require.Equal(t, "LINE_NOT_FOUND", stranger.set("socks", 0), "of one who has no basket")
}

func TestALineIsSavedForLaterAndComesBack(t *testing.T) {
	t.Parallel()
	h := start(t)
	p := h.guest(t)
	p.add("socks")
	p.set("socks", 3)
	require.Empty(t, p.save("socks", true))
	p.shows("(socks 3)")
	require.WithinDuration(t, h.now(), p.seen.GetLines()[0].GetSavedAt().AsTime(), time.Minute)
	version := p.seen.GetVersion()
	require.Empty(t, p.save("socks", true))
	require.Equal(t, version, p.seen.GetVersion())
	require.Empty(t, p.set("socks", 4), "also what is saved has a quantity")
	require.Empty(t, p.save("socks", false))
	p.shows("socks 4")
	require.Empty(t, p.save("socks", false))
	require.Equal(t, version+2, p.seen.GetVersion())
}

func TestWhatComesBackFollowsTheRulesOfWhatIsAdded(t *testing.T) {
	t.Parallel()
	h := start(t)
	p := h.guest(t)
	for _, of := range []string{"socks", "credits-20", "core/month"} {
		p.add(of)
	}
	require.Equal(t, "MEMBERSHIP_ALONE", p.save("socks", false))
	require.Equal(t, "MEMBERSHIP_ALONE", p.save("credits-20", false))
	require.Empty(t, p.save("core/month", true))
	p.add("premium/month")
	require.Equal(t, "MEMBERSHIP_IN_BASKET", p.save("core/month", false))
	p.shows("(socks 1)", "(credits-20 1)", "(core/month 1)", "premium/month 1")
	require.Empty(t, p.set("premium/month", 0))
	require.Empty(t, p.save("socks", false))
	require.Equal(t, "OTHERS_SAVED", p.save("core/month", false))
	p.shows("(socks 1)", "(credits-20 1)", "core/month 1")
	require.Empty(t, p.undo())
	p.shows("socks 1", "(credits-20 1)", "(core/month 1)")
}

func TestWhatIsSoldOutOrNotSoldDoesNotComeBack(t *testing.T) {
	t.Parallel()
	h := start(t)
	p := h.guest(t)
	p.add("tee/S")
	p.save("tee/S", true)
	h.shop.sellOut("tee", "S")
	h.later(time.Minute)
	require.Equal(t, "ITEM_SOLD_OUT", p.save("tee/S", false))
	h.shop.drop("tee", "socks", "wrap")
	h.later(time.Minute)
	require.Equal(t, "ITEM_NOT_SOLD", p.save("tee/S", false))
	p.shows("(tee/S 1)")
}

func TestWhatIsNotSoldAnyMoreKeepsItsRules(t *testing.T) {
	t.Parallel()
	h := start(t)
	p := h.guest(t)
	p.add("core/month")
	h.shop.drop("core")
	h.later(time.Minute)
	require.Equal(t, "QUANTITY_FIXED", p.set("core/month", 2))
	require.Equal(t, "MEMBERSHIP_IN_BASKET", p.add("premium/month"))
	require.Equal(t, "SAVED", p.add("socks"))
}

func TestClearingLeavesWhatIsSavedForLater(t *testing.T) {
	t.Parallel()
	p := start(t).guest(t)
	for _, of := range []string{"socks", "tee/S", "credits-20"} {
		p.add(of)
	}
	p.save("tee/S", true)
	require.Empty(t, p.clear())
	p.shows("(tee/S 1)")
	version := p.seen.GetVersion()
	require.Empty(t, p.clear())
	require.Equal(t, version, p.seen.GetVersion())
	require.True(t, p.seen.GetCanUndo(), "clearing what is clear is no change, and the first can still be taken back")
	require.Empty(t, p.undo())
	p.shows("socks 1", "(tee/S 1)", "credits-20 1")
}

func TestUndoTakesTheLastChangeBackWhicheverItWas(t *testing.T) {
	t.Parallel()
	for name, act := range map[string]func(*tab) string{
		"an addition": func(p *tab) string { return p.add("tee/M") }, "one more": func(p *tab) string { return p.add("socks") },
		"a quantity": func(p *tab) string { return p.set("socks", 9) }, "a removal": func(p *tab) string { return p.set("socks", 0) },
		"a saving": func(p *tab) string { return p.save("socks", true) }, "a return": func(p *tab) string { return p.save("tee/S", false) },
		"a clearing": (*tab).clear, "a membership": func(p *tab) string { return p.add("core/month") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := start(t).guest(t)
			p.add("socks")
			p.set("socks", 2)
			p.add("tee/S")
			p.save("tee/S", true)
			before, version := p.seen, p.seen.GetVersion()
			act(p)
			require.Equal(t, version+1, p.seen.GetVersion())
			require.Empty(t, p.undo())
			p.shows("socks 2", "(tee/S 1)")
			require.Equal(t, version+2, p.seen.GetVersion(), "taking back is a change too")
			require.Equal(t, before.GetLines()[0].GetId(), p.seen.GetLines()[0].GetId(), "the same lines")
			require.False(t, p.seen.GetCanUndo())
			require.Equal(t, "NOTHING_TO_UNDO", p.undo(), "there is one step back")
			p.shows("socks 2", "(tee/S 1)")
		})
	}
}

func TestUndoAfterAnotherChangeIsRefusedAndTakesNothingBack(t *testing.T) {
	t.Parallel()
	p := start(t).guest(t)
	p.add("socks")
	p.clear()
	slow := p.another()
	p.add("tee/S")
	require.Equal(t, "VERSION_MISMATCH", slow.undo())
	p.shows("tee/S 1")
}

func TestAnInvalidRequestIsRefusedWithItsField(t *testing.T) {
	t.Parallel()
	p := start(t).guest(t)
	for field, req := range map[string]*basketv1.AddItemRequest{
		"request_id": {GuestId: p.guest, RequestId: "1", ProductId: "socks"},
		"product_id": {GuestId: p.guest, RequestId: uuid.NewString()},
		"guest_id":   {GuestId: "x", RequestId: uuid.NewString(), ProductId: "socks"},
	} {
		_, err := p.client.AddItem(p.ctx, req)
		require.Equal(t, field, errs.From(err).Field)
	}
	_, err := p.client.SetQuantity(p.ctx, &basketv1.SetQuantityRequest{GuestId: p.guest, LineId: "1"})
	require.Equal(t, "line_id", errs.From(err).Field)
}
