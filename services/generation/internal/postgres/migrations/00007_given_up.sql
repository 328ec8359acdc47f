-- +goose Up

-- Work that was refunded was given up as well.
DROP INDEX meditations_given_up;
CREATE INDEX meditations_given_up ON meditations (ended_at) WHERE state IN ('failed', 'cancelled', 'refunded', 'abandoned');

-- +goose Down
DROP INDEX meditations_given_up;
CREATE INDEX meditations_given_up ON meditations (ended_at) WHERE state IN ('failed', 'cancelled', 'abandoned');
