-- +goose Up

-- Members whose deletion this service is at. A row goes, with the uid, once nothing of the member is left here but what the law
-- asks for (package erasure).
CREATE TABLE erasures (
    id          uuid        PRIMARY KEY, -- of the deletion; it names nobody
    uid         uuid        NOT NULL,
    asked_at    timestamptz NOT NULL DEFAULT now(),
    next_try_at timestamptz NOT NULL DEFAULT now(),
    tries       int         NOT NULL DEFAULT 0
);
CREATE INDEX erasures_due ON erasures (next_try_at);

-- +goose Down
DROP TABLE erasures;
