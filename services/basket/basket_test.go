package basket

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	"serein.app/proto/gen/serein/basket/v1/basketv1connect"
	"serein.app/services/basket/internal/basket"
	"serein.app/services/basket/internal/rpc"
	"serein.app/services/platform/auth"
	"serein.app/services/testkit"
)

func get(ctx context.Context, t *testing.T, h *harness, uid string) *basketv1.Basket {
	t.Helper()
	res, err := h.client(t, "gateway").GetBasket(auth.WithMember(ctx, uid), &basketv1.GetBasketRequest{})
	require.NoError(t, err)
	return res.GetBasket()
}

// put writes a line as later calls will; the database is what refuses.
func put(t *testing.T, h *harness, id uuid.UUID, product string, quantity int, at time.Time) error {
	t.Helper()
	_, err := h.db.Exec(t.Context(), `INSERT INTO lines (id, basket_id, product_id, size, quantity, added_at)
		VALUES (gen_random_uuid(), $1, $2, 'M', $3, $4)`, id, product, quantity, at)
	return err
}

func TestAMemberWhoNeverBoughtHasAnEmptyBasket(t *testing.T) {
	t.Parallel()
	found := get(t.Context(), t, start(t), uuid.NewString())
	require.NotNil(t, found)
	require.Empty(t, found.GetId())
	require.Empty(t, found.GetLines())
}

func TestAMemberReadsTheirOwnLinesInOrderAndNobodyElses(t *testing.T) {
	t.Parallel()
	h := start(t)
	uid, id := uuid.NewString(), uuid.New()
	_, err := h.db.Exec(t.Context(), `INSERT INTO baskets (id, uid) VALUES ($1, $2)`, id, uid)
	require.NoError(t, err)
	began := time.Date(2027, 3, 1, 9, 0, 0, 0, time.UTC)
	require.NoError(t, put(t, h, id, "later", basket.MaxQuantity, began.Add(time.Hour)))
	require.NoError(t, put(t, h, id, "first", basket.MinQuantity, began))

	found := get(t.Context(), t, h, uid)
	require.Equal(t, id.String(), found.GetId())
	require.Len(t, found.GetLines(), 2)
	first := found.GetLines()[0]
	require.Equal(t, []any{"first", "M", int32(basket.MinQuantity), began, false},
		[]any{first.GetProductId(), first.GetSize(), first.GetQuantity(), first.GetAddedAt().AsTime(), first.GetSavedForLater()})
	require.Equal(t, "later", found.GetLines()[1].GetProductId())
	require.Empty(t, get(t.Context(), t, h, uuid.NewString()).GetLines(), "another member")
}

func TestALineSavedForLaterSaysSo(t *testing.T) {
	t.Parallel()
	h := start(t)
	uid, id := uuid.NewString(), uuid.New()
	_, err := h.db.Exec(t.Context(), `INSERT INTO baskets (id, uid) VALUES ($1, $2)`, id, uid)
	require.NoError(t, err)
	require.NoError(t, put(t, h, id, "now", 1, time.Now()))
	require.NoError(t, put(t, h, id, "later", 1, time.Now().Add(time.Second)))
	_, err = h.db.Exec(t.Context(), `UPDATE lines SET saved_for_later = true WHERE product_id = 'later'`)
	require.NoError(t, err)
	lines := get(t.Context(), t, h, uid).GetLines()
	require.Len(t, lines, 2)
	require.False(t, lines[0].GetSavedForLater())
	require.True(t, lines[1].GetSavedForLater())
}

func TestABasketIsReadUpToItsMostLinesTheOldestFirst(t *testing.T) {
	t.Parallel()
	h := start(t)
	uid, id := uuid.NewString(), uuid.New()
	_, err := h.db.Exec(t.Context(), `INSERT INTO baskets (id, uid) VALUES ($1, $2)`, id, uid)
	require.NoError(t, err)
	var want, got []string
	for n := range basket.MaxLines + 1 { // the newest is written first
		product := fmt.Sprint("product ", n)
		require.NoError(t, put(t, h, id, product, 1, time.Now().Add(-time.Duration(n)*time.Minute)))
		want = append([]string{product}, want...)
	}
	for _, line := range get(t.Context(), t, h, uid).GetLines() {
		got = append(got, line.GetProductId())
	}
	require.Equal(t, want[:basket.MaxLines], got)
}

func TestALineHasOneToNinetyNinePieces(t *testing.T) {
	t.Parallel()
	h := start(t)
	id := uuid.New()
	_, err := h.db.Exec(t.Context(), `INSERT INTO baskets (id, uid) VALUES ($1, $2)`, id, uuid.NewString())
	require.NoError(t, err)
	for quantity, fine := range map[int]bool{
		-1: false, basket.MinQuantity - 1: false, basket.MinQuantity: true, basket.MaxQuantity: true, basket.MaxQuantity + 1: false,
	} {
		require.Equal(t, fine, put(t, h, id, fmt.Sprint("product ", quantity), quantity, time.Now()) == nil, quantity)
	}
	require.Error(t, put(t, h, id, fmt.Sprint("product ", basket.MaxQuantity), 1, time.Now()), "one line a product and size")
}

func TestABasketIsReadThroughTheGatewayAndForAMemberAlone(t *testing.T) {
	t.Parallel()
	h := start(t)
	for _, as := range testkit.Services(t) {
		_, err := h.client(t, as).GetBasket(auth.WithMember(t.Context(), uuid.NewString()), &basketv1.GetBasketRequest{})
		if as == "gateway" {
			require.NoError(t, err)
			continue
		}
		require.ErrorIs(t, err, auth.ErrForbidden, as)
	}
	_, err := h.client(t, "gateway").GetBasket(auth.WithSubject(t.Context(), auth.Subject{UID: uuid.NewString(), Actor: "reports"}), &basketv1.GetBasketRequest{})
	require.NoError(t, err, "who reads in a member's stead")
	_, err = h.client(t, "gateway").GetBasket(t.Context(), &basketv1.GetBasketRequest{})
	require.ErrorIs(t, err, auth.ErrUnauthenticated, "a call for no member")
}

func TestAnActorReadsAndChangesNothing(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{basketv1connect.BasketServiceGetBasketProcedure}, testkit.Delegated(rpc.Policy()))
}

func TestTheInternalListenerAnswersOperatorsAndEveryProcedure(t *testing.T) {
	t.Parallel()
	testkit.RequireInternal(t, start(t).url, rpc.Policy())
}
