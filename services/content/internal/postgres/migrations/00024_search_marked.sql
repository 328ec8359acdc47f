-- +goose Up

-- A member's own that is marked deleted, and can be recovered: found among these alone.
ALTER TABLE search_items ADD COLUMN marked boolean NOT NULL DEFAULT false;

-- +goose Down
DELETE FROM search_items WHERE marked;
ALTER TABLE search_items DROP COLUMN marked;
