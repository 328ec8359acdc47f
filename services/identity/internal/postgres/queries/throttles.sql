-- name: Spend :one
-- Counts an attempt and says until when the next one must wait: the epoch where it need not. No row: the key is
-- blocked now, and the attempt is not counted. Of two attempts side by side the later one may be counted first, so a
-- key that is not blocked holds no time of an attempt, which the earlier one would take for a block.
INSERT INTO throttles AS t (key, count, window_ends, blocked_until)
VALUES (
    sqlc.arg(key), 1,
    sqlc.arg(now)::timestamptz + make_interval(secs => sqlc.arg(window_seconds)::float8),
    CASE WHEN sqlc.arg(free)::int <= 1
        THEN sqlc.arg(now) + make_interval(secs => sqlc.arg(delay_seconds)::float8) ELSE 'epoch' END)
ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN t.window_ends <= sqlc.arg(now) THEN 1 ELSE t.count + 1 END,
    blocked_until = CASE
        WHEN (CASE WHEN t.window_ends <= sqlc.arg(now) THEN 1 ELSE t.count + 1 END) < sqlc.arg(free) THEN 'epoch'
        ELSE sqlc.arg(now) + make_interval(secs => least(sqlc.arg(max_delay_seconds)::float8, sqlc.arg(delay_seconds)
            * power(2, least(20, (CASE WHEN t.window_ends <= sqlc.arg(now) THEN 1 ELSE t.count + 1 END) - sqlc.arg(free))))) END,
    window_ends = CASE WHEN t.window_ends <= sqlc.arg(now)
        THEN sqlc.arg(now) + make_interval(secs => sqlc.arg(window_seconds)::float8)
        ELSE greatest(t.window_ends, sqlc.arg(now) + make_interval(secs => sqlc.arg(max_delay_seconds)::float8)) END
WHERE t.blocked_until <= sqlc.arg(now)
RETURNING t.blocked_until;

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
