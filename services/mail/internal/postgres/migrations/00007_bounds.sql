-- +goose Up

-- A member gets so many letters of a kind in a day; one beyond them waits until then.
ALTER TABLE mails ADD COLUMN held_until timestamptz;

-- What counts a member's letters of a kind.
CREATE INDEX mails_of ON mails (uid, template, (coalesce(held_until, created_at))) WHERE state <> 'failed';

-- What counts everybody's invitations.
CREATE INDEX invited_at ON invited (invited_at);

-- +goose Down
DROP INDEX invited_at;
DROP INDEX mails_of;
ALTER TABLE mails DROP COLUMN held_until;
