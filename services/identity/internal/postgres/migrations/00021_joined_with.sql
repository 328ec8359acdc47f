-- +goose Up

-- The name of the browser that a member joined with by a code, until they first sign in with a browser: no letter calls that one a new
-- device. NULL: they joined otherwise, have signed in since, or joined before this release.
ALTER TABLE accounts ADD COLUMN joined_with text;

-- +goose Down
ALTER TABLE accounts DROP COLUMN joined_with;
