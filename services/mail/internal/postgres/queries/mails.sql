-- name: Insert :execrows
-- The same key is the same mail.
INSERT INTO mails (id, idempotency_key, uid, recipient, template, data, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (idempotency_key) DO NOTHING;

-- name: IDByKey :one
SELECT id FROM mails WHERE idempotency_key = $1;

-- name: Begin :one
-- Takes a queued mail for one attempt, and counts an attempt whose end nobody learned.
UPDATE mails SET
    uncertain     = uncertain + (sending_since IS NOT NULL)::int,
    sending_since = @now::timestamptz
WHERE id = @id AND state = 'queued'
RETURNING id, idempotency_key, uid, recipient, template, data, created_at, expires_at, uncertain;

-- name: Postpone :exec
-- The attempt failed for certain; another will come.
UPDATE mails SET sending_since = NULL WHERE id = $1 AND state = 'queued';

-- name: Finish :one
-- Ends a mail once, and forgets what it said.
UPDATE mails SET state = @state, reason = @reason, ended_at = @now::timestamptz, data = NULL, sending_since = NULL
WHERE id = @id AND state = 'queued'
RETURNING uid, template;
