-- +goose Up

-- The member whose invitation code a sign-up named. It waits for the confirmation, whose event carries it: who invited whom is
-- billing's to keep, so it stands here no longer than that.
-- No CHECK says so: the release before this one confirms accounts without knowing the column.
ALTER TABLE accounts ADD COLUMN invited_by uuid;

-- +goose Down
ALTER TABLE accounts DROP COLUMN invited_by;
