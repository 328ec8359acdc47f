-- +goose Up

-- Where members stopped listening: the 500 items a member that were begun last. position_ms is 0 for what was heard to its end.
-- turn counts a member's beginnings: the newest turn of an item alone writes its place, and the newest of all is the one that plays.
-- Most writes change no index, and the room in each page is for them.
CREATE TABLE places (
    uid         uuid        NOT NULL,
    kind        text        NOT NULL CHECK (kind IN ('article', 'meditation', 'bespoke')),
    item        text        NOT NULL,
    turn        bigint      NOT NULL,
    step        bigint      NOT NULL, -- the last write of the turn
    device      uuid        NOT NULL, -- of the turn
    playing     bool        NOT NULL, -- at written_at
    position_ms bigint      NOT NULL,
    duration_ms bigint      NOT NULL,
    finished    bool        NOT NULL,
    written_at  timestamptz NOT NULL,
    PRIMARY KEY (uid, kind, item)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX places_newest ON places (uid, turn DESC);
CREATE INDEX places_of_bespoke ON places (item) WHERE kind = 'bespoke';

-- +goose Down
DROP TABLE places;
