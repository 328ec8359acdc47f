-- name: LockMember :exec
-- What a member adds, and the end of their account, come one after the other: bounds hold, and nothing is added afterwards.
SELECT pg_advisory_xact_lock(hashtextextended('serein.content.member.' || @uid::text, 0));

-- name: Progress :many
-- What a member takes, the last touched first.
SELECT course, done, touched, turn FROM course_progress WHERE uid = $1 ORDER BY touched DESC;

-- name: SetProgress :exec
-- Nothing where the account is deleted.
INSERT INTO course_progress (uid, course, done, touched, turn) SELECT @uid, @course, @done, @touched, @turn
WHERE NOT EXISTS (SELECT FROM departed WHERE departed.member = @member)
ON CONFLICT (uid, course) DO UPDATE SET done = EXCLUDED.done, touched = EXCLUDED.touched, turn = EXCLUDED.turn;

-- name: LeaveCourses :exec
DELETE FROM course_progress WHERE uid = @uid AND course = ANY (@courses::text[]);

-- name: DeleteProgress :exec
DELETE FROM course_progress WHERE uid = $1;
