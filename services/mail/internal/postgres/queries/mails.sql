-- name: Insert :execrows
-- The same key is the same mail.
INSERT INTO mails (id, idempotency_key, uid, recipient, template, data, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (idempotency_key) DO NOTHING;

-- name: IDByKey :one
SELECT id FROM mails WHERE idempotency_key = $1;

-- name: ContactLetter :one
-- When the newest but so many of the letters that people wrote to us since then was queued; none where there are fewer.
SELECT created_at FROM mails WHERE template = 'contact' AND created_at > @since ORDER BY created_at DESC OFFSET @but LIMIT 1;

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

-- name: Overdue :many
-- Mails that wait although they are of no use any more: the job that would have ended them is gone. One that is being
-- handed over right now is left to its attempt.
SELECT id FROM mails
WHERE state = 'queued' AND expires_at < @now::timestamptz AND (sending_since IS NULL OR sending_since < @idle_since::timestamptz)
ORDER BY expires_at
LIMIT @most;

-- name: Waiting :one
-- What waits, and since when; the epoch where nothing does.
SELECT count(*) AS queued, coalesce(min(created_at), 'epoch')::timestamptz AS oldest FROM mails WHERE state = 'queued';
