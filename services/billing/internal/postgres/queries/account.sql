-- name: Account :one
-- Everything a page shows of a member's plan and credits, in one round trip. Both sides of
-- the joins may be missing: a member whose trial has not started has neither.
SELECT
    s.plan_id, p.name AS plan_name, p.kind AS plan_kind, p.entitlements, s.starts_at, s.ends_at,
    b.plan_available, b.top_up_available, b.plan_held, b.top_up_held, b.next_due
FROM (SELECT @uid::uuid AS uid) AS member
LEFT JOIN subscriptions s ON s.uid = member.uid
LEFT JOIN plans p ON p.id = s.plan_id
LEFT JOIN balances b ON b.uid = member.uid;

-- name: Subscribe :execrows
-- A member who has a plan keeps it.
INSERT INTO subscriptions (uid, plan_id, starts_at, ends_at)
VALUES ($1, $2, $3, $4)
ON CONFLICT (uid) DO NOTHING;
