-- +goose Up

-- What the lists of My Journey ask of a card, so that counting what a member has saved reads the index alone.
ALTER TABLE cards
    ADD COLUMN verified bool NOT NULL GENERATED ALWAYS AS (COALESCE((card -> 'Verified')::bool, false)) STORED,
    ADD COLUMN intro    bool NOT NULL GENERATED ALWAYS AS (COALESCE((card -> 'Intro')::bool, false)) STORED;
CREATE INDEX cards_kept ON cards (kind, id) INCLUDE (verified, intro);

-- +goose Down
DROP INDEX cards_kept;
ALTER TABLE cards DROP COLUMN verified, DROP COLUMN intro;
