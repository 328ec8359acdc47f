-- +goose Up

-- A row is a request that somebody has signed in to, with its code. Until then the browser carries the
-- request: anybody may begin one, and nobody may fill the disk with them.
DELETE FROM auth_requests WHERE code_hash IS NULL OR uid IS NULL OR sid IS NULL OR auth_time IS NULL;
ALTER TABLE auth_requests
    DROP COLUMN prompt, DROP COLUMN max_age, DROP COLUMN login_hint, DROP COLUMN hint_uid, DROP COLUMN browser, DROP COLUMN pending_uid,
    ALTER COLUMN uid SET NOT NULL, ALTER COLUMN sid SET NOT NULL, ALTER COLUMN auth_time SET NOT NULL, ALTER COLUMN code_hash SET NOT NULL;

-- +goose Down
ALTER TABLE auth_requests
    ADD COLUMN prompt text[] NOT NULL DEFAULT '{}', ADD COLUMN max_age integer, ADD COLUMN login_hint text NOT NULL DEFAULT '',
    ADD COLUMN hint_uid text NOT NULL DEFAULT '', ADD COLUMN browser bytea NOT NULL DEFAULT '', ADD COLUMN pending_uid uuid,
    ALTER COLUMN uid DROP NOT NULL, ALTER COLUMN sid DROP NOT NULL, ALTER COLUMN auth_time DROP NOT NULL, ALTER COLUMN code_hash DROP NOT NULL;
