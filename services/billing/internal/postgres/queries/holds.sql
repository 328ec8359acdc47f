-- name: HoldRecord :one
-- What never changes about a hold, so it can be read without a lock.
SELECT uid, plan_credits, top_up_credits, reference FROM holds WHERE id = $1;

-- name: DueHolds :many
SELECT id, plan_credits, top_up_credits, reference FROM holds
WHERE uid = $1 AND state = 'held' AND expires_at <= @now;

-- name: DueMembers :many
-- Members for whom time has something to do, the longest due first, after the one that was named last.
-- Both halves read partial indexes that hold only what is still open, and no more of them than is asked.
SELECT due.uid, due.at::timestamptz AS at FROM (
    (SELECT h.uid, h.expires_at AS at FROM holds h
    WHERE h.state = 'held' AND h.expires_at <= @now AND (h.expires_at, h.uid) > (@after_at::timestamptz, @after_uid::uuid)
    ORDER BY h.expires_at, h.uid LIMIT @most)
    UNION ALL
    (SELECT b.uid, b.plan_expires_at AS at FROM balances b
    WHERE b.plan_expires_at <= @now AND (b.plan_expires_at, b.uid) > (@after_at::timestamptz, @after_uid::uuid)
    ORDER BY b.plan_expires_at, b.uid LIMIT @most)
) AS due
ORDER BY due.at, due.uid
LIMIT @most;

-- name: OpenHolds :one
SELECT count(*) AS open, coalesce(min(created_at), 'epoch')::timestamptz AS oldest FROM holds WHERE state = 'held';

-- name: OpenHoldsOfMember :many
-- What is set aside for a member's work just now, the newest first.
SELECT plan_credits, top_up_credits, reference, created_at FROM holds WHERE uid = $1 AND state = 'held' ORDER BY created_at DESC, id LIMIT @most;
