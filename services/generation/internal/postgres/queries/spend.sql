-- What outside writers and narrators cost.

-- name: AddSpent :exec
-- AddSpent adds a cost to the rows of these uids. In the order of the uids, no two processes wait for each other.
INSERT INTO outside_spend (day, uid, kind, microunits)
SELECT @day::date, whose.uid, @kind::text, @microunits::bigint
FROM (SELECT unnest(@uids::uuid[]) AS uid) AS whose
ORDER BY whose.uid
ON CONFLICT (uid, day, kind) DO UPDATE SET microunits = outside_spend.microunits + excluded.microunits;

-- name: Spent :many
SELECT uid, microunits FROM outside_spend WHERE uid = ANY (@uids::uuid[]) AND day = @day::date AND kind = @kind::text;

-- name: ForgetSpent :exec
DELETE FROM outside_spend WHERE uid = @uid;
