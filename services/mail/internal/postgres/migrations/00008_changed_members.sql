-- +goose Up

-- as_of is when what stands here was true at last: no order holds between the events that tell of it.
ALTER TABLE members ADD COLUMN as_of timestamptz NOT NULL DEFAULT 'epoch';

-- +goose Down
ALTER TABLE members DROP COLUMN as_of;
