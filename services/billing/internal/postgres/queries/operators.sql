-- name: OperatorAct :one
SELECT * FROM operator_acts WHERE key = $1;

-- name: AddOperatorAct :exec
INSERT INTO operator_acts (key, act, uid, actor, amount, changed, reason, at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- name: SubscriptionForOperator :one
SELECT s.plan_id, p.name AS plan_name, p.kind AS plan_kind, s.starts_at, s.ends_at, s.ended_at, coalesce(s.provider_id, '')::text AS provider_id
FROM subscriptions s JOIN plans p ON p.id = s.plan_id WHERE s.uid = $1;

-- name: SetTrial :exec
-- Another trial, in the place of the member's present plan.
INSERT INTO subscriptions (uid, plan_id, starts_at, ends_at, had_trial)
VALUES ($1, $2, $3, $4, true)
ON CONFLICT (uid) DO UPDATE SET plan_id = excluded.plan_id, starts_at = excluded.starts_at, ends_at = excluded.ends_at, had_trial = true,
    provider_id = NULL, period = NULL, price_id = NULL, renews = false, order_id = NULL, amount = 0, currency = NULL, period_credits = 0;

-- name: EndAtOnce :exec
UPDATE subscriptions SET starts_at = @starts_at, ends_at = @ends_at, renews = false, failed_at = NULL, next_attempt = NULL, due_at = NULL,
    ended_at = coalesce(ended_at, @ended_at::timestamptz), ended_reason = CASE WHEN ended_at IS NULL THEN 'operator' ELSE ended_reason END
WHERE uid = $1;
