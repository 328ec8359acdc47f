-- +goose Up

-- Whom letters about their own affairs go to: the address that a member has confirmed. It goes with the account.
CREATE TABLE members (
    uid        uuid PRIMARY KEY,
    email      text NOT NULL CHECK (email <> ''),
    given_name text NOT NULL
);

-- Members whose accounts were deleted, by the SHA-256 of their uid: events of before may come later.
CREATE TABLE departed (
    member      bytea       PRIMARY KEY,
    departed_at timestamptz NOT NULL
);
CREATE INDEX departed_at ON departed (departed_at);

-- Those who were welcomed before this table was there, as far back as their letter is kept. Their names are erased.
INSERT INTO members (uid, email, given_name)
SELECT DISTINCT ON (uid) uid::uuid, recipient, coalesce(data ->> 'given_name', '')
FROM mails WHERE template = 'welcome' AND uid ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
ORDER BY uid, created_at DESC;

-- +goose Down
DROP TABLE departed, members;
