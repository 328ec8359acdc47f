-- name: LockMember :exec
-- Held until the commit: a member is not remembered while their account is forgotten.
SELECT pg_advisory_xact_lock(hashtextextended('serein.mail.' || @uid::text, 0));

-- name: Remember :exec
-- One whose account is gone is not remembered again: events come in any order, and the newest is right.
INSERT INTO members (uid, email, given_name, as_of)
SELECT @uid, @email, @given_name, @at WHERE NOT EXISTS (SELECT FROM departed d WHERE d.member = @member::bytea)
ON CONFLICT (uid) DO UPDATE SET email = excluded.email, given_name = excluded.given_name, as_of = excluded.as_of
WHERE members.as_of <= excluded.as_of;

-- name: Member :one
SELECT email, given_name FROM members WHERE uid = @uid;

-- name: Forget :exec
DELETE FROM members WHERE uid = @uid;

-- name: Leave :exec
-- What was told last counts. Nothing is noted of one whose account is gone.
INSERT INTO leaving (uid, leaves, told_at)
SELECT @uid, @leaves, @at WHERE NOT EXISTS (SELECT FROM departed d WHERE d.member = @member::bytea)
ON CONFLICT (uid) DO UPDATE SET leaves = excluded.leaves, told_at = excluded.told_at WHERE leaving.told_at < excluded.told_at;

-- name: ForgetLeaving :exec
DELETE FROM leaving WHERE uid = @uid;

-- name: ForgetMails :exec
DELETE FROM mails WHERE uid = @uid AND uid <> '';
