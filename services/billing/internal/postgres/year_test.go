package postgres_test

import (
	"bytes"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	store "serein.app/services/billing/internal/postgres"
	"serein.app/services/testkit/year"
)

// yearOfCredits is a tenth as many members as holds, each with ten holds that were spent and the notes of two that were not; a few
// holds are open or due, and the hot member has both, and thirty entries with a note behind each.
var yearOfCredits = []string{
	`INSERT INTO subscriptions (uid, plan_id, starts_at, ends_at, status, access_until, ended_at)
		SELECT md5('m' || n)::uuid, 'free-trial', now() - interval '300 days', ends, 'ended', ends, ends
		FROM generate_series(1, $1::int / 10) n, (SELECT now() - interval '293 days' AS ends) e`,
	`INSERT INTO trials (mailbox_key, started_at) SELECT sha256(('m' || n)::bytea), now() - interval '300 days' FROM generate_series(1, $1::int / 10) n`,
	`INSERT INTO balances (uid, top_up_available, entry_count, changed_at) SELECT md5('m' || n)::uuid, 5, 10, now() FROM generate_series(1, $1::int / 10) n`,
	`INSERT INTO entries (uid, position, cause, from_account, to_account, amount, balance_after, at, description, reference)
		SELECT md5('m' || n % ($1::int / 10))::uuid, n / ($1::int / 10) + 1, 'hold:' || md5('h' || n)::uuid, 'top_up', 'spent', 1, 5,
			now() - interval '365 days' * (1 - n / $1::float8), '', 'meditation:' || md5('h' || n)::uuid
		FROM generate_series(0, $1::int - 1) n`,
	`INSERT INTO holds (id, uid, idempotency_key, plan_credits, top_up_credits, reference, description, state, created_at, expires_at, ended_at)
		SELECT md5('h' || n)::uuid, md5('m' || n % ($1::int / 10))::uuid, md5('h' || n), 0, 1, 'meditation:' || n, '', 'captured', at, at + interval '30 minutes', at
		FROM (SELECT n, now() - interval '365 days' * (1 - n / $1::float8) AS at FROM generate_series(1, $1::int) n) AS year`,
	`INSERT INTO holds (id, uid, idempotency_key, plan_credits, top_up_credits, reference, description, created_at, expires_at)
		SELECT md5('open' || n)::uuid, md5('m' || n)::uuid, 'open' || n, 0, 1, '', '', now() - interval '1 hour', now() + interval '1 minute' * (n - 10)
		FROM generate_series(1, 50) n`,
	`INSERT INTO notes (uid, position, number, kind, cause, plan_credits, top_up_credits, balance_after, at, description, reference)
		SELECT md5('m' || n % ($1::int / 10))::uuid, 10, n / ($1::int / 10) + 1, 'release', 'release:' || md5('n' || n)::uuid, 0, 1, 5,
			now() - interval '365 days' * (1 - n / $1::float8), '', 'meditation:' || md5('n' || n)::uuid
		FROM generate_series(0, $1::int / 5 - 1) n`,
	`INSERT INTO balances (uid, top_up_available, top_up_held, entry_count, note_count, changed_at) VALUES (md5('hot')::uuid, 40, 2, 30, 30, now())`,
	`INSERT INTO notes (uid, position, number, kind, cause, plan_credits, top_up_credits, balance_after, at, description, reference)
		SELECT md5('hot')::uuid, n, n, 'release', 'release:hot' || n, 0, 1, n, now(), '', '' FROM generate_series(1, 30) n`,
	`INSERT INTO entries (uid, position, cause, from_account, to_account, amount, balance_after, at, description, reference)
		SELECT md5('hot')::uuid, n, 'gift:' || n, 'issued', 'top_up', 1, n, now(), '', '' FROM generate_series(1, 30) n`,
	`INSERT INTO holds (id, uid, idempotency_key, plan_credits, top_up_credits, reference, description, created_at, expires_at)
		VALUES (md5('hot')::uuid, md5('hot')::uuid, 'hot', 0, 1, '', '', now(), now() + interval '30 minutes')`,
	`INSERT INTO holds (id, uid, idempotency_key, plan_credits, top_up_credits, reference, description, state, created_at, expires_at, ended_at)
		VALUES (md5('spent')::uuid, md5('hot')::uuid, 'spent', 0, 1, '', '', 'captured', now(), now() + interval '30 minutes', now())`,
}

