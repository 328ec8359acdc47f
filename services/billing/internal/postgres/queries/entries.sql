-- name: Entries :many
-- A member's entries from the newest, below a position.
SELECT position, cause, from_account, to_account, amount, balance_after, at, description, reference
FROM entries
WHERE uid = $1 AND position < @below
ORDER BY position DESC
LIMIT @most;

-- name: EntryCount :one
-- The position of a member's last entry; 0 for a member without a balance.
SELECT coalesce((SELECT entry_count FROM balances WHERE uid = $1), 0)::bigint;

-- name: ExpiredSince :one
SELECT coalesce(sum(amount), 0)::bigint FROM entries WHERE uid = $1 AND position > @position AND to_account = 'expired';
