-- +goose Up

-- When what the provider knows of a customer became so: a change that comes late overtakes none.
ALTER TABLE customers ADD COLUMN email_at timestamptz, ADD COLUMN name_at timestamptz;

-- +goose Down
ALTER TABLE customers DROP COLUMN email_at, DROP COLUMN name_at;
