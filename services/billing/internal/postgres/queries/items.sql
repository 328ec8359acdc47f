-- name: Items :many
-- What is sold, and what was: some dozens.
SELECT product_id, size, kind, name, amount, currency, credits, sizes, sold_out, none_left, listed, coalesce(price_id, '')::text AS price_id, agreed, offered
FROM items ORDER BY kind, product_id, size;

-- name: SetAgreement :exec
-- Figures that changed meanwhile are looked at again.
UPDATE items SET price_id = nullif(@price_id::text, ''), agreed = @agreed::boolean, offered = @offered::text, checked_at = @checked_at::timestamptz
WHERE product_id = $1 AND size = $2 AND amount = $3 AND currency = $4;

-- name: CountMismatched :one
SELECT count(*) FROM items WHERE listed AND NOT agreed;
