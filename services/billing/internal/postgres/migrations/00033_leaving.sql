-- +goose Up

-- Who has asked for the account to be deleted, and who stays after all: what is to end a membership is done for who leaves alone.
-- told_at is of the wish or of its end, whichever was told last: the two come in any order.
CREATE TABLE leaving (
    uid     uuid        PRIMARY KEY,
    leaves  boolean     NOT NULL,
    told_at timestamptz NOT NULL
);
REVOKE TRUNCATE ON leaving FROM billing;

-- +goose Down
DROP TABLE leaving;
