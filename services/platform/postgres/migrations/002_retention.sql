-- +goose Up

-- When each policy of package retention last removed all rows that were due. The time is kept here
-- because every deploy would reset a time in a process's memory.
CREATE TABLE retention (
    name     text        PRIMARY KEY,
    last_run timestamptz NOT NULL
);

CREATE INDEX inbox_handled ON inbox (handled_at);

-- +goose Down
DROP INDEX inbox_handled;
DROP TABLE retention;
