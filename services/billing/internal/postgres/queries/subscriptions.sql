-- name: SubscriptionByProvider :one
SELECT sqlc.embed(s), p.name AS plan_name, EXISTS (SELECT FROM departed d WHERE d.member = sha256(uuid_send(s.uid))) AS departed
FROM subscriptions s JOIN plans p ON p.id = s.plan_id WHERE s.provider_id = @provider_id::text;

-- name: SubscriptionOfMember :one
SELECT sqlc.embed(s), p.name AS plan_name, EXISTS (SELECT FROM departed d WHERE d.member = sha256(uuid_send(s.uid))) AS departed
FROM subscriptions s JOIN plans p ON p.id = s.plan_id WHERE s.uid = $1;

-- name: DueSubscriptions :many
-- Those that time has something to do with, the longest due first, after the one that was named last.
SELECT uid, due_at::timestamptz AS due_at, coalesce(provider_id, '')::text AS provider_id FROM subscriptions
WHERE due_at <= @now::timestamptz AND (due_at, uid) > (@after_at::timestamptz, @after_uid::uuid)
ORDER BY due_at, uid LIMIT @most;

-- name: OldestDueSubscription :one
-- When the plan was due that has waited longest; now where none has.
SELECT coalesce(min(due_at), @now::timestamptz)::timestamptz AS due_at FROM subscriptions WHERE due_at <= @now::timestamptz;

-- name: RunningSubscriptions :many
SELECT uid, provider_id::text AS provider_id FROM subscriptions
WHERE provider_id IS NOT NULL AND ended_at IS NULL AND uid > @after_uid::uuid ORDER BY uid LIMIT @most;

-- name: SaveSubscription :execrows
-- Only what nobody has changed since it was read.
UPDATE subscriptions SET plan_id = @plan_id, period = @period, price_id = @price_id, amount = @amount, currency = @currency, period_credits = @period_credits,
    starts_at = @starts_at, ends_at = @ends_at, renews = @renews, failed_at = @failed_at, next_attempt = @next_attempt, notices = @notices,
    ended_at = @ended_at, ended_reason = @ended_reason, due_at = @due_at, card_id = @card_id, card_brand = @card_brand, card_last4 = @card_last4,
    card_given = @card_given, card_read = @card_read
WHERE uid = $1 AND revision = @revision;

-- name: PostponeSubscription :exec
-- What could not be settled is looked at again behind the others.
UPDATE subscriptions SET due_at = @due_at::timestamptz WHERE uid = $1 AND due_at <= @now::timestamptz;

-- name: PlanChangeByKey :one
SELECT * FROM plan_changes WHERE uid = $1 AND idempotency_key = $2;

-- name: OpenPlanChange :one
SELECT * FROM plan_changes WHERE uid = $1 AND done_at IS NULL;

-- name: AddPlanChange :execrows
INSERT INTO plan_changes (id, uid, idempotency_key, request, price_id, at, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING;

-- name: FinishPlanChange :exec
UPDATE plan_changes SET done_at = @at::timestamptz WHERE uid = $1 AND idempotency_key = $2 AND done_at IS NULL;

-- name: DropPlanChange :exec
DELETE FROM plan_changes WHERE uid = $1 AND idempotency_key = $2 AND done_at IS NULL;
