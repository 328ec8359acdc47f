package postgres_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	store "serein.app/services/basket/internal/postgres"
	"serein.app/services/testkit/year"
)

// yearOfBaskets is a year of members' and guests' baskets with two lines each, their requests of a day, what was bought, who left,
// and what was left from the year before.
var yearOfBaskets = []string{
	`INSERT INTO baskets (id, owner, guest, version, changed_at)
		SELECT md5('b' || n)::uuid, md5('m' || n)::uuid, n % 2 = 0, 3, now() - interval '35 days' * (1 - n / ($1::float8 / 2)) FROM generate_series(1, $1::int / 2) n`,
	`INSERT INTO lines (id, basket_id, product_id, size, quantity, added_at)
		SELECT md5('l' || n)::uuid, md5('b' || n % ($1::int / 2) + 1)::uuid, 'p' || n / ($1::int / 2), '', 1, now() - interval '400 days' * (1 - n / $1::float8)
		FROM generate_series(1, $1::int) n`,
	`INSERT INTO requests (basket_id, id, outcome, at)
		SELECT md5('b' || n % ($1::int / 2) + 1)::uuid, md5('r' || n)::uuid, 1, now() - interval '26 hours' * (1 - n / $1::float8) FROM generate_series(1, $1::int) n`,
	`INSERT INTO purchased (order_id, position, uid, product_id, name, size, quantity, unit_amount, currency, purchased_at)
		SELECT md5('o' || n / 2)::uuid, n % 2, md5('m' || n / 4)::uuid, 'p', 'P', '', 1, 900, 'gbp', now() - interval '400 days' * (1 - n / $1::float8)
		FROM generate_series(1, $1::int) n`,
	`INSERT INTO departed (member, departed_at)
		SELECT sha256(n::text::bytea), now() - interval '95 days' * (1 - n / $1::float8) FROM generate_series(1, $1::int) n`,
}

func TestAfterAYearEveryStatementTouchesWhatItTouchedInTheFirstWeek(t *testing.T) {
	t.Parallel()
	y := year.Open(t, "basket", store.Migrate, yearOfBaskets...)
	now := time.Now()
	line := `[{"id": "` + year.ID("new").String() + `", "product_id": "p9", "size": "", "quantity": 1, "added_at": "2027-03-01T09:00:00Z", "kind": "product",
		"shown_amount": 900, "shown_currency": "gbp", "position": 0, "name": "P", "unit_amount": 900, "currency": "gbp"}]`
	y.CheckQueries("sqlcgen", year.Values{
		"owner": year.ID("m1"), "guest": false, "LockOwner.owner": "m1", "InsertBasket.id": year.ID("new"), "InsertBasket.owner": year.ID("new"),
		"WriteBasket.id": year.ID("b1"), "gone": []uuid.UUID{year.ID("l1")}, "changed": line, "before": line, "version": 4, "outcome": 1, "request": year.ID("new"),
		"basketid": year.ID("b1"), "id": year.ID("r1"), "InsertRequest.id": year.ID("new"), "tobasket": year.ID("b1"), "frombasket": year.ID("b2"), "at": now,
		"member": []byte("nobody"), "uid": year.ID("m1"), "orderid": year.ID("new"), "lines": line, "purchasedat": now, "cause": "checkout",
		"beforeat": now, "beforeorder": year.ID("o1"), "beforeposition": 0, "most": 100,
	})
	y.CheckRetention(store.Retention())
}
