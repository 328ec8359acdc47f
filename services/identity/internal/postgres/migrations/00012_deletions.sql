-- +goose Up

-- deletes_at: the member has asked for the account to be deleted. Until then it can be undone by signing in.
ALTER TABLE accounts ADD COLUMN deletes_at timestamptz;
CREATE INDEX accounts_deletes_at ON accounts (deletes_at) WHERE deletes_at IS NOT NULL;

-- Deletions that have begun. Identity publishes each to every service, again and again until all services have answered that they keep
-- nothing. Then the row is deleted with the account.
CREATE TABLE deletions (
    id           uuid PRIMARY KEY, -- names the deletion where the uid must not stand
    uid          uuid NOT NULL CONSTRAINT deletions_one_an_account UNIQUE REFERENCES accounts ON DELETE CASCADE,
    began_at     timestamptz NOT NULL,
    told         int NOT NULL DEFAULT 0,
    next_tell_at timestamptz NOT NULL,
    erased       text[] NOT NULL DEFAULT '{}' -- the services that keep nothing any more
);
CREATE INDEX deletions_next ON deletions (next_tell_at);
CREATE INDEX deletions_began ON deletions (began_at);

-- +goose Down
DROP TABLE deletions;
ALTER TABLE accounts DROP COLUMN deletes_at;
