-- name: SetAdmin :exec
UPDATE accounts SET admin = $2 WHERE uid = $1;

-- name: InsertRoleChange :exec
INSERT INTO role_changes (uid, role, granted, changed_by, note, changed_at) VALUES ($1, $2, $3, $4, $5, $6);
