package basket

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/outbox"
	"serein.app/services/testkit"
	"serein.app/services/testkit/natstest"
)

// teller publishes events of other services.
type teller struct {
	t *testing.T
	b *bus.Bus
}

func (h *harness) teller(t *testing.T) teller {
	t.Helper()
	b, err := bus.Connect(h.broker.URL, "test", testkit.Logger(t))
	require.NoError(t, err)
	t.Cleanup(b.Close)
	for _, service := range []string{"billing", "identity"} {
		require.Eventually(t, func() bool {
			_, err := b.EnsureStream(t.Context(), service)
			return err == nil
		}, testkit.Patience, 10*time.Millisecond)
	}
	return teller{t, b}
}

// tell publishes one event, as often as it comes.
func (o teller) tell(service, uid string, m proto.Message, times int) {
	o.t.Helper()
	row, err := outbox.New(nil, o.b, service, testkit.Logger(o.t), time.Now).Row(o.t.Context(), outbox.Event{Aggregate: uid, UID: uid, Message: m})
	require.NoError(o.t, err)
	for i := range times {
		// Another message id each time, so that only the inbox can know the event again.
		n, err := o.b.Publish(o.t.Context(), bus.StreamName(service), []bus.Message{{ID: fmt.Sprint(row.ID, "/", i), Subject: row.Subject, Data: row.Payload}})
		require.NoError(o.t, err)
		require.Equal(o.t, 1, n)
	}
}

// order of things, "tee/S 2" each two of one.
func order(uid string, lines ...*eventsv1.OrderLine) *eventsv1.OrderCompleted {
	return &eventsv1.OrderCompleted{Uid: uid, OrderId: uuid.NewString(), Number: "S-10001", Lines: lines, Currency: "gbp", CompletedAt: timestamppb.New(longAgo)}
}

func bought(of string, quantity int32, amount int64) *eventsv1.OrderLine {
	product, size := thing(of)
	return &eventsv1.OrderLine{ProductId: product, Size: size, Name: "The " + product, Quantity: quantity, UnitAmount: amount, Currency: "gbp"}
}

// heard waits until so many events were handled.
func (h *harness) heard(t *testing.T, n int) {
	t.Helper()
	require.Eventually(t, func() bool { return h.count(t, `SELECT count(*) FROM inbox`) == n }, testkit.Patience, 10*time.Millisecond)
}

func (p *tab) purchased(size int32) (items []*basketv1.PurchasedItem, pages int) {
	p.t.Helper()
	for token := ""; ; {
		res, err := p.client.ListPurchased(p.ctx, &basketv1.ListPurchasedRequest{PageSize: size, PageToken: token})
		require.NoError(p.t, err)
		items, pages = append(items, res.GetItems()...), pages+1
		if token = res.GetNextPageToken(); token == "" {
			return items, pages
		}
	}
}

func TestACompletedOrderTakesWhatItBoughtOutOfTheBasketOnce(t *testing.T) {
	t.Parallel()
	h := startOn(t, natstest.New(t))
	o, uid := h.teller(t), uuid.NewString()
	p := h.member(t, uid)
	for _, of := range []string{"socks", "tee/S", "tee/M", "credits-20"} {
		p.add(of)
	}
	p.set("socks", 2)
	done := order(uid, bought("socks", 2, 900), bought("tee/S", 1, 2800), bought("credits-20", 1, 599))
	p.add("socks") // after the order was made: three now
	version := p.seen.GetVersion()
	o.tell("billing", uid, done, 3)
	h.heard(t, 1)
	p.look().shows("socks 1", "tee/M 1")
	require.Equal(t, version+1, p.seen.GetVersion())
	require.False(t, p.seen.GetCanUndo(), "what is bought is bought")
	require.Equal(t, "NOTHING_TO_UNDO", p.undo())

	o.tell("billing", uid, done, 1) // told again by another event
	h.heard(t, 2)
	p.look().shows("socks 1", "tee/M 1")
	items, _ := p.purchased(0)
	require.Len(t, items, 3)
	require.True(t, proto.Equal(&basketv1.PurchasedItem{
		OrderId: done.GetOrderId(), ProductId: "tee", Name: "The tee", Size: "S", Quantity: 1, UnitAmount: 2800, Currency: "gbp",
		PurchasedAt: timestamppb.New(longAgo), Cause: "checkout",
	}, items[1]), "%v", items[1])
}

