-- +goose Up

-- How far the mirror of another delivery API is: one row a source, which is address, space and environment.
CREATE TABLE upstream (
    source    text        PRIMARY KEY,
    token     text        NOT NULL, -- continues the sync; empty: the sync restarts
    beginning boolean     NOT NULL, -- the first round of a sync is not over yet
    round     int         NOT NULL, -- counts the restarts of the sync
    synced_at timestamptz           -- when a round last ended; null before the first
);

-- The items that the upstream sent, and in which sync. After a restart the mirror withdraws the items that the new sync did not send.
CREATE TABLE upstream_items (
    kind  text NOT NULL CHECK (kind IN ('Entry', 'Asset')),
    id    text NOT NULL,
    round int  NOT NULL,
    PRIMARY KEY (kind, id)
);

-- +goose Down
DROP TABLE upstream_items, upstream;
