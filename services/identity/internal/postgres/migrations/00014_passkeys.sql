-- +goose Up

-- Credentials with which members sign in without a password. Their devices keep the other half.
CREATE TABLE passkeys (
    id              uuid PRIMARY KEY,
    uid             uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    credential_id   bytea NOT NULL CONSTRAINT passkeys_credential UNIQUE,
    public_key      bytea NOT NULL,
    sign_count      bigint NOT NULL CHECK (sign_count >= 0),
    backup_eligible boolean NOT NULL,
    backed_up       boolean NOT NULL,
    transports      text[] NOT NULL,
    name            text NOT NULL CHECK (name <> ''),
    added_at        timestamptz NOT NULL,
    used_at         timestamptz
);
CREATE INDEX passkeys_uid ON passkeys (uid, added_at);

-- Challenges that were answered rightly, so that each counts once. Those that nobody answered stand nowhere.
CREATE TABLE used_challenges (
    hash       bytea PRIMARY KEY,
    expires_at timestamptz NOT NULL
);
CREATE INDEX used_challenges_expiry ON used_challenges (expires_at);

-- by_passkey: how somebody signed in, which their ID tokens say.
ALTER TABLE sessions ADD COLUMN by_passkey boolean NOT NULL DEFAULT false;
ALTER TABLE auth_requests ADD COLUMN by_passkey boolean NOT NULL DEFAULT false;
ALTER TABLE grants ADD COLUMN by_passkey boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE grants DROP COLUMN by_passkey;
ALTER TABLE auth_requests DROP COLUMN by_passkey;
ALTER TABLE sessions DROP COLUMN by_passkey;
DROP TABLE used_challenges, passkeys;
