-- +goose Up

-- What the order was made by: a checkout, a further period of a membership, a change of plan. All of before came from a checkout,
-- as all does that the release before this one writes.
ALTER TABLE purchased ADD COLUMN cause text NOT NULL DEFAULT 'checkout';

-- +goose Down
ALTER TABLE purchased DROP COLUMN cause;
