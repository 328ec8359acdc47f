-- +goose Up

-- A refresh token has one successor, however often it is asked for: none is superseded any more.
ALTER TABLE refresh_tokens DROP COLUMN superseded;

-- +goose Down
ALTER TABLE refresh_tokens ADD COLUMN superseded boolean NOT NULL DEFAULT false;
