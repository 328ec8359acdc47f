-- +goose Up
ALTER TABLE narrations ADD COLUMN opened_at timestamptz; -- when a reader first opened the entry while it waited for its sound

-- +goose Down
ALTER TABLE narrations DROP COLUMN opened_at;
