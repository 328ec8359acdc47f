-- +goose Up

-- What admins make in the studio, and what they have deleted: it can be restored for a day.
ALTER TABLE items ADD COLUMN made_at timestamptz, ADD COLUMN deleted_at timestamptz;
CREATE INDEX items_deleted ON items (deleted_at) WHERE deleted_at IS NOT NULL;
-- Items of the studio that need work: without a sound, not verified, or deleted.
CREATE INDEX items_made ON items (environment, made_at DESC, id) WHERE made_at IS NOT NULL AND (
    deleted_at IS NOT NULL OR NOT fields ? 'audio' OR (content_type = 'meditation' AND NOT fields @? '$.verified.* ? (@ == true)'));

-- +goose Down
DROP INDEX items_made, items_deleted;
ALTER TABLE items DROP COLUMN made_at, DROP COLUMN deleted_at;
