-- name: InsertOrder :one
INSERT INTO orders (id, uid, idempotency_key, request, membership, total, delivery, ships, currency, vat_percent, live, created_at, expires_at, read_at,
    cause, invoice_id)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, @created_at, $12, @created_at, @cause, @invoice_id)
RETURNING number;

-- name: BeginOrder :exec
-- A checkout's order, unless its key has made one or the account is deleted; under the member's lock, so neither comes between.
INSERT INTO orders (id, uid, idempotency_key, request, membership, total, delivery, ships, currency, vat_percent, live, created_at, expires_at, read_at, cause)
SELECT @id::uuid, @uid::uuid, @idempotency_key::text, @request::bytea, @membership::boolean, @total::bigint, @delivery::bigint, @ships::boolean,
    @currency::text, @vat_percent::int, @live::boolean, @created_at::timestamptz, @expires_at::timestamptz, @created_at::timestamptz, 'checkout'
WHERE NOT EXISTS (SELECT FROM orders o WHERE o.uid = @uid::uuid AND o.idempotency_key = @idempotency_key::text)
    AND NOT EXISTS (SELECT FROM departed d WHERE d.member = sha256(uuid_send(@uid::uuid)));

-- name: InsertLines :exec
-- The lines of an order that this transaction has made; nothing if it has made none of that id.
INSERT INTO order_lines (order_id, position, product_id, size, kind, name, quantity, unit_amount, credits, price_id)
SELECT o.id, unnest(@positions::int[]), unnest(@product_ids::text[]), unnest(@sizes::text[]), unnest(@kinds::text[])::item_kind,
    unnest(@names::text[]), unnest(@quantities::int[]), unnest(@unit_amounts::bigint[]), unnest(@credits::bigint[]), unnest(@price_ids::text[])
FROM orders o WHERE o.id = @order_id::uuid;

-- name: Order :one
SELECT * FROM orders WHERE id = $1;

-- name: OrderByNumber :one
SELECT * FROM orders WHERE number = $1;

-- name: LockOrder :one
SELECT * FROM orders WHERE id = $1 FOR UPDATE;

-- name: Lines :many
-- The lines of some orders.
SELECT * FROM order_lines WHERE order_id = ANY (@orders::uuid[]) ORDER BY order_id, position;

-- name: OrderWithLines :many
-- A row for each line of an order.
SELECT sqlc.embed(orders), sqlc.embed(order_lines) FROM orders JOIN order_lines ON order_lines.order_id = orders.id
WHERE orders.id = $1 ORDER BY order_lines.position;

-- name: WaitingOfMember :many
-- A row for each line of a member's orders that wait, and of the one that a key has made (empty: of none).
SELECT sqlc.embed(orders), sqlc.embed(order_lines) FROM orders JOIN order_lines ON order_lines.order_id = orders.id
WHERE orders.id IN (
    (SELECT w.id FROM orders w WHERE w.uid = $1 AND w.state IN ('open', 'processing') ORDER BY w.number LIMIT @most)
    UNION ALL
    SELECT k.id FROM orders k WHERE k.uid = $1 AND k.idempotency_key = @key::text)
ORDER BY orders.number, order_lines.position;

-- name: Waiting :many
-- Orders that have gone without an event or a read since @before, the longest first.
SELECT * FROM orders WHERE state IN ('open', 'processing') AND read_at <= @before ORDER BY read_at, id LIMIT @most;

-- name: OrderOfSession :one
SELECT * FROM orders WHERE session_id = @session::text;

-- name: OrderOfPayment :one
SELECT * FROM orders WHERE payment_id = @payment::text;

-- name: OrderOfSubscription :one
-- The checkout that a subscription began with.
SELECT * FROM orders WHERE subscription_id = @subscription::text AND cause = 'checkout';

-- name: InvoicesWithOrder :many
SELECT invoice_id::text FROM orders WHERE invoice_id = ANY (@invoices::text[]);

-- name: PaidOrders :many
-- A member's orders that were paid, from the newest, below a number.
SELECT * FROM orders WHERE uid = $1 AND completed_at IS NOT NULL AND number < @below ORDER BY number DESC LIMIT @most;

-- name: NoteSent :one
-- Once: what was sent keeps when.
UPDATE orders SET sent_at = coalesce(sent_at, @at::timestamptz) WHERE number = $1 AND ships AND state = 'completed' RETURNING sent_at::timestamptz;

-- name: CodesUsed :many
-- The promotion codes that a member's orders were paid with.
SELECT promotion_code, count(*)::bigint AS times FROM orders WHERE uid = $1 AND promotion_code <> '' GROUP BY promotion_code;

-- name: SetSession :exec
UPDATE orders SET session_id = @session::text, session_url = @url::text WHERE id = $1 AND session_id IS NULL;

-- name: MarkPolled :exec
UPDATE orders SET read_at = $2 WHERE id = $1;

-- name: IncrementAttempt :exec
-- Of those who saw the same try fail, the first counts.
UPDATE orders SET tries = tries + 1 WHERE id = $1 AND tries = $2;

-- name: CloseOrder :exec
UPDATE orders SET state = 'closed', read_at = $2 WHERE id = $1 AND state IN ('open', 'processing');

-- name: CloseOpenOrder :exec
UPDATE orders SET state = 'closed', read_at = $2 WHERE id = $1 AND state = 'open';

-- name: ProcessOrder :exec
UPDATE orders SET state = 'processing', read_at = $2 WHERE id = $1 AND state = 'open';

-- name: PayOrder :exec
UPDATE orders SET state = @state, payment_id = nullif(@payment::text, ''), subscription_id = @subscription, paid_amount = @paid::bigint, discount = @discount::bigint,
    from_balance = @from_balance::bigint, promotion_code = @promotion_code::text, paid_currency = @paid_currency::text, period_start = @period_start, returned_at = @returned_at, completed_at = @at::timestamptz, read_at = @at::timestamptz, address = @address,
    paid_kind = @paid_kind::text, paid_brand = @paid_brand::text, paid_last4 = @paid_last4::text
WHERE id = $1;

-- name: RefundOrder :exec
UPDATE orders SET refunded = @refunded::bigint, disputed = @disputed::bigint, credits_taken = @credits_taken::bigint, restored = @restored::int,
    returned_at = @returned_at
WHERE id = $1;

-- name: ForgetPayer :exec
-- Where a member's orders were sent, and what they were paid by.
UPDATE orders SET address = NULL, paid_kind = '', paid_brand = '', paid_last4 = ''
WHERE uid = $1 AND completed_at IS NOT NULL AND (address IS NOT NULL OR paid_kind <> '');

-- name: WaitingOrders :one
SELECT count(*) AS waiting, coalesce(min(created_at), 'epoch')::timestamptz AS oldest FROM orders WHERE state IN ('open', 'processing');
