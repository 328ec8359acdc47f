-- +goose Up

-- Members whose accounts were deleted, by the SHA-256 of their uid: events about their meditations may come later.
CREATE TABLE search_forgotten (
    member       bytea       PRIMARY KEY,
    forgotten_at timestamptz NOT NULL
);
CREATE INDEX search_forgotten_at ON search_forgotten (forgotten_at);

-- Retention removes every row that is not 'ready': meditations that generation has purged, and those that it never had.
DROP INDEX search_bespoke_gone;
CREATE INDEX search_bespoke_absent ON search_bespoke (changed_at) WHERE state <> 'ready';

-- +goose Down
DROP INDEX search_bespoke_absent;
CREATE INDEX search_bespoke_gone ON search_bespoke (changed_at) WHERE state = 'gone';
DROP TABLE search_forgotten;
