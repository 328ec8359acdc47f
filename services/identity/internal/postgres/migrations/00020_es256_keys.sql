-- +goose Up

-- Keys that sign tokens with ES256; those of signing_keys sign with RS256. They have a table for themselves, since the release before
-- serves while this runs, may come back, and takes every row of signing_keys for an RSA key.
CREATE TABLE es256_keys (
    id         text PRIMARY KEY,
    -- sealed is the private half, encrypted with KEY_ENCRYPTION_SECRET.
    sealed     bytea NOT NULL,
    public     bytea NOT NULL,
    created_at timestamptz NOT NULL,
    -- retires_at: a newer key signs; this one is still published until then.
    retires_at timestamptz
);

-- +goose Down
DROP TABLE es256_keys;
