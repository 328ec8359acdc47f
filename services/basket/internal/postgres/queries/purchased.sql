-- name: InsertPurchased :execrows
INSERT INTO purchased (order_id, position, uid, product_id, name, size, quantity, unit_amount, currency, purchased_at, cause)
SELECT @order_id, l.position, @uid, l.product_id, l.name, l.size, l.quantity, l.unit_amount, l.currency, @purchased_at, @cause
FROM jsonb_to_recordset(@lines::jsonb) AS l (position int, product_id text, name text, size text, quantity int, unit_amount bigint, currency text)
ON CONFLICT DO NOTHING;

-- name: Purchased :many
-- The newest first.
SELECT order_id, position, product_id, name, size, quantity, unit_amount, currency, purchased_at, cause
FROM purchased
WHERE uid = @uid AND (purchased_at, order_id, position) < (@before_at::timestamptz, @before_order::uuid, @before_position::int)
ORDER BY purchased_at DESC, order_id DESC, position DESC
LIMIT @most;

-- name: DeletePurchased :exec
DELETE FROM purchased WHERE uid = $1;

-- name: LockOwner :exec
-- Held until the commit: an owner's basket is not made while their account is forgotten.
SELECT pg_advisory_xact_lock(hashtextextended('serein.basket.' || @owner::text, 0));
