package basket

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	"serein.app/proto/gen/serein/basket/v1/basketv1connect"
	"serein.app/services/basket/internal/basket"
	handlers "serein.app/services/basket/internal/rpc"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/testkit"
)

// put writes a line as no call does; the database is what refuses.
func put(t *testing.T, h *harness, id uuid.UUID, product, kind string, quantity int, at time.Time) error {
	t.Helper()
	_, err := h.Pool.Exec(t.Context(), `INSERT INTO lines (id, basket_id, product_id, size, kind, quantity, added_at)
		VALUES (gen_random_uuid(), $1, $2, 'M', $3, $4, $5)`, id, product, kind, quantity, at)
	return err
}

func (h *harness) insert(t *testing.T, guest bool, changed time.Time) uuid.UUID {
	t.Helper()
	id := uuid.New()
	_, err := h.Pool.Exec(t.Context(), `INSERT INTO baskets (id, owner, guest, version, changed_at) VALUES ($1, $1, $2, 1, $3)`, id, guest, changed)
	require.NoError(t, err)
	return id
}

func TestWhoNeverChoseAnythingHasAnEmptyBasket(t *testing.T) {
	t.Parallel()
	h := start(t)
	for _, p := range []*tab{h.guest(t), h.member(t, uuid.NewString())} {
		p.look().shows()
		require.Empty(t, p.seen.GetId())
		require.Zero(t, p.seen.GetVersion())
		require.False(t, p.seen.GetCanUndo())
		require.Empty(t, p.clear(), "there is nothing to clear")
		require.Equal(t, "NOTHING_TO_UNDO", p.undo())
		require.Equal(t, "LINE_NOT_FOUND", p.set("tee/S", 1))
	}
	require.Zero(t, h.count(t, `SELECT count(*) FROM baskets`), "and looking makes none")
}

func TestLinesStandInTheOrderInWhichTheyWereAdded(t *testing.T) {
	t.Parallel()
	p := start(t).guest(t)
	for _, of := range []string{"tee/S", "socks", "credits-20", "tee/M", "tee/S"} {
		require.Equal(t, "ADDED", p.add(of))
	}
	p.shows("tee/S 2", "socks 1", "credits-20 1", "tee/M 1")
	require.EqualValues(t, 5, p.seen.GetVersion())
}

func TestTheDatabaseHoldsWhatABasketMayBe(t *testing.T) {
	t.Parallel()
	h := start(t)
	id := h.insert(t, false, time.Now())
	for quantity, fine := range map[int]bool{
		-1: false, basket.MinQuantity - 1: false, basket.MinQuantity: true, basket.MaxQuantity: true, basket.MaxQuantity + 1: false,
	} {
		require.Equal(t, fine, put(t, h, id, uuid.NewString(), "product", quantity, time.Now()) == nil, quantity)
	}
	require.NoError(t, put(t, h, id, "once", "product", 1, time.Now()))
	require.Error(t, put(t, h, id, "once", "product", 1, time.Now()), "one line a product and size")
	require.Error(t, put(t, h, id, "pack", "pack", 2, time.Now()), "a pack is bought once")
	require.Error(t, put(t, h, id, "pack", "credit_pack", 2, time.Now()), "a pack is bought once")
	require.NoError(t, put(t, h, id, "pack", "pack", 1, time.Now()), "as the release before writes it")
	require.Error(t, put(t, h, id, "voucher", "voucher", 1, time.Now()), "a kind that nobody sells")
	require.NoError(t, put(t, h, id, "core", "membership", 1, time.Now()))
	require.Error(t, put(t, h, id, "premium", "membership", 1, time.Now()), "one membership")
	_, err := h.Pool.Exec(t.Context(), `INSERT INTO baskets (id, owner) VALUES (gen_random_uuid(), $1)`, id)
	require.Error(t, err, "one basket an owner")
}

func TestABasketIsForTheGatewayAlone(t *testing.T) {
	t.Parallel()
	h := start(t)
	member := auth.WithMember(t.Context(), uuid.NewString())
	for _, as := range testkit.Services() {
		_, err := h.client(t, as).GetBasket(member, &basketv1.GetBasketRequest{})
		if as == "gateway" {
			require.NoError(t, err)
			continue
		}
		require.ErrorIs(t, err, auth.ErrForbidden, as)
	}
	gateway := h.client(t, "gateway")
	_, err := gateway.GetBasket(auth.WithSubject(t.Context(), auth.Subject{UID: uuid.NewString(), Actor: "reports"}), &basketv1.GetBasketRequest{})
	require.NoError(t, err, "who reads in a member's stead")
	_, err = gateway.GetBasket(t.Context(), &basketv1.GetBasketRequest{})
	require.ErrorIs(t, err, auth.ErrUnauthenticated, "a call for neither member nor guest")
	_, err = gateway.GetBasket(member, &basketv1.GetBasketRequest{GuestId: uuid.NewString()})
	require.Equal(t, errs.Invalid, errs.KindOf(err), "a call for both")
	for _, wrong := range []string{"1", "not-a-guest", uuid.NewString() + "0", "{" + uuid.NewString() + "}"} {
		_, err = gateway.GetBasket(t.Context(), &basketv1.GetBasketRequest{GuestId: wrong})
		require.Equal(t, errs.Invalid, errs.KindOf(err), wrong)
	}
}

func TestWhatIsAMembersAloneIsForNoGuest(t *testing.T) {
	t.Parallel()
	gateway, ctx := start(t).client(t, "gateway"), t.Context()
	_, err := gateway.Merge(ctx, &basketv1.MergeRequest{GuestId: uuid.NewString()})
	require.ErrorIs(t, err, auth.ErrUnauthenticated)
	_, err = gateway.CheckOut(ctx, &basketv1.CheckOutRequest{OrderId: uuid.NewString()})
	require.ErrorIs(t, err, auth.ErrUnauthenticated)
	_, err = gateway.ListPurchased(ctx, &basketv1.ListPurchasedRequest{})
	require.ErrorIs(t, err, auth.ErrUnauthenticated)
}

func TestAnActorReadsAndChangesNothing(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{basketv1connect.BasketServiceGetBasketProcedure, basketv1connect.BasketServiceListPurchasedProcedure},
		testkit.Delegated(handlers.Policy()))
}

func TestTheInternalListenerAnswersOperatorsAndEveryProcedure(t *testing.T) {
	t.Parallel()
	testkit.RequireInternal(t, start(t).url, handlers.Policy())
}

// A uid and a guest's id are drawn by different hands, and may be the same.
func TestAGuestWhoseIdIsAMembersUidSeesNothingOfTheirs(t *testing.T) {
	t.Parallel()
	h := start(t)
	p, guest := h.member(t, uuid.NewString()), h.guest(t)
	guest.guest = auth.Member(p.ctx)
	require.Equal(t, "ADDED", p.add("socks"))
	guest.look().shows()
	require.Equal(t, "ADDED", guest.add("tee/S"))
	guest.shows("tee/S 1")
	p.shows("socks 1")
}
