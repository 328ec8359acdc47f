-- The column settled says that the hold has ended in billing as the work ended here. In Go it is
-- Reconciled, since settling is a word of billing (sqlc.yaml renames it). The column keeps its name:
-- while a roll-out lasts, the version before still reads it.

-- name: Fail :one
-- Fail ends work that its worker gives up. reconciled says that the hold has ended already.
UPDATE meditations
SET state = 'failed', failure_reason = @reason, settled = @reconciled, lease_until = NULL,
    ended_at = @now::timestamptz, next_try_at = now(), version = version + 1
WHERE id = @id AND attempt = @attempt AND state IN ('writing', 'narrating', 'finishing')
RETURNING *;

-- name: Cancellable :one
-- Cancellable holds the row still while its terms are judged: a segment is added before or after. Once the
-- finishing has begun there is no row: billing may have been asked for the money.
SELECT * FROM meditations
WHERE id = @id AND uid = @uid AND state IN ('queued', 'writing', 'narrating')
FOR UPDATE;

-- name: FreeCancellations :one
SELECT count(*) FROM meditations WHERE uid = @uid AND state = 'cancelled' AND ended_at > @since::timestamptz;

-- name: Cancel :one
-- Cancel leaves nothing to hear; its segments and its script go in the same transaction.
UPDATE meditations
SET state = 'cancelled', passages_done = 0, ready_us = 0, audio_bytes = 0, lease_until = NULL,
    ended_at = @now::timestamptz, next_try_at = now(), version = version + 1
WHERE id = @id
RETURNING *;

-- name: EndEarly :one
-- EndEarly shortens the meditation to the part that is narrated. It raises the attempt, so that the worker that narrates stops.
UPDATE meditations
SET state = 'finishing', ended_early = true, passages_total = passages_done, expected_us = ready_us, words = @words,
    attempt = attempt + 1, tries = 0, crashes = 0, worker_id = NULL, lease_until = NULL, next_try_at = now(),
    deadline = greatest(deadline, @deadline::timestamptz), version = version + 1
WHERE id = @id
RETURNING *;

-- name: ReplaceScript :exec
UPDATE scripts SET passages = @passages WHERE meditation_id = @meditation_id;

-- name: Refund :one
-- Refund ends work that was paid for and whose sound is lost. The sweep that reconciles holds asks billing for the refund.
UPDATE meditations
SET state = 'refunded', failure_reason = @reason, passages_done = 0, ready_us = 0, audio_bytes = 0, lease_until = NULL,
    ended_at = @now::timestamptz, next_try_at = now(), version = version + 1
WHERE id = @id AND attempt = @attempt AND state = 'finishing'
RETURNING *;

-- name: FailOverdue :many
-- FailOverdue leaves finishing work alone: there only billing can say whether it was paid for.
UPDATE meditations
SET state = 'failed', failure_reason = @reason, lease_until = NULL, ended_at = @now::timestamptz,
    next_try_at = now(), version = version + 1
WHERE id IN (
    SELECT due.id FROM meditations AS due
    WHERE due.state IN ('queued', 'writing', 'narrating') AND due.deadline <= @now::timestamptz
    ORDER BY due.deadline
    LIMIT @most
    FOR UPDATE SKIP LOCKED
)
RETURNING id;

-- name: Shed :many
-- Shed gives up work that nobody has begun and nobody can finish by its deadline any more. soon bounds what is
-- looked at: no work takes longer.
UPDATE meditations
SET state = 'failed', failure_reason = @reason, ended_at = @now::timestamptz, next_try_at = now(), version = version + 1
WHERE id IN (
    SELECT late.id FROM meditations AS late
    WHERE late.state IN ('queued', 'writing', 'narrating') AND late.state = 'queued' AND late.deadline <= @soon::timestamptz
      AND late.deadline <= sqlc.arg(now)::timestamptz + make_interval(secs => sqlc.arg(effort)::float8 * late.expected_us / 1e6)
    ORDER BY late.deadline
    LIMIT @most
    FOR UPDATE SKIP LOCKED
)
RETURNING id;

-- name: Unreconciled :many
SELECT * FROM meditations
WHERE state IN ('failed', 'cancelled', 'refunded', 'abandoned') AND NOT settled AND next_try_at <= now()
ORDER BY next_try_at
LIMIT 100;

-- name: Reconcile :many
UPDATE meditations SET settled = true, version = version + 1
WHERE id = @id AND state IN ('failed', 'cancelled', 'refunded', 'abandoned') AND NOT settled
RETURNING *;

-- name: PostponeReconciling :exec
UPDATE meditations SET next_try_at = now() + @wait::interval, tries = tries + 1
WHERE id = @id AND NOT settled;

-- name: Untidy :many
SELECT * FROM meditations
WHERE settled AND NOT tidied AND next_try_at <= now()
ORDER BY next_try_at
LIMIT 100;

-- name: PostponeTidying :exec
UPDATE meditations SET next_try_at = now() + @wait::interval, tries = tries + 1 WHERE id = @id AND NOT tidied;

-- name: Tidied :execrows
-- Tidied names the state that was tidied: of what is deleted more has to go than of what is ready. What has no words any more has no name to be
-- spoken either.
UPDATE meditations SET tidied = true, brief = CASE WHEN state IN ('failed', 'cancelled') THEN brief - 'given_name' ELSE brief END
WHERE id = @id AND state = @state AND NOT tidied;

-- name: DeleteSegments :exec
DELETE FROM segments WHERE meditation_id = @meditation_id;

-- name: DeleteScript :exec
DELETE FROM scripts WHERE meditation_id = @meditation_id;

-- name: DeleteAbandoned :exec
DELETE FROM meditations WHERE id = @id AND state = 'abandoned' AND settled;

-- name: Notify :exec
SELECT pg_notify('generation', topic) FROM unnest(@topics::text[]) AS topic;
