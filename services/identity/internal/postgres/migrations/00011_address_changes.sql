-- +goose Up

-- Addresses that members ask for. Each waits for two codes, one of either mailbox; the present address stays until then. Once it is
-- done the row keeps the former address for its last letter.
CREATE TABLE address_changes (
    id           uuid PRIMARY KEY,
    uid          uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    email        text NOT NULL,
    email_key    text NOT NULL,
    -- reserved: the address is somebody's. It answers like any other, and its code never counts.
    reserved     boolean NOT NULL,
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    ended_at     timestamptz,
    former_email text NOT NULL DEFAULT '',
    CONSTRAINT address_changes_former_when_ended CHECK (former_email = '' OR ended_at IS NOT NULL)
);
CREATE UNIQUE INDEX address_changes_live ON address_changes (uid) WHERE ended_at IS NULL;
CREATE INDEX address_changes_uid ON address_changes (uid);
CREATE INDEX address_changes_expiry ON address_changes (expires_at);

-- +goose Down
DROP TABLE address_changes;
