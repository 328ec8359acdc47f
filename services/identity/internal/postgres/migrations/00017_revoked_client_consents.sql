-- +goose Up

-- A member may take back what they let a client do: a row that is revoked ends all rows of the client before it.
ALTER TABLE client_consents ADD COLUMN revoked boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE client_consents DROP COLUMN revoked;
