-- name: Ended :many
SELECT * FROM meditations
WHERE uid = @uid AND settled AND state IN ('ready', 'failed', 'cancelled', 'refunded', 'abandoned', 'deleted')
LIMIT @most;

-- name: Erase :exec
-- Its script and its segments go with it.
DELETE FROM meditations WHERE id = @id;

-- name: HasAny :one
SELECT EXISTS (SELECT FROM meditations WHERE uid = @uid);
