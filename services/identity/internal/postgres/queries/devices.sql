-- name: UsableSessions :many
-- Sessions of a member whose cookie, or a grant that came of them, could be used now; the one used last first.
SELECT * FROM sessions AS s WHERE s.uid = $1 AND s.ends_at > sqlc.arg(now)::timestamptz AND (s.expires_at > sqlc.arg(now)
    OR EXISTS (SELECT 1 FROM grants AS g WHERE g.sid = s.sid AND g.revoked_at IS NULL AND g.expires_at > sqlc.arg(now)))
ORDER BY s.used_at DESC, s.sid DESC;

-- name: SessionByID :one
SELECT * FROM sessions WHERE sid = $1;

-- name: SessionOfMember :one
SELECT sid FROM sessions WHERE sid = $1 AND uid = $2;

-- name: UseSession :exec
-- At most one write in that time, unless its end moves further.
UPDATE sessions SET used_at = sqlc.arg(now)::timestamptz, ends_at = greatest(ends_at, sqlc.arg(ends_at)::timestamptz)
WHERE sid = $1 AND used_at <= sqlc.arg(now)::timestamptz - make_interval(secs => sqlc.arg(every_seconds)::float8);

-- name: SurplusSessions :many
-- Those of a member beyond the ones used last, among browsers that are known by their names or among all else.
SELECT sid FROM sessions WHERE uid = $1 AND (kind = 'other') = (sqlc.arg(kind)::text = 'other') ORDER BY used_at DESC, sid DESC OFFSET sqlc.arg(most)::int;
