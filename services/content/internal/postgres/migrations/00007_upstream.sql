-- +goose Up

-- How far the mirror of another delivery API is: one row a source, which is address, space and environment.
CREATE TABLE upstream (
    source    text        PRIMARY KEY,
    token     text        NOT NULL, -- goes on with the sync; empty: it begins anew
    beginning boolean     NOT NULL, -- the first round of a sync is not over yet
    round     int         NOT NULL, -- counts the syncs that began anew
    synced_at timestamptz           -- when a round last ended; null before the first
);

-- What the upstream told of in which sync: what it did not tell of when one began anew is taken from readers.
CREATE TABLE upstream_items (
    kind  text NOT NULL CHECK (kind IN ('Entry', 'Asset')),
    id    text NOT NULL,
    round int  NOT NULL,
    PRIMARY KEY (kind, id)
);

-- +goose Down
DROP TABLE upstream_items, upstream;
