-- +goose Up

-- What could not be tidied waits, so that it does not stand before the rest.
DROP INDEX meditations_untidy;
CREATE INDEX meditations_untidy ON meditations (next_try_at) WHERE settled AND NOT tidied;

-- +goose Down
DROP INDEX meditations_untidy;
CREATE INDEX meditations_untidy ON meditations (ended_at) WHERE settled AND NOT tidied;