// A member who has ordered something and chooses it again while they pay wants another.
func TestACompletedOrderLeavesWhatWasAddedAfterItWasMade(t *testing.T) {
	t.Parallel()
	h := startOn(t, natstest.New(t))
	o, uid := h.teller(t), uuid.NewString()
	p := h.member(t, uid)
	p.add("socks")
	p.add("tee/S")
	before := order(uid, bought("socks", 1, 900))
	before.OrderedAt = timestamppb.New(time.Now().Add(-time.Hour))
	after := order(uid, bought("tee/S", 1, 2800))
	after.OrderedAt = timestamppb.New(time.Now().Add(time.Hour))
	o.tell("billing", uid, before, 1)
	o.tell("billing", uid, after, 1)
	h.heard(t, 2)
	p.look().shows("socks 1")
}

func TestAnOrderOfWhatIsNoLongerInTheBasketIsPurchasedAllTheSame(t *testing.T) {
	t.Parallel()
	h := startOn(t, natstest.New(t))
	o, uid, other := h.teller(t), uuid.NewString(), uuid.NewString()
	p, q := h.member(t, uid), h.member(t, other)
	p.add("core/month")
	p.add("socks")
	p.save("core/month", true)
	q.add("core/month")
	o.tell("billing", uid, order(uid, bought("core/month", 1, 799), bought("tee/S", 4, 2800)), 1)
	o.tell("billing", uid, order(uid), 1)
	h.heard(t, 2)
	p.look().shows("(socks 1)")
	items, _ := p.purchased(0)
	require.Len(t, items, 2)
	q.look().shows("core/month 1")
	items, _ = q.purchased(0)
	require.Empty(t, items, "another member")
}

// A renewal pays for what nobody put into a basket: another plan that lies there, or the same, stays.
func TestARenewalAndAChangeOfPlanArePurchasedAndTakeNothingOutOfTheBasket(t *testing.T) {
	t.Parallel()
	h := startOn(t, natstest.New(t))
	o, uid := h.teller(t), uuid.NewString()
	p := h.member(t, uid)
	p.add("core/month")
	version := p.seen.GetVersion()
	for n, cause := range []string{"renewal", "change", "checkout"} {
		done := order(uid, bought("core/month", 1, 799))
		done.Lines[0].Name, done.Cause, done.CompletedAt = "Core", cause, timestamppb.New(longAgo.AddDate(0, n, 0))
		o.tell("billing", uid, done, 2)
		h.heard(t, n+1)
		if cause == "checkout" {
			p.look().shows()
			continue
		}
		p.look().shows("core/month 1")
		require.Equal(t, version, p.seen.GetVersion(), "its owner has nothing to look at again")
	}
	items, _ := p.purchased(0)
	var causes []string
	for _, i := range items {
		require.Equal(t, "Core", i.GetName())
		causes = append(causes, i.GetCause())
	}
	require.Equal(t, []string{"checkout", "change", "renewal"}, causes)
}

func TestWhatWasBoughtIsPagedTheNewestFirst(t *testing.T) {
	t.Parallel()
	h := startOn(t, natstest.New(t))
	o, uid := h.teller(t), uuid.NewString()
	p := h.member(t, uid)
	for n := range 5 {
		done := order(uid, bought(fmt.Sprint("thing-", n), 1, 100), bought(fmt.Sprint("other-", n), 1, 100))
		done.CompletedAt = timestamppb.New(longAgo.Add(time.Duration(n/2) * time.Hour)) // some at one moment
		o.tell("billing", uid, done, 1)
	}
	h.heard(t, 5)
	all, pages := p.purchased(100)
	require.Len(t, all, 10)
	require.Equal(t, 1, pages)
	for i := 1; i < len(all); i++ {
		require.False(t, all[i].GetPurchasedAt().AsTime().After(all[i-1].GetPurchasedAt().AsTime()))
	}
	paged, pages := p.purchased(3)
	require.Equal(t, 4, pages)
	for i := range all {
		require.True(t, proto.Equal(all[i], paged[i]), i)
	}
	for _, wrong := range []string{"x", "!", "e30x"} {
		_, err := p.client.ListPurchased(p.ctx, &basketv1.ListPurchasedRequest{PageToken: wrong})
		require.Equal(t, "PAGE_TOKEN_INVALID", word(0, err), wrong)
	}
	_, err := p.client.ListPurchased(p.ctx, &basketv1.ListPurchasedRequest{PageSize: 101})
	require.Equal(t, "INVALID_ARGUMENT", word(0, err))
}

