-- +goose Up

-- One row per event, written in the transaction of the state change that it tells of. The
-- relay publishes rows in the order of seq among those it can see; rows stay afterwards so
-- that a lost stream can be published again.
CREATE TABLE outbox (
    id           uuid        PRIMARY KEY,
    seq          bigint      GENERATED ALWAYS AS IDENTITY,
    subject      text        NOT NULL,
    payload      bytea       NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT now(),
    published_at timestamptz
);
CREATE INDEX outbox_unpublished ON outbox (seq) WHERE published_at IS NULL;
CREATE INDEX outbox_created ON outbox (created_at);

-- One row per consumer and event, written in the transaction of the event's effect.
CREATE TABLE inbox (
    consumer   text        NOT NULL,
    event_id   uuid        NOT NULL,
    handled_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (consumer, event_id)
);

-- +goose Down
DROP TABLE inbox;
DROP TABLE outbox;
