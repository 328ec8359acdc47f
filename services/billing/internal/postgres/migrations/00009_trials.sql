-- +goose Up

-- The mailboxes that have had their trial, each as a keyed hash of identity's: one trial a person, however
-- many addresses a mailbox has. Only added to, and it says nothing of whose mailbox it is.
CREATE TABLE trials (
    mailbox_key bytea       PRIMARY KEY CHECK (octet_length(mailbox_key) = 32),
    started_at  timestamptz NOT NULL
);
REVOKE UPDATE, DELETE, TRUNCATE ON trials FROM billing;

-- +goose Down
DROP TABLE trials;
