-- name: FreeLapsedUsername :exec
DELETE FROM accounts WHERE username_key = $1 AND lapses_at <= sqlc.arg(now)::timestamptz;

-- name: DeleteUnconfirmed :exec
DELETE FROM accounts WHERE uid = $1 AND confirmed_at IS NULL;

-- name: EmailHasAccount :one
SELECT EXISTS (SELECT 1 FROM accounts WHERE email_key = $1 AND confirmed_at IS NOT NULL);

-- name: InsertAccount :execrows
-- A username that is taken adds no row. It is no error, which the server would log with the name.
INSERT INTO accounts (uid, username, username_key, email, email_key, given_name, family_name,
    password_hash, referral_code, reserved, created_at, lapses_at, invited_by)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
ON CONFLICT ON CONSTRAINT accounts_username DO NOTHING;

-- name: AccountByUID :one
SELECT * FROM accounts WHERE uid = $1 AND confirmed_at IS NOT NULL;

-- name: MemberOfReferralCode :one
SELECT uid FROM accounts WHERE referral_code = $1 AND confirmed_at IS NOT NULL AND deletes_at IS NULL;

-- name: PendingAccount :one
-- An account by its uid, confirmed or not, that has not lapsed.
SELECT * FROM accounts WHERE uid = $1 AND (lapses_at IS NULL OR lapses_at > sqlc.arg(now)::timestamptz);

-- name: AccountByUsername :one
SELECT * FROM accounts WHERE username_key = $1 AND (lapses_at IS NULL OR lapses_at > sqlc.arg(now)::timestamptz);

-- name: AccountByEmail :one
-- The confirmed account of an address comes first; unconfirmed ones only so that their owner
-- can be told to confirm.
SELECT * FROM accounts WHERE email_key = $1 AND (lapses_at IS NULL OR lapses_at > sqlc.arg(now)::timestamptz)
ORDER BY confirmed_at IS NULL, created_at DESC LIMIT 1;

-- name: ConfirmedAccountByEmail :one
SELECT * FROM accounts WHERE email_key = $1 AND confirmed_at IS NOT NULL;

-- name: LockAccountByUsername :one
SELECT * FROM accounts WHERE username_key = $1 AND (lapses_at IS NULL OR lapses_at > sqlc.arg(now)::timestamptz)
FOR UPDATE;

-- name: LockAccount :one
SELECT * FROM accounts WHERE uid = $1 AND confirmed_at IS NOT NULL FOR UPDATE;

-- name: ConfirmAccount :exec
UPDATE accounts SET confirmed_at = sqlc.arg(now)::timestamptz, lapses_at = NULL, invited_by = NULL WHERE uid = $1;

-- name: ReserveOthersOfEmail :exec
UPDATE accounts SET reserved = true WHERE email_key = $1 AND confirmed_at IS NULL;

-- name: UpdatePasswordHash :exec
-- Only where the hash is still the one that was checked: a password change in between wins.
UPDATE accounts SET password_hash = sqlc.arg(new_hash) WHERE uid = $1 AND password_hash = sqlc.arg(old_hash);
