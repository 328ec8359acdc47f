-- name: Customer :one
SELECT customer_id FROM customers WHERE uid = $1;

-- name: AddCustomer :exec
INSERT INTO customers (uid, customer_id, created_at) VALUES ($1, $2, $3) ON CONFLICT (uid) DO NOTHING;

-- name: ChangeCustomer :one
-- Nothing where a later change of the same has been told.
UPDATE customers SET email_at = CASE WHEN @email::bool THEN @at::timestamptz ELSE email_at END, name_at = CASE WHEN @name::bool THEN @at::timestamptz ELSE name_at END
WHERE uid = @uid AND NOT (@email::bool AND coalesce(email_at >= @at::timestamptz, false)) AND NOT (@name::bool AND coalesce(name_at >= @at::timestamptz, false))
RETURNING customer_id;

-- name: MemberOfCustomer :one
SELECT uid FROM customers WHERE customer_id = $1;

-- name: DropCustomer :exec
DELETE FROM customers WHERE uid = $1 AND customer_id = $2;

-- name: ForgetCustomer :exec
DELETE FROM customers WHERE uid = $1;

-- name: AddEvent :execrows
-- An event that is there already is kept once.
INSERT INTO webhook_events (id, type, object, object_id, payment, occurred_at, received_at, refused, subscription)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (id) DO NOTHING;

-- name: Event :one
SELECT id, type, object, object_id, payment, subscription, occurred_at, (applied_at IS NOT NULL)::boolean AS applied FROM webhook_events WHERE id = $1;

-- name: MarkApplied :exec
UPDATE webhook_events SET applied_at = @at::timestamptz WHERE id = $1 AND applied_at IS NULL;

-- name: EventsUntil :one
SELECT events_until FROM provider_progress;

-- name: SetEventsUntil :exec
INSERT INTO provider_progress (events_until) VALUES ($1)
ON CONFLICT (one) DO UPDATE SET events_until = greatest(provider_progress.events_until, excluded.events_until);

-- name: EndAccount :exec
INSERT INTO departures (uid, departed_at) VALUES ($1, $2) ON CONFLICT (uid) DO NOTHING;

-- name: HasLeft :one
-- Whether a deleted account has nothing left here that has to end.
SELECT EXISTS (SELECT FROM departures WHERE uid = $1 AND done_at IS NOT NULL);

-- name: Departed :exec
UPDATE departures SET done_at = @at::timestamptz WHERE uid = $1 AND done_at IS NULL;
