-- name: Account :one
-- Everything a page shows of a member's plan and credits, in one round trip. Both sides of
-- the joins may be missing: a member whose trial has not started has neither.
SELECT
    s.plan_id, p.name AS plan_name, p.kind AS plan_kind, p.entitlements, s.starts_at, s.ends_at,
    s.period, s.renews, s.had_trial, s.ended_at, s.access_until, s.price_id, s.amount, s.currency, s.period_credits, s.failed_at, s.next_attempt,
    p.description AS plan_description,
    b.plan_available, b.top_up_available, b.plan_held, b.top_up_held, b.next_due, coalesce(e.amount, 0)::bigint AS granted
FROM (SELECT @uid::uuid AS uid) AS member
LEFT JOIN subscriptions s ON s.uid = member.uid
LEFT JOIN plans p ON p.id = s.plan_id
LEFT JOIN balances b ON b.uid = member.uid
LEFT JOIN entries e ON e.cause = b.plan_grant AND e.from_account = 'issued';

-- name: Subscribe :execrows
-- A member who has a plan keeps it.
INSERT INTO subscriptions (uid, plan_id, starts_at, ends_at, had_trial)
VALUES ($1, $2, $3, $4, true)
ON CONFLICT (uid) DO NOTHING;

-- name: SubscribeEnded :execrows
-- A trial that is over when its event arrives.
INSERT INTO subscriptions (uid, plan_id, starts_at, ends_at, had_trial, ended_at)
VALUES ($1, $2, $3, $4, true, $4)
ON CONFLICT (uid) DO NOTHING;

-- name: NoteTrial :execrows
-- A member who bought before the trial's event arrived counts as having had the trial; the plan that they bought is better.
UPDATE subscriptions SET had_trial = true WHERE uid = $1 AND provider_id IS NOT NULL;

-- name: LockMember :exec
-- Whatever changes what a member has or pays waits here for its turn: before it locks any row.
SELECT pg_advisory_xact_lock(hashtextextended('member:' || @uid::text, 0));

-- name: LockMemberOfOrder :exec
-- LockMember for the member of an order, who never changes.
SELECT pg_advisory_xact_lock(hashtextextended('member:' || uid::text, 0)) FROM orders WHERE id = $1;

-- name: PaidSubscription :one
-- The subscription that a member pays for, be it running or not.
SELECT provider_id, access_until FROM subscriptions WHERE uid = $1 AND provider_id IS NOT NULL;

-- name: SetPaidSubscription :exec
-- What is paid takes the place of a trial, and of a subscription that has ended.
INSERT INTO subscriptions (uid, plan_id, starts_at, ends_at, provider_id, period, price_id, renews, order_id, amount, currency, period_credits, ended_at,
    card_id, card_brand, card_last4, card_given, card_read)
VALUES ($1, $2, $3, $4, @provider_id::text, @period::billing_period, @price_id::text, @renews, @order_id::uuid, @amount, @currency::text, @period_credits, @ended_at,
    @card_id, @card_brand, @card_last4, @card_given, true)
ON CONFLICT (uid) DO UPDATE SET plan_id = excluded.plan_id, starts_at = excluded.starts_at, ends_at = excluded.ends_at,
    provider_id = excluded.provider_id, period = excluded.period, price_id = excluded.price_id, renews = excluded.renews, order_id = excluded.order_id,
    amount = excluded.amount, currency = excluded.currency, period_credits = excluded.period_credits, ended_at = excluded.ended_at,
    card_id = excluded.card_id, card_brand = excluded.card_brand, card_last4 = excluded.card_last4, card_given = excluded.card_given, card_read = true;

-- name: EndSubscription :execrows
-- Once: what is over keeps why.
UPDATE subscriptions SET ends_at = greatest(least(ends_at, @at), starts_at + interval '1 microsecond'), renews = false, ended_at = @at::timestamptz,
    ended_reason = @reason, failed_at = NULL, next_attempt = NULL, due_at = NULL
WHERE uid = $1 AND provider_id = @provider_id::text AND ended_at IS NULL;

-- name: ReopenSubscription :execrows
-- What ended because its money went back is open again until its period's end, and renews no more: at the provider it has ended.
UPDATE subscriptions SET ends_at = @ends_at::timestamptz, ended_at = NULL, ended_reason = '', renews = false, reopened = true, due_at = @ends_at::timestamptz
WHERE uid = $1 AND provider_id = @provider_id::text AND ended_at IS NOT NULL AND ended_reason = 'refund' AND starts_at = @starts_at::timestamptz;
