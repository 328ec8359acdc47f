-- name: SpendAttempts :one
-- Counts an attempt at each of the keys up to the first that is blocked: its place (0: none is), and until when (see the function).
SELECT place::int AS place, until::timestamptz AS until FROM spend_attempts(sqlc.arg(now)::timestamptz, sqlc.arg(keys)::bytea[], sqlc.arg(free)::int[],
    sqlc.arg(window_seconds)::float8[], sqlc.arg(delay_seconds)::float8[], sqlc.arg(max_delay_seconds)::float8[]);

-- name: BlockedUntil :one
SELECT blocked_until FROM throttles WHERE key = $1;

-- name: RefundAttempt :exec
-- Takes one counted attempt back: it succeeded.
UPDATE throttles SET count = greatest(count - 1, 0),
    blocked_until = CASE WHEN count - 1 < sqlc.arg(free)::int THEN 'epoch' ELSE blocked_until END
WHERE key = $1;

-- name: ResetAttempts :exec
DELETE FROM throttles WHERE key = $1;

-- name: ForgiveAttempts :exec
-- RefundAttempt for each key that has free tries beside it, ResetAttempts for each with 0: one statement, of which a sign-in waits once.
-- Rows are locked in the order of their keys, so that no two of these wait for each other.
WITH locked AS (
    SELECT t.key, f.free FROM throttles AS t
    JOIN (SELECT unnest(sqlc.arg(keys)::bytea[]) AS key, unnest(sqlc.arg(free)::int[]) AS free) AS f ON f.key = t.key
    ORDER BY t.key FOR UPDATE OF t
), refunded AS (
    UPDATE throttles AS t SET count = greatest(t.count - 1, 0),
        blocked_until = CASE WHEN t.count - 1 < locked.free THEN 'epoch' ELSE t.blocked_until END
    FROM locked WHERE t.key = locked.key AND locked.free > 0
)
DELETE FROM throttles AS t USING locked WHERE t.key = locked.key AND locked.free = 0;
