package basket

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	store "serein.app/services/basket/internal/postgres"
	"serein.app/services/testkit"
)

var longAgo = time.Date(2027, 3, 1, 9, 0, 0, 0, time.UTC)

func TestALineGoesWhenItHasLainInABasketForAYear(t *testing.T) {
	t.Parallel()
	h := start(t)
	id := h.insert(t, false, longAgo)
	require.NoError(t, put(t, h, id, "old", "product", 1, longAgo.AddDate(-1, 0, 0)))
	require.NoError(t, put(t, h, id, "young", "product", 1, longAgo.AddDate(-1, 0, 1)))
	require.Equal(t, 1, testkit.Retain(t, h.Pool, store.Retention(), longAgo))
	var left string
	require.NoError(t, h.Pool.QueryRow(t.Context(), "SELECT product_id FROM lines").Scan(&left))
	require.Equal(t, "young", left)
}

func TestAGuestsBasketGoesAMonthAfterItsLastChangeAndAMembersStays(t *testing.T) {
	t.Parallel()
	h := start(t)
	gone, back := h.insert(t, true, longAgo.AddDate(0, 0, -30)), h.insert(t, true, longAgo.AddDate(0, 0, -29))
	member := h.insert(t, false, longAgo.AddDate(0, 0, -300))
	for _, id := range []uuid.UUID{gone, back, member} {
		require.NoError(t, put(t, h, id, "tee", "product", 1, longAgo.AddDate(0, 0, -300)))
	}
	testkit.Retain(t, h.Pool, store.Retention(), longAgo)
	require.Equal(t, 2, h.count(t, `SELECT count(*) FROM baskets WHERE id IN ($1, $2)`, back, member))
	require.Zero(t, h.count(t, `SELECT count(*) FROM baskets WHERE id = $1`, gone))
	require.Equal(t, 2, h.count(t, `SELECT count(*) FROM lines`), "its lines go with it")
}

func TestARequestIsRememberedForADayAndADepartureForThreeMonths(t *testing.T) {
	t.Parallel()
	h := start(t)
	id := h.insert(t, false, longAgo)
	for _, hours := range []int{23, 25} {
		_, err := h.Pool.Exec(t.Context(), `INSERT INTO requests (basket_id, id, outcome, at) VALUES ($1, gen_random_uuid(), 1, $2)`,
			id, longAgo.Add(-time.Duration(hours)*time.Hour))
		require.NoError(t, err)
	}
	for member, days := range map[string]int{"a": 89, "b": 91} {
		_, err := h.Pool.Exec(t.Context(), `INSERT INTO departed (member, departed_at) VALUES ($1, $2)`, []byte(member), longAgo.AddDate(0, 0, -days))
		require.NoError(t, err)
	}
	require.Equal(t, 2, testkit.Retain(t, h.Pool, store.Retention(), longAgo))
	require.Equal(t, 1, h.count(t, `SELECT count(*) FROM requests`))
	require.Equal(t, 1, h.count(t, `SELECT count(*) FROM departed`))
}
