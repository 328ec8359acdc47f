-- name: BasketOf :one
SELECT id FROM baskets WHERE uid = $1;

-- name: Lines :many
-- In the order in which they were added.
SELECT id, product_id, size, quantity, added_at, saved_for_later
FROM lines
WHERE basket_id = $1
ORDER BY added_at, id
LIMIT @most;