// yearOfSales is a fifth as many orders as holds, two of three paid, with an event each and two; a few wait, and the hot member has
// some of each.
var yearOfSales = []string{
	`INSERT INTO orders (id, uid, idempotency_key, request, membership, state, total, delivery, ships, currency, vat_percent, live, created_at, expires_at,
			read_at, session_id, session_url, payment_id, paid_amount, paid_currency, completed_at)
		SELECT md5('o' || n)::uuid, md5('m' || n % ($1::int / 10))::uuid, 'k' || n, '', false, (CASE WHEN paid THEN 'completed' ELSE 'closed' END)::order_state,
			100, 0, false, 'gbp', 0, false, at, at + interval '1 hour', at, 's' || n, 'u', CASE WHEN paid THEN 'p' || n END,
			CASE WHEN paid THEN 100 END, CASE WHEN paid THEN 'gbp' END, CASE WHEN paid THEN at END
		FROM (SELECT n, n % 3 > 0 AS paid, now() - interval '365 days' * (1 - n / $1::float8) AS at FROM generate_series(1, $1::int, 5) n) AS year`,
	`INSERT INTO orders (id, uid, idempotency_key, request, membership, state, total, delivery, ships, currency, vat_percent, live, created_at, expires_at,
			read_at, session_id, session_url, payment_id, paid_amount, paid_currency, completed_at)
		SELECT md5('hot' || n)::uuid, md5('hot')::uuid, 'hot' || n, '', false, 'completed', 100, 0, false, 'gbp', 0, false, now(), now(), now(),
			'hot' || n, 'u', 'hot' || n, 100, 'gbp', now() FROM generate_series(1, 10) n`,
	`INSERT INTO orders (id, uid, idempotency_key, request, membership, state, total, delivery, ships, currency, vat_percent, live, created_at, expires_at, read_at, session_id, session_url)
		SELECT md5('open' || n)::uuid, md5(CASE WHEN n < 3 THEN 'hot' ELSE 'm' || n END)::uuid, 'open' || n, '', false, 'open', 100, 0, false, 'gbp', 0, false,
			now() - interval '1 hour', now(), now() - interval '1 second' * (600 - n), CASE WHEN n < 50 THEN 'open' || n END, CASE WHEN n < 50 THEN 'u' END
		FROM generate_series(1, 50) n`,
	`INSERT INTO order_lines (order_id, position, product_id, size, kind, name, quantity, unit_amount, credits, price_id)
		SELECT id, 1, 'tote', '', 'product', 'Tote', 1, 100, 0, 'price' FROM orders`,
	`INSERT INTO customers (uid, customer_id, created_at) SELECT md5('m' || n)::uuid, 'c' || n, now() FROM generate_series(1, $1::int / 10) n`,
	`INSERT INTO customers (uid, customer_id, created_at) VALUES (md5('hot')::uuid, 'hot', now())`,
	`INSERT INTO webhook_events (id, type, object, object_id, payment, occurred_at, received_at, applied_at)
		SELECT 'e' || n, 'x', 'charge', 'c', 'p', at, at, at
		FROM (SELECT n, now() - interval '365 days' * (1 - n / $1::float8) AS at FROM generate_series(1, $1::int, 2) n) AS year`,
	`INSERT INTO departures (uid, departed_at, done_at)
		SELECT md5('gone' || n)::uuid, at, at FROM (SELECT n, now() - interval '365 days' * (1 - n / $1::float8) AS at FROM generate_series(1, $1::int, 5) n) AS year`,
	`INSERT INTO leaving (uid, leaves, told_at) SELECT md5('m' || n)::uuid, n % 3 > 0, now() FROM generate_series(1, $1::int / 10, 10) n`,
	`INSERT INTO provider_progress (events_until) VALUES (now())`,
	`INSERT INTO items (product_id, size, kind, name, amount, currency, credits, sizes, sold_out, none_left, listed)
		SELECT 'i' || n, '', 'product', 'x', 100, 'gbp', 0, '{}', '{}', false, true FROM generate_series(1, 40) n`,
	`UPDATE subscriptions SET provider_id = 'sub', period = 'month', price_id = 'price', order_id = md5('hot1')::uuid WHERE uid = md5('m1')::uuid`,
	`UPDATE subscriptions SET provider_id = 'sub' || uid, period = 'month', price_id = 'price', order_id = uid, renews = true, ended_at = NULL, status = 'active',
		due_at = now() + (CASE WHEN uid = md5('m2')::uuid THEN -1 ELSE 1 END) * interval '1 hour'
		WHERE uid IN (SELECT md5('m' || n)::uuid FROM generate_series(2, $1::int / 10, 2) n)`,
	`INSERT INTO orders (id, uid, idempotency_key, request, membership, state, total, delivery, ships, currency, vat_percent, live, created_at, expires_at,
			read_at, payment_id, paid_amount, paid_currency, completed_at, cause, invoice_id, subscription_id, period_start)
		SELECT md5('i' || n)::uuid, md5('m' || n % ($1::int / 10))::uuid, 'i' || n, '', true, 'completed', 799, 0, false, 'gbp', 0, false, now(), now(), now(),
			'in' || n, 799, 'gbp', now(), 'renewal', 'in' || n, 'sub', now() FROM generate_series(1, $1::int, 10) n`,
	`INSERT INTO plan_changes (id, uid, idempotency_key, request, price_id, at, created_at, done_at)
		SELECT md5('pc' || n)::uuid, md5('m' || n % ($1::int / 10))::uuid, 'k' || n, '', 'price', at, at, at
		FROM (SELECT n, now() - interval '365 days' * (1 - n / $1::float8) AS at FROM generate_series(1, $1::int, 10) n) AS year`,
	`INSERT INTO plan_changes (id, uid, idempotency_key, request, price_id, at, created_at) VALUES (md5('pc')::uuid, md5('hot')::uuid, 'open', '', 'price', now(), now())`,
}

