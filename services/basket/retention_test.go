package basket

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	store "serein.app/services/basket/internal/postgres"
	"serein.app/services/testkit"
)

func TestALineGoesWhenItHasLainInABasketForAYear(t *testing.T) {
	t.Parallel()
	h := start(t)
	id, now := uuid.New(), time.Date(2027, 3, 1, 9, 0, 0, 0, time.UTC)
	_, err := h.db.Exec(t.Context(), `INSERT INTO baskets (id, uid) VALUES ($1, $1)`, id)
	require.NoError(t, err)
	require.NoError(t, put(t, h, id, "old", 1, now.AddDate(-1, 0, 0)))
	require.NoError(t, put(t, h, id, "young", 1, now.AddDate(-1, 0, 1)))
	require.Equal(t, 1, testkit.Retain(t, h.db, store.Retention(), now))
	var left string
	require.NoError(t, h.db.QueryRow(t.Context(), "SELECT product_id FROM lines").Scan(&left))
	require.Equal(t, "young", left)
}
