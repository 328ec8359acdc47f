-- name: HoldRecord :one
-- What never changes about a hold, so it can be read without a lock.
SELECT uid, plan_credits, top_up_credits, reference FROM holds WHERE id = $1;

-- name: DueHolds :many
SELECT id, plan_credits, top_up_credits, reference FROM holds
WHERE uid = $1 AND state = 'held' AND expires_at <= @now;

-- name: DueMembers :many
-- Members for whom time has something to do. Both halves read partial indexes that hold only
-- what is still open.
SELECT uid FROM holds WHERE state = 'held' AND holds.expires_at <= @now
UNION
SELECT uid FROM balances WHERE plan_expires_at <= @now
LIMIT @most;
