-- +goose Up

-- password_changes: how often the password was replaced, or another was demanded. A sign-in brings the number at which it was proved: no
-- session begins with one before.
ALTER TABLE accounts ADD COLUMN password_changes bigint NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE accounts DROP COLUMN password_changes;
