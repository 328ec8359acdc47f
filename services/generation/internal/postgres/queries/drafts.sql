-- name: CreateDraft :one
-- CreateDraft keeps a script, or finds the draft of the same key; the update of the key changes nothing and is there for RETURNING to
-- answer that row. No row: the member has enough drafts. The caller holds the member's lock.
INSERT INTO drafts (id, uid, idempotency_key, request, brief, passages, created_at)
SELECT @id::uuid, @uid::uuid, @idempotency_key::uuid, @request::jsonb, @brief::jsonb, @passages::jsonb, @created_at::timestamptz
WHERE (SELECT count(*) FROM drafts AS other WHERE other.uid = @uid::uuid AND other.created_at > @since::timestamptz) < @most::integer
OR EXISTS (SELECT FROM drafts AS earlier WHERE earlier.uid = @uid::uuid AND earlier.idempotency_key = @idempotency_key::uuid)
ON CONFLICT (uid, idempotency_key) DO UPDATE SET idempotency_key = EXCLUDED.idempotency_key
RETURNING *;

-- name: DraftOfKey :one
SELECT * FROM drafts WHERE uid = @uid AND idempotency_key = @idempotency_key AND created_at > @since::timestamptz;

-- name: OwnDraft :one
SELECT * FROM drafts WHERE id = @id AND uid = @uid AND created_at > @since::timestamptz;

-- name: DraftsOf :many
SELECT * FROM drafts WHERE uid = @uid AND created_at > @since::timestamptz ORDER BY created_at DESC, id DESC LIMIT @most;

-- name: ChangeDraft :one
-- ChangeDraft changes the lines of one revision; no row where the draft has another one, or is gone.
UPDATE drafts SET passages = @passages, rewrites = @rewrites, revision = revision + 1
WHERE id = @id AND uid = @uid AND revision = @revision
RETURNING *;

-- name: TakeDraft :execrows
-- TakeDraft gives a revision of a draft to a request, unless another one has it: of two at once the second waits for the first, and gets none.
UPDATE drafts SET taken_by = @taken_by::uuid
WHERE drafts.id = @id AND drafts.uid = @uid AND drafts.revision = @revision AND drafts.created_at > @since::timestamptz AND drafts.taken_by IS NULL;

-- name: DeleteDraft :exec
DELETE FROM drafts WHERE id = @id AND uid = @uid;

-- name: EraseDrafts :exec
DELETE FROM drafts WHERE uid = @uid;
