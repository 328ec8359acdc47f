-- +goose Up

-- The hash of the secret that a browser holds before it signs in. A browser whose sign-in began a session and whose answer was lost
-- has no other cookie, and is the same device when it signs in again. NULL: no browser holds the session, or it began before this release.
ALTER TABLE sessions ADD COLUMN browser bytea;

-- +goose Down
ALTER TABLE sessions DROP COLUMN browser;
