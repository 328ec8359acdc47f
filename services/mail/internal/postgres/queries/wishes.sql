-- name: Refusal :one
-- Why a letter to an address of a member is not sent: what is known of the address, and what its reader does without.
SELECT coalesce((SELECT s.reason FROM suppressed s WHERE s.address = @address::bytea), '')::text AS suppressed,
    (EXISTS (SELECT FROM declined d WHERE d.uid = @uid::uuid AND d.kind = @kind::text))::bool AS declined,
    (EXISTS (SELECT FROM leaving l WHERE l.uid = @uid::uuid AND l.leaves))::bool AS leaving,
    (EXISTS (SELECT FROM marketing m WHERE m.uid = @uid::uuid AND m.given))::bool AS agreed,
    (EXISTS (SELECT FROM uninvited u WHERE u.address = @address::bytea))::bool AS uninvited;

-- name: Declined :many
SELECT kind FROM declined WHERE uid = @uid;

-- name: Decline :exec
-- One whose account is gone leaves no row again.
INSERT INTO declined (uid, kind, declined_at)
SELECT @uid, @kind, @at WHERE NOT EXISTS (SELECT FROM departed d WHERE d.member = @member::bytea)
ON CONFLICT DO NOTHING;

-- name: Wish :exec
DELETE FROM declined WHERE uid = @uid AND kind = @kind;

-- name: ForgetDeclined :exec
DELETE FROM declined WHERE uid = @uid;

-- name: Agree :exec
-- What was said last counts. Nothing is noted of one whose account is gone.
INSERT INTO marketing (uid, given, told_at)
SELECT @uid, @given, @at WHERE NOT EXISTS (SELECT FROM departed d WHERE d.member = @member::bytea)
ON CONFLICT (uid) DO UPDATE SET given = excluded.given, told_at = excluded.told_at WHERE marketing.told_at < excluded.told_at;

-- name: ForgetAgreed :exec
DELETE FROM marketing WHERE uid = @uid;

-- name: Uninvite :exec
INSERT INTO uninvited (address, declined_at) VALUES (@address, @at) ON CONFLICT DO NOTHING;

-- name: Suppress :execrows
-- Nobody there is more than one who complained.
INSERT INTO suppressed AS s (address, reason, suppressed_at) VALUES (@address, @reason, @at)
ON CONFLICT (address) DO UPDATE SET reason = excluded.reason, suppressed_at = excluded.suppressed_at
WHERE s.reason <> excluded.reason AND excluded.reason = 'bounce';

-- name: Unsuppress :exec
DELETE FROM suppressed WHERE address = @address;
