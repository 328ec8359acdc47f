-- +goose Up

-- The authenticator app whose code a member is asked for beside their password: one a member.
CREATE TABLE authenticators (
    uid       uuid PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    -- sealed is the secret that the app shares, encrypted.
    sealed    bytea NOT NULL,
    -- last_step is the 30 seconds (since 1970) of the last code that counted: none counts twice, nor after a later one.
    last_step bigint NOT NULL CHECK (last_step >= 0),
    added_at  timestamptz NOT NULL
);

-- The recovery codes that were not used yet, by their hash. They go with the app.
CREATE TABLE recovery_codes (
    uid  uuid NOT NULL REFERENCES authenticators ON DELETE CASCADE,
    hash bytea NOT NULL,
    PRIMARY KEY (uid, hash)
);

-- second_step: a code was asked for as well, which the ID tokens say.
ALTER TABLE sessions ADD COLUMN second_step boolean NOT NULL DEFAULT false;
ALTER TABLE auth_requests ADD COLUMN second_step boolean NOT NULL DEFAULT false;
ALTER TABLE grants ADD COLUMN second_step boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE grants DROP COLUMN second_step;
ALTER TABLE auth_requests DROP COLUMN second_step;
ALTER TABLE sessions DROP COLUMN second_step;
DROP TABLE recovery_codes, authenticators;
