-- name: ChangeName :exec
UPDATE accounts SET given_name = $2, family_name = $3 WHERE uid = $1;

-- name: ChangeEmail :exec
UPDATE accounts SET email = $2, email_key = $3 WHERE uid = $1;

-- name: EndAddressChanges :exec
UPDATE address_changes SET ended_at = sqlc.arg(now)::timestamptz WHERE uid = $1 AND ended_at IS NULL;

-- name: InsertAddressChange :exec
INSERT INTO address_changes (id, uid, email, email_key, reserved, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: LiveAddressChange :one
SELECT * FROM address_changes WHERE uid = $1 AND ended_at IS NULL;

-- name: AddressChange :one
SELECT * FROM address_changes WHERE id = $1;

-- name: FinishAddressChange :exec
-- expires_at is how long its last letter may need.
UPDATE address_changes SET ended_at = sqlc.arg(now)::timestamptz, former_email = $2, expires_at = $3 WHERE id = $1;
