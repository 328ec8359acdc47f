-- A worker counts as living while its last heartbeat is newer than its lease, by the database's clock.

-- name: Beat :one
-- Beat says that a worker lives, and answers whether it was taken for dead.
WITH before AS (
    SELECT lost_at IS NOT NULL AS lost FROM workers WHERE workers.id = @id::uuid
)
INSERT INTO workers (id, name, recorders, pace, lease_until)
VALUES (@id::uuid, @name::text, @recorders::int, @pace::float8, now() + @lease::interval)
ON CONFLICT (id) DO UPDATE SET recorders = EXCLUDED.recorders, pace = EXCLUDED.pace, lease_until = EXCLUDED.lease_until, lost_at = NULL
RETURNING coalesce((SELECT lost FROM before), false)::boolean AS was_lost;

-- name: Excuse :exec
-- Excuse takes the blame for a death from work whose worker lives after all.
UPDATE meditations SET crashes = greatest(crashes - 1, 0), blamed_id = NULL
WHERE blamed_id = @id::uuid AND state IN ('writing', 'narrating', 'finishing');

-- name: LoseBefore :exec
-- LoseBefore ends the lives of those that ran where this worker runs now.
UPDATE workers SET lost_at = now() WHERE lost_at IS NULL AND name = @name AND id <> @id;

-- name: Leave :exec
UPDATE workers SET lost_at = now() WHERE id = @id AND lost_at IS NULL;

-- name: TakeBack :many
-- TakeBack finds the workers that were silent for too long, and makes what lost ones had claimable. The death
-- counts against all of it, until it makes progress. While the database itself was away nobody could be heard,
-- so after its start there is a grace.
WITH silent AS (
    UPDATE workers SET lost_at = now()
    WHERE lost_at IS NULL AND lease_until < now() AND pg_postmaster_start_time() < now() - @grace::interval
    RETURNING workers.id
)
UPDATE meditations
SET worker_id = NULL, lease_until = NULL, next_try_at = now(), crashes = crashes + 1, blamed_id = worker_id, version = version + 1
WHERE state IN ('writing', 'narrating', 'finishing')
  AND worker_id IN (SELECT silent.id FROM silent UNION ALL SELECT workers.id FROM workers WHERE lost_at IS NOT NULL)
RETURNING meditations.id, meditations.crashes;

-- name: Workers :many
-- Workers are those that live and the last that did, newest first.
SELECT recorders, pace, (lost_at IS NULL AND lease_until > now() - interval '1 minute')::boolean AS alive
FROM workers ORDER BY alive DESC, lease_until DESC LIMIT 1000;

-- name: Waiting :one
-- Waiting sums up what is still to be narrated, from the oldest, of no more pieces than most: beyond that the
-- queue is too long, however long it is.
SELECT count(*) AS pieces, coalesce(sum(expected_us - ready_us), 0)::bigint AS sound_us,
    coalesce(min(created_at) FILTER (WHERE state = 'queued'), 'epoch')::timestamptz AS oldest
FROM (
    SELECT state, expected_us, ready_us, created_at FROM meditations
    WHERE state IN ('queued', 'writing', 'narrating')
    ORDER BY deadline
    LIMIT @most
) AS work;