// yearOfMembers is a mailbox, a card and a referral a member, a few of them of the hot one's; an operator's act for each day.
var yearOfMembers = []string{
	`INSERT INTO mailboxes (uid, mailbox_key) SELECT md5('m' || n)::uuid, sha256(('m' || n)::bytea) FROM generate_series(1, $1::int / 10) n`,
	`INSERT INTO mailboxes (uid, mailbox_key) VALUES (md5('hot')::uuid, sha256('hot'))`,
	`INSERT INTO cards (uid, card) SELECT uid, mailbox_key FROM mailboxes`,
	`INSERT INTO referrals (friend, referrer, invited_at, decided_at, order_id, friend_credits, referrer_credits)
		SELECT md5('m' || n)::uuid, CASE WHEN n > 12 THEN md5('m' || n / 10)::uuid ELSE md5('hot')::uuid END, at,
			CASE WHEN n % 2 = 0 THEN at END, CASE WHEN n % 2 = 0 THEN md5('o' || n)::uuid END, CASE WHEN n % 2 = 0 THEN 5 ELSE 0 END,
			CASE WHEN n % 2 = 0 THEN 5 ELSE 0 END
		FROM (SELECT n, now() - interval '365 days' * (1 - 10 * n / $1::float8) AS at FROM generate_series(1, $1::int / 10) n) AS year`,
	`INSERT INTO operator_acts (key, act, uid, actor, amount, changed, reason, at)
		SELECT md5('act' || n)::uuid, 'correct_credits', md5('m' || n)::uuid, md5('hot')::uuid, 1, 1, 'why', now() FROM generate_series(1, 365) n`,
}

