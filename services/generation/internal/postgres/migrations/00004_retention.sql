-- +goose Up

-- What finds work that was given up long ago.
CREATE INDEX meditations_given_up ON meditations (ended_at) WHERE state IN ('failed', 'cancelled', 'abandoned');

-- +goose Down
DROP INDEX meditations_given_up;
