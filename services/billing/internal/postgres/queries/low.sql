-- name: LowBalance :one
-- What the event of a low balance says: the grant, and the plan, which may renew the credits or let the member buy some.
SELECT coalesce(b.untold_grant, '')::text AS grant_cause, s.renews, s.ends_at, s.access_until, p.entitlements
FROM balances b
LEFT JOIN subscriptions s ON s.uid = b.uid
LEFT JOIN plans p ON p.id = s.plan_id
WHERE b.uid = $1;
