-- +goose Up

-- A pack has the word that content and billing have for it. Rows of before have the other, as those have that the release before
-- writes; both are bought once. The next release validates the constraint.
ALTER TABLE lines DROP CONSTRAINT lines_kind_check;
ALTER TABLE lines ADD CONSTRAINT lines_kind_check CHECK (kind IN ('membership', 'credit_pack', 'pack', 'product')) NOT VALID;

-- +goose Down
UPDATE lines SET kind = 'pack' WHERE kind = 'credit_pack';
ALTER TABLE lines DROP CONSTRAINT lines_kind_check;
ALTER TABLE lines ADD CONSTRAINT lines_kind_check CHECK (kind IN ('membership', 'pack', 'product'));
