-- name: Insert :execrows
-- The same key is the same mail.
INSERT INTO mails (id, idempotency_key, uid, recipient, template, data, created_at, expires_at, topic, told_at, held_until)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
ON CONFLICT (idempotency_key) DO NOTHING;

-- name: IDByKey :one
SELECT id FROM mails WHERE idempotency_key = $1;

-- name: ContactLetter :one
-- When the newest but so many of the letters that people wrote to us since then was queued; none where there are fewer.
SELECT created_at FROM mails WHERE template = 'contact' AND created_at > @since ORDER BY created_at DESC OFFSET @but LIMIT 1;

-- name: LetterOf :one
-- When the newest but so many of a member's letters of a kind since then went out or are to, without the one with the key; none
-- where there are fewer.
SELECT coalesce(held_until, created_at)::timestamptz AS at FROM mails
WHERE uid = @uid AND template = @template AND state <> 'failed' AND idempotency_key <> @key
    AND coalesce(held_until, created_at) > @since::timestamptz
ORDER BY coalesce(held_until, created_at) DESC OFFSET @but LIMIT 1;

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
-- Ends a mail once, and forgets what it said. The last letter to a member whose account is deleted leaves no address either.
UPDATE mails SET state = @state, reason = @reason, ended_at = @now::timestamptz, data = NULL, sending_since = NULL,
    recipient = CASE WHEN template = 'account_deleted' THEN '' ELSE recipient END
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
-- What waits, and since when; the epoch where nothing does. One that is held back is not due yet.
SELECT count(*) AS queued, coalesce(min(coalesce(held_until, created_at)), 'epoch')::timestamptz AS oldest FROM mails
WHERE state = 'queued' AND (held_until IS NULL OR held_until <= @now::timestamptz);

-- name: Tell :one
-- Notes when a fact of the topic happened, and returns the time of the topic's newest fact. The row stays locked until the commit, so
-- that letters of one topic are queued one after another.
INSERT INTO topics (topic, told_at) VALUES (@topic, @told_at)
ON CONFLICT (topic) DO UPDATE SET told_at = greatest(topics.told_at, excluded.told_at)
RETURNING told_at;

-- name: Overtake :many
-- Drops the waiting letters of a topic that are older than the new fact, except the letter of that fact itself.
UPDATE mails SET state = 'failed', reason = 'superseded', ended_at = @now::timestamptz, data = NULL, sending_since = NULL
WHERE topic = @topic AND topic <> '' AND state = 'queued' AND told_at < @told_at::timestamptz AND idempotency_key <> @key
RETURNING id, uid, template;

-- name: ForgetTopics :exec
DELETE FROM topics WHERE topic = ANY (@topics::text[]);
