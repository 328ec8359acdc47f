-- A draft is a script that is spoken while it is being written: its meditation is narrated, and passages_total is 0.

-- name: Draft :one
SELECT passages, rest_asked FROM scripts WHERE meditation_id = @meditation_id;

-- name: AddPassages :execrows
-- AddPassages locks the meditation first, as all do who end its work: what an earlier attempt adds comes before the change or not at all.
WITH mine AS (
    SELECT id FROM meditations
    WHERE meditations.id = @meditation_id AND attempt = @attempt AND state = 'narrating' AND passages_total = 0
    FOR UPDATE
)
UPDATE scripts SET passages = scripts.passages || @passages::jsonb
FROM mine
WHERE scripts.meditation_id = mine.id AND jsonb_array_length(scripts.passages) = @said::int;

-- name: AskRest :execrows
WITH mine AS (
    SELECT id FROM meditations
    WHERE meditations.id = @meditation_id AND attempt = @attempt AND state = 'narrating' AND passages_total = 0
    FOR UPDATE
)
UPDATE scripts SET rest_asked = true FROM mine WHERE scripts.meditation_id = mine.id;

-- name: CloseScript :one
UPDATE meditations SET words = @words, passages_total = @passages_total, version = version + 1
WHERE id = @id AND attempt = @attempt AND state = 'narrating' AND passages_total = 0 AND passages_done <= @passages_total
RETURNING *;
