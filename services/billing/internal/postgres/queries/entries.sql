-- name: Entries :many
-- A member's entries from the newest, below a position.
SELECT position, cause, from_account, to_account, amount, balance_after, at, description, reference
FROM entries
WHERE uid = $1 AND position < @below
ORDER BY position DESC
LIMIT @most;
