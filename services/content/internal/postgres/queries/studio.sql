-- name: ListMade :many
-- One page of what was made in the studio and is not done with, the newest first; the condition is that of its index.
SELECT * FROM items
WHERE environment = @environment AND made_at IS NOT NULL AND (
    deleted_at IS NOT NULL OR NOT fields ? 'audio' OR (content_type = 'meditation' AND NOT fields @? '$.verified.* ? (@ == true)'))
  AND made_at <= @made_at AND (made_at < @made_at OR id > @after)
ORDER BY made_at DESC, id
LIMIT @most;

-- name: CountUnverified :one
-- How many meditations of the studio wait for verification, among the first thousand items that need work.
SELECT count(*) FILTER (WHERE unverified)::int AS unverified FROM (
    SELECT deleted_at IS NULL AND content_type = 'meditation' AND NOT fields @? '$.verified.* ? (@ == true)' AS unverified FROM items
    WHERE environment = @environment AND made_at IS NOT NULL AND (
        deleted_at IS NOT NULL OR NOT fields ? 'audio' OR (content_type = 'meditation' AND NOT fields @? '$.verified.* ? (@ == true)'))
    ORDER BY made_at DESC, id
    LIMIT 1000
) AS made;
