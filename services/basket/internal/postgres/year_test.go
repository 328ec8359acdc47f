package postgres_test

import (
	"testing"

	store "serein.app/services/basket/internal/postgres"
	"serein.app/services/testkit/year"
)

// yearOfBaskets is a year of baskets with two lines each, and what was left from the year before.
var yearOfBaskets = []string{
	`INSERT INTO baskets SELECT md5('b' || n)::uuid, md5('m' || n)::uuid FROM generate_series(1, $1::int / 2) n`,
	`INSERT INTO lines (id, basket_id, product_id, size, quantity, added_at)
		SELECT md5('l' || n)::uuid, md5('b' || n % ($1::int / 2) + 1)::uuid, 'p' || n / ($1::int / 2), '', 1, now() - interval '400 days' * (1 - n / $1::float8)
		FROM generate_series(1, $1::int) n`,
}

func TestAfterAYearEveryStatementTouchesWhatItTouchedInTheFirstWeek(t *testing.T) {
	t.Parallel()
	y := year.Open(t, "basket", store.Migrate, yearOfBaskets...)
	y.CheckQueries("sqlcgen", year.Values{"uid": year.ID("m1"), "basketid": year.ID("b1"), "most": 100})
	y.CheckRetention(store.Retention())
}
