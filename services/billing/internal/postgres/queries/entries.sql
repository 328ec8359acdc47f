-- name: Entries :many
-- What stands in a member's ledger from the newest, below a place: entries, whose number is 0, and notes behind the entry of their position.
(SELECT e.position, 0::bigint AS number, ''::text AS note, e.cause, e.from_account::text AS from_account, e.to_account::text AS to_account,
    e.amount::bigint AS amount, 0::bigint AS plan_credits, 0::bigint AS top_up_credits, e.balance_after, e.at, e.description, e.reference
FROM entries e
WHERE e.uid = @uid AND e.position <= @newest_entry::bigint
ORDER BY e.position DESC
LIMIT @most)
UNION ALL
(SELECT n.position, n.number, n.kind::text, n.cause, '', '', 0, n.plan_credits, n.top_up_credits, n.balance_after, n.at, n.description, n.reference
FROM notes n
WHERE n.uid = @uid AND (n.position, n.number) < (@below_position::bigint, @below_number::bigint)
ORDER BY n.position DESC, n.number DESC
LIMIT @most)
ORDER BY position DESC, number DESC
LIMIT @most;

-- name: EntryCount :one
-- The position of a member's last entry; 0 for a member without a balance.
SELECT coalesce((SELECT entry_count FROM balances WHERE uid = $1), 0)::bigint;

-- name: ExpiredSince :one
SELECT coalesce(sum(amount), 0)::bigint FROM entries WHERE uid = $1 AND position > @position AND to_account = 'expired';
