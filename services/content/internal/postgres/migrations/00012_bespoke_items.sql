-- +goose Up

-- What members did with a meditation of their own goes with it.
CREATE INDEX likes_of_bespoke ON likes (item) WHERE kind = 'bespoke';
CREATE INDEX saved_of_bespoke ON saved (item) WHERE kind = 'bespoke';

-- +goose Down
DROP INDEX likes_of_bespoke, saved_of_bespoke;
