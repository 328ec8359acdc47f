-- +goose Up

-- When each policy of package retention has last been through all that it removes. It is kept here
-- because a time in a process's memory begins anew with every deploy.
CREATE TABLE retention (
    name     text        PRIMARY KEY,
    last_run timestamptz NOT NULL
);

CREATE INDEX inbox_handled ON inbox (handled_at);

-- +goose Down
DROP INDEX inbox_handled;
DROP TABLE retention;
