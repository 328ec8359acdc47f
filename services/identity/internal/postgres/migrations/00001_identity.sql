-- +goose Up

-- A person who signed up. Unconfirmed accounts lapse: their username and address are free
-- again after lapses_at.
CREATE TABLE accounts (
    uid           uuid PRIMARY KEY,
    username      text NOT NULL,
    username_key  text NOT NULL CONSTRAINT accounts_username UNIQUE,
    email         text NOT NULL,
    email_key     text NOT NULL,
    given_name    text NOT NULL,
    family_name   text NOT NULL,
    password_hash text NOT NULL,
    admin         boolean NOT NULL DEFAULT false,
    referral_code text NOT NULL CONSTRAINT accounts_referral_code UNIQUE,
    -- reserved: a sign-up with an address that already has an account. It keeps the username
    -- taken, so that the next sign-up tells nobody about the address, and never becomes an account.
    reserved      boolean NOT NULL DEFAULT false,
    created_at    timestamptz NOT NULL,
    confirmed_at  timestamptz,
    lapses_at     timestamptz,
    CONSTRAINT accounts_reserved_never_confirmed CHECK (NOT (reserved AND confirmed_at IS NOT NULL)),
    CONSTRAINT accounts_lapse_until_confirmed CHECK ((confirmed_at IS NULL) = (lapses_at IS NOT NULL))
);
-- One account an address, counted among confirmed accounts only: an unproved claim to an
-- address must not lock its owner out.
CREATE UNIQUE INDEX accounts_confirmed_email ON accounts (email_key) WHERE confirmed_at IS NOT NULL;
CREATE INDEX accounts_email ON accounts (email_key);
CREATE INDEX accounts_lapsing ON accounts (lapses_at) WHERE lapses_at IS NOT NULL;

-- What a person agreed to, when, and in which version of the text.
CREATE TABLE consents (
    uid      uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    kind     text NOT NULL CHECK (kind IN ('age_16', 'terms')),
    version  text NOT NULL,
    given_at timestamptz NOT NULL,
    PRIMARY KEY (uid, kind, given_at)
);

-- Confirmation codes. The code itself is never stored.
CREATE TABLE codes (
    id          uuid PRIMARY KEY,
    uid         uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    hash        bytea NOT NULL,
    tries       smallint NOT NULL DEFAULT 0 CHECK (tries BETWEEN 0 AND 5),
    created_at  timestamptz NOT NULL,
    expires_at  timestamptz NOT NULL,
    used_at     timestamptz,
    replaced_at timestamptz
);
CREATE UNIQUE INDEX codes_live ON codes (uid) WHERE used_at IS NULL AND replaced_at IS NULL;
CREATE INDEX codes_uid ON codes (uid, created_at);
CREATE INDEX codes_expiry ON codes (expires_at);

-- Counted attempts. The key is a keyed hash: no address or name is kept here.
CREATE TABLE throttles (
    key           bytea PRIMARY KEY,
    count         integer NOT NULL,
    window_ends   timestamptz NOT NULL,
    blocked_until timestamptz NOT NULL
);
CREATE INDEX throttles_window ON throttles (window_ends);

-- Keys that sign tokens; the private half is sealed with KEY_ENCRYPTION_SECRET.
CREATE TABLE signing_keys (
    id         text PRIMARY KEY,
    sealed     bytea NOT NULL,
    public     bytea NOT NULL,
    created_at timestamptz NOT NULL,
    -- retires_at: a newer key signs; this one is still published until then.
    retires_at timestamptz
);

-- The provider's own browser sessions. The cookie's value is not stored.
CREATE TABLE sessions (
    sid         uuid PRIMARY KEY,
    cookie_hash bytea NOT NULL CONSTRAINT sessions_cookie UNIQUE,
    uid         uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    auth_time   timestamptz NOT NULL,
    expires_at  timestamptz NOT NULL
);
CREATE INDEX sessions_uid ON sessions (uid);
CREATE INDEX sessions_expiry ON sessions (expires_at);

-- What a member granted to a client by signing in once: the family of its tokens.
CREATE TABLE grants (
    id         uuid PRIMARY KEY,
    uid        uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    client_id  text NOT NULL,
    sid        uuid NOT NULL,
    scopes     text[] NOT NULL,
    auth_time  timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz
);
CREATE INDEX grants_sid ON grants (sid);
CREATE INDEX grants_uid ON grants (uid);
CREATE INDEX grants_expiry ON grants (expires_at);

CREATE TABLE refresh_tokens (
    hash       bytea PRIMARY KEY,
    grant_id   uuid NOT NULL REFERENCES grants ON DELETE CASCADE,
    expires_at timestamptz NOT NULL,
    used_at    timestamptz,
    -- next: the token that replaced this one.
    next       bytea,
    -- superseded: given out twice because the first answer was lost; presenting it is reuse.
    superseded boolean NOT NULL DEFAULT false
);
CREATE INDEX refresh_tokens_grant ON refresh_tokens (grant_id);
CREATE INDEX refresh_tokens_expiry ON refresh_tokens (expires_at);

-- Authorization requests between /authorize and the exchange of their code.
CREATE TABLE auth_requests (
    id             uuid PRIMARY KEY,
    client_id      text NOT NULL,
    redirect_uri   text NOT NULL,
    scopes         text[] NOT NULL,
    state          text NOT NULL,
    nonce          text NOT NULL,
    code_challenge text NOT NULL,
    prompt         text[] NOT NULL,
    max_age        integer,
    login_hint     text NOT NULL,
    hint_uid       text NOT NULL,
    -- browser: hash of the cookie of the browser that began; no other may go on.
    browser        bytea NOT NULL,
    created_at     timestamptz NOT NULL,
    expires_at     timestamptz NOT NULL,
    uid            uuid REFERENCES accounts ON DELETE CASCADE,
    sid            uuid,
    auth_time      timestamptz,
    code_hash      bytea CONSTRAINT auth_requests_code UNIQUE,
    exchanged_at   timestamptz,
    grant_id       uuid REFERENCES grants ON DELETE CASCADE
);
CREATE INDEX auth_requests_expiry ON auth_requests (expires_at);

-- +goose Down
DROP TABLE auth_requests, refresh_tokens, grants, sessions, signing_keys, throttles, codes, consents, accounts;
