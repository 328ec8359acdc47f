-- +goose Up

-- A link: everybody who has it can listen to its meditation, which has one at most. It runs for as long as its row is there: ending it
-- removes the row, so that nobody can tell a link that was ended from one that never was.
CREATE TABLE shares (
    meditation_id uuid        PRIMARY KEY REFERENCES meditations ON DELETE CASCADE,
    uid           uuid        NOT NULL,
    -- token_hash is the SHA-256 of what stands in the link, by which it is found.
    token_hash    bytea       NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
    -- sealed_token is what stands in the link, for its owner alone, under a key that is not in this database.
    sealed_token  bytea       NOT NULL,
    -- shown_name is whose name the link shows; empty for nobody's.
    shown_name    text        NOT NULL CHECK (char_length(shown_name) <= 100),
    created_at    timestamptz NOT NULL
);

CREATE INDEX shares_of_member ON shares (uid, meditation_id);

-- +goose Down
DROP TABLE shares;
