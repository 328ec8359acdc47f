package basket

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	"serein.app/services/basket/internal/postgres/sqlcgen"
	"serein.app/services/platform/auth"
)

const (
	// benchMembers share the load, so that no row lock is hot.
	benchMembers = 2000
	// benchCallers is how many callers wait for an answer at once, for each processor.
	benchCallers = 16
)

// BenchmarkBasketWrites measures additions to the baskets of many members: through the RPC with real HTTP and signed callers,
// and as the same SQL run directly against the same server by as many callers, with lines and events of the same size. It
// reports additions a second, and the ratio. Run with -benchtime 5s.
func BenchmarkBasketWrites(b *testing.B) {
	h := start(b)
	members := make([]uuid.UUID, benchMembers)
	for i := range members {
		members[i] = uuid.Must(uuid.NewV7())
	}
	gateway := h.client(b, "gateway")
	add := func(i int64) error {
		ctx := auth.WithMember(b.Context(), members[i%benchMembers].String())
		_, err := gateway.AddItem(ctx, &basketv1.AddItemRequest{RequestId: uuid.NewString(), ProductId: "socks"})
		return err
	}
	for i := range members { // every basket is there, with its line
		require.NoError(b, add(int64(i)))
	}
	var raw float64
	b.Run("RawSQL", func(b *testing.B) {
		raw = measure(b, func(i int64) error { return h.addDirectly(b, members[i%benchMembers]) })
	})
	b.Run("AddItem", func(b *testing.B) { b.ReportMetric(measure(b, add)/raw, "ratio") })
}

// addDirectly is the limit: the statements of an addition, without what decides about it.
func (h *harness) addDirectly(b *testing.B, uid uuid.UUID) error {
	b.Helper()
	ctx, q := b.Context(), sqlcgen.New()
	return pgx.BeginFunc(ctx, h.Pool, func(tx pgx.Tx) error {
		if _, err := q.LockBasket(ctx, tx, sqlcgen.LockBasketParams{Owner: uid}); err != nil {
			return err
		}
		row, err := q.BasketOf(ctx, tx, sqlcgen.BasketOfParams{Owner: uid})
		if err != nil {
			return err
		}
		id := uuid.Must(uuid.NewV7())
		if _, err := q.Requested(ctx, tx, sqlcgen.RequestedParams{BasketID: row.ID, ID: id}); !errors.Is(err, pgx.ErrNoRows) {
			return fmt.Errorf("requested: %w", err)
		}
		if err := q.WriteBasket(ctx, tx, sqlcgen.WriteBasketParams{
			ID: row.ID, Gone: []uuid.UUID{}, Changed: row.Lines, Before: row.Lines, Version: row.Version + 1, At: time.Now(), Request: &id, Outcome: 1,
		}); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO outbox (id, subject, payload) VALUES ($1, 'serein.basket.basket.changed.v1', $2)`, id, make([]byte, 330))
		return err
	})
}

func measure(b *testing.B, write func(i int64) error) float64 {
	b.Helper()
	var n atomic.Int64
	b.SetParallelism(benchCallers)
	b.ResetTimer()
	began := time.Now()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := write(n.Add(1)); err != nil {
				b.Error(err)
				return
			}
		}
	})
	rate := float64(n.Load()) / time.Since(began).Seconds()
	b.ReportMetric(rate, "ops/s")
	require.NoError(b, b.Context().Err())
	return rate
}
