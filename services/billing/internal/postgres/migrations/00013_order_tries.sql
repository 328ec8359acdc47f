-- +goose Up

-- The provider repeats a fault of its own for an idempotency key's whole day: what is tried anew has a number of its own.
ALTER TABLE orders ADD COLUMN tries int NOT NULL DEFAULT 0 CHECK (tries >= 0);
GRANT UPDATE (tries) ON orders TO billing;

-- +goose Down
ALTER TABLE orders DROP COLUMN tries;
