-- +goose Up

-- What a member let a client that is not our own do. A row for each answer; asking for more than one
-- of them covers is asked again. Rows go only with their account.
CREATE TABLE client_consents (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    uid       uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    client_id text NOT NULL,
    scopes    text[] NOT NULL,
    given_at  timestamptz NOT NULL
);
CREATE INDEX client_consents_member ON client_consents (uid, client_id);
REVOKE UPDATE, DELETE, TRUNCATE ON client_consents FROM identity;

-- +goose Down
DROP TABLE client_consents;
