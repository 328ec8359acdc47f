-- +goose Up

-- Who has asked for the account to be deleted gets no letters but the receipt of that and the codes that they ask for. told_at is of
-- the wish or of its end, whichever was told last: the two come in any order.
CREATE TABLE leaving (
    uid     uuid        PRIMARY KEY,
    leaves  boolean     NOT NULL,
    told_at timestamptz NOT NULL
);

-- All letters of a member go with the account.
CREATE INDEX mails_uid ON mails (uid) WHERE uid <> '';

-- +goose Down
DROP INDEX mails_uid;
DROP TABLE leaving;