func TestADeletedAccountLeavesNothingAndLaterOrdersOfItAreNotKept(t *testing.T) {
	t.Parallel()
	h := startOn(t, natstest.New(t))
	o, uid, other := h.teller(t), uuid.NewString(), uuid.NewString()
	p, q := h.member(t, uid), h.member(t, other)
	p.add("socks")
	q.add("socks")
	o.tell("billing", uid, order(uid, bought("tee/S", 1, 2800)), 1)
	o.tell("billing", other, order(other, bought("tee/S", 1, 2800)), 1)
	h.heard(t, 2)
	o.tell("identity", uid, &eventsv1.UserDeleted{Uid: uid, DeletionId: uuid.NewString()}, 1)
	h.heard(t, 3)
	o.tell("billing", uid, order(uid, bought("socks", 1, 900)), 1)
	h.heard(t, 4)
	require.Zero(t, h.count(t, `SELECT count(*) FROM baskets WHERE owner = $1`, uid))
	require.Zero(t, h.count(t, `SELECT count(*) FROM purchased WHERE uid = $1`, uid))
	require.Equal(t, "UNAUTHENTICATED", p.add("socks"), "a page that is still open")
	p.look().shows()
	require.Zero(t, h.count(t, `SELECT count(*) FROM departed WHERE member = convert_to($1, 'UTF8')`, uid), "the uid itself is not kept")
	q.look().shows("socks 1")
	items, _ := q.purchased(0)
	require.Len(t, items, 1)
}

func TestACheckoutIsToldOnceAndOfTheBasketAsItIs(t *testing.T) {
	t.Parallel()
	h := start(t)
	p := h.member(t, uuid.NewString())
	require.Equal(t, "VERSION_MISMATCH", p.checkOut(uuid.NewString()), "there is no basket")
	p.add("socks")
	stale := p.another()
	p.add("tee/S")
	told := func() int {
		return h.count(t, `SELECT count(*) FROM outbox WHERE subject = 'serein.basket.basket.checked_out.v1'`)
	}
	require.Equal(t, "VERSION_MISMATCH", stale.checkOut(uuid.NewString()))
	require.Zero(t, told())
	id := uuid.NewString()
	require.Empty(t, p.checkOut(id))
	p.look().shows("socks 1", "tee/S 1")
	p.add("socks")
	require.Empty(t, stale.checkOut(id), "a repeat changes nothing")
	require.Equal(t, 1, told())
	require.Empty(t, p.checkOut(uuid.NewString()))
	require.Equal(t, 2, told())
}

func TestEveryChangeOfAMembersBasketIsToldAndNoneOfAGuests(t *testing.T) {
	t.Parallel()
	h := start(t)
	told := func() int {
		return h.count(t, `SELECT count(*) FROM outbox WHERE subject = 'serein.basket.basket.changed.v1'`)
	}
	g := h.guest(t)
	g.add("socks")
	g.clear()
	g.undo()
	require.Zero(t, told())
	p := h.member(t, uuid.NewString())
	p.merge(g.guest)
	p.add("tee/S")
	p.set("tee/S", 2)
	p.set("tee/S", 2)
	p.add("premium/year")
	p.save("tee/S", true)
	p.clear()
	p.undo()
	require.EqualValues(t, p.seen.GetVersion(), told())
	var payload []byte
	require.NoError(t, h.Pool.QueryRow(t.Context(), `SELECT payload FROM outbox ORDER BY seq DESC LIMIT 1`).Scan(&payload))
	envelope, changed := new(eventsv1.Envelope), new(eventsv1.BasketChanged)
	require.NoError(t, proto.Unmarshal(payload, envelope))
	require.NoError(t, envelope.GetPayload().UnmarshalTo(changed))
	require.Equal(t, auth.Member(p.ctx), envelope.GetUid())
	require.True(t, proto.Equal(&eventsv1.BasketChanged{Uid: auth.Member(p.ctx), BasketId: p.seen.GetId(), LineCount: 2}, changed), "%v", changed)
}
