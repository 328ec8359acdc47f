-- name: LockMember :exec
-- Held until the commit: a member is not remembered while their account is forgotten.
SELECT pg_advisory_xact_lock(hashtextextended('serein.mail.' || @uid::text, 0));

-- name: Remember :exec
-- One whose account is gone is not remembered again: events come in any order.
INSERT INTO members (uid, email, given_name)
SELECT @uid, @email, @given_name WHERE NOT EXISTS (SELECT FROM departed d WHERE d.member = @member::bytea)
ON CONFLICT (uid) DO UPDATE SET email = excluded.email, given_name = excluded.given_name;

-- name: Member :one
SELECT email, given_name FROM members WHERE uid = @uid;

-- name: Forget :exec
DELETE FROM members WHERE uid = @uid;

-- name: Depart :exec
INSERT INTO departed (member, departed_at) VALUES (@member, @at) ON CONFLICT DO NOTHING;

-- name: HasDeparted :one
SELECT EXISTS (SELECT FROM departed WHERE member = @member)::bool AS departed;
