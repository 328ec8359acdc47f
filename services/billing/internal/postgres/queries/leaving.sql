-- name: Leave :execrows
-- What was told last counts. Nothing is noted of one whose account is gone.
INSERT INTO leaving (uid, leaves, told_at)
SELECT @uid, @leaves, @at WHERE NOT EXISTS (SELECT FROM departed d WHERE d.member = sha256(uuid_send(@uid::uuid)))
ON CONFLICT (uid) DO UPDATE SET leaves = excluded.leaves, told_at = excluded.told_at WHERE leaving.told_at < excluded.told_at;

-- name: Stays :one
-- Whether a member who had asked for the account to be deleted has taken that back.
SELECT EXISTS (SELECT FROM leaving WHERE uid = $1 AND NOT leaves);

-- name: ForgetLeaving :exec
DELETE FROM leaving WHERE uid = $1;
