-- +goose Up

-- The member had it made without anybody outside Serein. It is also what the form offers for the next one.
ALTER TABLE meditations ADD COLUMN kept_inside boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE meditations DROP COLUMN kept_inside;
