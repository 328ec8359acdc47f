-- +goose Up

-- What the member asked for; narrator_id is who speaks. Empty means that none was asked for.
ALTER TABLE meditations
    ADD COLUMN asked_narrator_id text NOT NULL DEFAULT '',
    ADD COLUMN language          text NOT NULL DEFAULT 'en-GB';

-- +goose Down
ALTER TABLE meditations
    DROP COLUMN language,
    DROP COLUMN asked_narrator_id;