func TestAfterAYearEveryStatementTouchesWhatItTouchedInTheFirstWeek(t *testing.T) {
	t.Parallel()
	y := year.Open(t, "billing", store.Migrate, slices.Concat(yearOfCredits, yearOfSales, yearOfMembers)...)
	uid, now := year.ID("hot"), time.Now()
	y.CheckQueries("sqlcgen", year.Values{
		"uid": uid, "id": uid, "now": now, "most": 200, "below": 1000, "position": 1000, "newestentry": 1000, "belowposition": 1000, "belownumber": 0,
		"afterat": time.Time{}, "afteruid": uuid.Nil,
		"Subscribe.uid": uuid.New(), "planid": "free-trial", "startsat": now,
		"mailboxkey": bytes.Repeat([]byte{1}, 32), "startedat": now,

		"at": now, "providerid": "sub", "period": "month", "priceid": "price", "renews": true, "orderid": year.ID("hot1"),
		"SubscribeEnded.uid": uuid.New(), "reason": "refund", "endedat": nil, "periodcredits": 20, "reasonofend": "", "cause": "checkout", "invoiceid": nil,
		"cardid": "", "cardbrand": "", "cardlast4": "", "cardgiven": "", "cardread": true,
		"invoices": []string{"in1", "in11"}, "subscriptionid": "sub", "OrderOfSubscription.subscription": "sub", "AddEvent.subscription": "",
		"SubscriptionOfMember.uid": year.ID("m2"), "SaveSubscription.uid": year.ID("m2"), "SaveSubscription.planid": "free-trial", "revision": 0,
		"failedat": nil, "nextattempt": nil, "notices": 0, "endedreason": "", "dueat": now.Add(time.Hour), "PostponeSubscription.uid": year.ID("m2"),
		"PlanChangeByKey.uid": year.ID("m1"), "PlanChangeByKey.idempotencykey": "k1", "AddPlanChange.id": uuid.New(), "AddPlanChange.idempotencykey": "new",
		"AddPlanChange.uid": uuid.New(), "FinishPlanChange.idempotencykey": "open", "DropPlanChange.idempotencykey": "open",
		"SetPaidSubscription.uid": uuid.New(), "SetPaidSubscription.providerid": "sub of year", "LockMember.uid": uid.String(),
		"productid": "i1", "size": "", "amount": 100, "currency": "gbp", "agreed": true, "offered": "", "checkedat": now,
		"InsertOrder.id": uuid.New(), "idempotencykey": "hot1", "InsertOrder.idempotencykey": "new", "request": []byte{1}, "membership": false,
		"total": 100, "delivery": 0, "ships": false, "vatpercent": 20, "live": false, "createdat": now, "expiresat": now,
		"ChangeCustomer.name": false, "email": true, "InsertLines.orderid": year.ID("open1"), "positions": []int{2}, "productids": []string{"i1"}, "sizes": []string{""}, "kinds": []string{"product"}, "names": []string{"Tote"}, "quantities": []int{1}, "unitamounts": []int{100}, "InsertLines.credits": []int{0}, "priceids": []string{"price"},
		"BeginOrder.id": uuid.New(), "BeginOrder.idempotencykey": "new", "OrderWithLines.id": year.ID("hot1"), "LockMemberOfOrder.id": year.ID("open1"), "CloseOpenOrder.id": year.ID("open1"), "WaitingOfMember.key": "hot1",
		"PaidOrders.below": 1 << 40, "Order.id": year.ID("hot1"), "LockOrder.id": year.ID("hot1"), "dollar_1": []uuid.UUID{year.ID("hot1"), year.ID("hot2")},
		"orders": []uuid.UUID{year.ID("hot1"), year.ID("hot2")}, "before": now.Add(-time.Minute), "session": "hot1", "payment": "hot1",
		"SetSession.id": year.ID("open50"), "SetSession.session": "new", "url": "u", "readat": now,
		"MarkPolled.id": year.ID("open1"), "IncrementAttempt.id": year.ID("open1"), "tries": 0, "CloseOrder.id": year.ID("open1"), "ProcessOrder.id": year.ID("open1"),
		"PayOrder.id": year.ID("open1"), "PayOrder.payment": "new", "state": "completed", "subscription": nil, "paid": 100, "discount": 0, "frombalance": 0, "paidcurrency": "gbp",
		"paidkind": "card", "paidbrand": "visa", "paidlast4": "4242",
		"periodstart": nil, "address": nil, "RefundOrder.id": year.ID("hot1"), "refunded": 50, "returnedat": nil,
		"disputed": 0, "creditstaken": 0, "restored": 0, "promotioncode": "", "CodesUsed.uid": year.ID("m1"), "NoteSent.number": 10001, "OrderByNumber.number": 10001, "ReopenSubscription.uid": year.ID("m1"), "ReopenSubscription.startsat": now,
		"DropCustomer.uid": uuid.New(), "AddCustomer.uid": uuid.New(), "customerid": "hot", "AddCustomer.customerid": "new",
		"AddEvent.id": "new", "AddEvent.type": "x", "object": "charge", "objectid": "c", "occurredat": now, "receivedat": now, "refused": "",
		"Event.id": "e1", "MarkApplied.id": "e1", "eventsuntil": now, "EndAccount.uid": uuid.New(), "departedat": now,
		"NoteMailbox.uid": uuid.New(), "friend": year.ID("m1"), "referrer": uid, "AddReferral.friend": uuid.New(), "invitedat": now,
		"card": bytes.Repeat([]byte{1}, 32), "since": now.Add(-30 * 24 * time.Hour), "DecideReferral.orderid": uuid.New(), "DecideReferral.refused": "",
		"friendcredits": 5, "referrercredits": 5, "TakeReferralBack.friend": year.ID("m2"),
		"OperatorAct.key": year.ID("act1"), "AddOperatorAct.key": uuid.New(), "act": "correct_credits", "actor": uid, "changed": 1,
		"SetTrial.uid": year.ID("m1"), "endsat": now.Add(time.Hour),
		"Departed.uid": year.ID("gone1"), "HasLeft.uid": year.ID("gone1"), "leaves": true, "Leave.uid": uuid.New(), "Stays.uid": year.ID("m1"), "ForgetLeaving.uid": year.ID("m1"), "NoteTrial.uid": year.ID("m1"),
	})
	y.CheckRetention(store.Retention())
	event, payload := uuid.New(), []byte("payload")
	hold := func(name string) func(sql string) {
		return func(sql string) {
			y.Check(name, sql, uuid.New(), uid, 1, "new key", "r", "", now, now.Add(time.Minute), []uuid.UUID{event, uuid.New()}, [][]byte{payload, payload})
		}
	}
	functions := map[string]func(sql string){
		"hold_credits":         hold("hold_credits"),
		"hold_and_balance":     hold("hold_and_balance"),
		"release_hold":         func(sql string) { y.Check("release_hold", sql, uid, uid, now, event, payload) },
		"refund_hold":          func(sql string) { y.Check("refund_hold", sql, year.ID("spent"), uid, now, event, payload) },
		"settle_credits":       func(sql string) { y.Check("settle_credits", sql, uid, now, []uuid.UUID{}, []uuid.UUID{}, [][]byte{}) },
		"remove_ended_holds":   func(sql string) { y.Check("remove_ended_holds", sql, now, 200) },
		"remove_closed_orders": func(sql string) { y.Check("remove_closed_orders", sql, now.AddDate(0, -3, 0), 50) },
		"remove_old_orders":    func(sql string) { y.Check("remove_old_orders", sql, now.AddDate(0, -3, 0), 50) },
		"spend_hold": func(sql string) {
			y.Check("spend_hold", sql, uid, uid, now, event, payload, 100, "gift:30", make([]uuid.UUID, 100), make([][]byte, 100))
		},
		"note_failed_renewal": func(sql string) { y.Check("note_failed_renewal", sql, uid, "failed_renewal:sub:1", "Core", now) },
		"note_act":            func(sql string) { y.Check("note_act", sql, uid, "plan_end", "operator:x", "why", now) },
		"take_credits":        func(sql string) { y.Check("take_credits", sql, uid, 1, "reversal:operator:x", "why", now) },
		"end_plan":            func(sql string) { y.Check("end_plan", sql, uid, "operator:x", "why", now) },
		"reverse_credits": func(sql string) {
			y.Check("reverse_credits", sql, uid, "top_up", "gift:1", 1, "reversal:gift:1:1", "", "", now)
		},
		"take_catalogue": func(sql string) {
			y.Check("take_catalogue", sql, []byte(`[{"id":"free-trial","name":"Free trial","kind":"trial","sort_order":1,"badge":"","description":"",
				"features":[],"entitlements":[],"trial_days":7,"invited_trial_days":14,"trial_credits":8}]`),
				[]byte(`[{"product_id":"i1","size":"","kind":"product","name":"x","amount":1,"currency":"gbp","credits":0,"sizes":[],"sold_out":[],"none_left":false}]`))
		},
		"move_plan_expiry": func(sql string) { y.Check("move_plan_expiry", sql, uid, "sub", now.Add(time.Hour), now) },
		"change_plan_credits": func(sql string) {
			y.Check("change_plan_credits", sql, uid, "sub", 5, 20, "change:sub:1", now.Add(time.Hour), "", "", now)
		},
		"reverse_period_credits": func(sql string) {
			y.Check("reverse_period_credits", sql, uid, "sub", 5, "reversal:change:sub:1:1", "", "", now)
		},
		"grant_credits": func(sql string) {
			y.Check("grant_credits", sql, uid, "plan", 5, "a new cause", now.Add(time.Hour), "", "", now)
		},
	}
	callable := callable(t, y.Databases()[0].OwnerURL)
	for _, name := range slices.Sorted(maps.Keys(callable)) {
		require.Contains(t, functions, name, "a function that the service may call has its check")
		functions[name]("SELECT * FROM " + name + "(" + callable[name] + ")")
	}
}

// callable are the functions that work with their owner's rights, with the places of their arguments.
func callable(t *testing.T, url string) map[string]string {
	t.Helper()
	owner, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { _ = owner.Close(t.Context()) }()
	rows, err := owner.Query(t.Context(), `SELECT proname::text, (SELECT string_agg('$' || n, ', ' ORDER BY n) FROM generate_series(1, pronargs) n)
		FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef`)
	require.NoError(t, err)
	found := map[string]string{}
	var name, arguments string
	_, err = pgx.ForEachRow(rows, []any{&name, &arguments}, func() error { found[name] = arguments; return nil })
	require.NoError(t, err)
	require.NotEmpty(t, found)
	return found
}
