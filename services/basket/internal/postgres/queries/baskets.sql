-- name: BasketOf :one
-- With its lines in the order in which they were added.
SELECT b.id, b.version, b.before, COALESCE((
    SELECT jsonb_agg(to_jsonb(l) - 'basket_id' ORDER BY l.added_at, l.id) FROM lines l WHERE l.basket_id = b.id
), '[]')::jsonb AS lines
FROM baskets b
WHERE b.owner = $1 AND b.guest = $2;

-- name: LockBasket :one
-- Another statement reads the lines: this one waits for transactions that change the basket, and would see the lines of before.
SELECT id FROM baskets WHERE owner = $1 AND guest = $2 FOR NO KEY UPDATE;

-- name: InsertBasket :exec
-- None for a member who has left.
INSERT INTO baskets (id, owner, guest, changed_at)
SELECT @id::uuid, @owner::uuid, @guest::boolean, @at::timestamptz
WHERE NOT EXISTS (SELECT FROM departed d WHERE d.member = @member::bytea)
ON CONFLICT (owner, guest) DO NOTHING;

-- name: DeleteBasket :exec
DELETE FROM baskets WHERE owner = $1 AND guest = $2;

-- name: WriteBasket :exec
-- The basket after a change: lines that are gone, those that are new or changed, and the request that asked for it, if one did.
WITH gone AS (
    DELETE FROM lines d WHERE d.basket_id = @id AND d.id = ANY (@gone::uuid[])
), changed AS (
    INSERT INTO lines (id, basket_id, product_id, size, quantity, added_at, saved_at, kind, shown_amount, shown_currency)
    SELECT l.id, @id, l.product_id, l.size, l.quantity, l.added_at, l.saved_at, l.kind, l.shown_amount, l.shown_currency
    FROM jsonb_to_recordset(@changed::jsonb) AS l (id uuid, product_id text, size text, quantity int, added_at timestamptz,
        saved_at timestamptz, kind text, shown_amount bigint, shown_currency text)
    ON CONFLICT (id) DO UPDATE SET quantity = EXCLUDED.quantity, saved_at = EXCLUDED.saved_at, kind = EXCLUDED.kind,
        shown_amount = EXCLUDED.shown_amount, shown_currency = EXCLUDED.shown_currency
), asked AS (
    INSERT INTO requests (basket_id, id, outcome, at)
    SELECT @id, sqlc.narg('request')::uuid, @outcome::smallint, @at WHERE sqlc.narg('request')::uuid IS NOT NULL
)
UPDATE baskets SET version = @version, before = @before, changed_at = @at WHERE baskets.id = @id;

-- name: Requested :one
SELECT outcome FROM requests WHERE basket_id = $1 AND id = $2;

-- name: InsertRequest :execrows
INSERT INTO requests (basket_id, id, outcome, at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING;

-- name: MoveRequests :exec
-- A guest's that have been answered are the member's: what is repeated after signing in is known.
INSERT INTO requests (basket_id, id, outcome, at)
SELECT @to_basket::uuid, r.id, r.outcome, r.at FROM requests r WHERE r.basket_id = @from_basket::uuid
ON CONFLICT DO NOTHING;
