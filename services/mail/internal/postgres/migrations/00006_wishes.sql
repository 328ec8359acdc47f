-- +goose Up

-- topic is what a letter is about, if a newer fact may make the letter untrue; empty for a letter that stays true. told_at is when
-- the fact in the letter happened.
ALTER TABLE mails ADD COLUMN topic text NOT NULL DEFAULT '', ADD COLUMN told_at timestamptz;
CREATE INDEX mails_topic ON mails (topic) WHERE state = 'queued' AND topic <> '';

-- When the newest fact of a topic happened: events of several kinds come in no fixed order.
CREATE TABLE topics (
    topic   text        PRIMARY KEY,
    told_at timestamptz NOT NULL
);
CREATE INDEX topics_told ON topics (told_at);

-- Kinds of letters that a member has declined. A member without a row gets all kinds.
CREATE TABLE declined (
    uid         uuid        NOT NULL,
    kind        text        NOT NULL CHECK (kind IN ('reminders', 'rewards')),
    declined_at timestamptz NOT NULL,
    PRIMARY KEY (uid, kind)
);

-- Addresses, by a hash, that get no letters or fewer: the mailbox does not exist, or its reader has complained.
CREATE TABLE suppressed (
    address       bytea       PRIMARY KEY,
    reason        text        NOT NULL CHECK (reason IN ('bounce', 'complaint')),
    suppressed_at timestamptz NOT NULL
);

-- Addresses, by a hash, that want no invitations, and those that have had their one.
CREATE TABLE uninvited (
    address    bytea       PRIMARY KEY,
    declined_at timestamptz NOT NULL
);
CREATE TABLE invited (
    address    bytea       PRIMARY KEY,
    invited_at timestamptz NOT NULL
);

-- What members asked to be sent to friends, whether a letter came of it or not: so many a day.
CREATE TABLE invitations (
    uid      uuid        NOT NULL,
    key      uuid        NOT NULL,
    asked_at timestamptz NOT NULL,
    PRIMARY KEY (uid, key)
);
CREATE INDEX invitations_of ON invitations (uid, asked_at);
CREATE INDEX invitations_asked ON invitations (asked_at);

-- Letters in an admin's or a program's own words: who wrote to whom, without the words.
CREATE TABLE free_letters (
    key       text        PRIMARY KEY, -- sender, idempotency key, and which copy
    mail_id   uuid        NOT NULL,
    sender    text        NOT NULL,
    recipient bytea       NOT NULL, -- a hash of the address
    digest    bytea       NOT NULL, -- SHA-256 of what was asked for
    sent_at   timestamptz NOT NULL
);
CREATE INDEX free_letters_sent ON free_letters (sent_at);
CREATE INDEX free_letters_of ON free_letters (sender, sent_at);

-- +goose Down
DROP TABLE free_letters, invitations, invited, uninvited, suppressed, declined, topics;
DROP INDEX mails_topic;
ALTER TABLE mails DROP COLUMN topic, DROP COLUMN told_at;
