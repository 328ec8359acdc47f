-- +goose Up

-- The provider may repeat an internal error to an idempotency key for a day: each further try has another number in its key.
ALTER TABLE orders ADD COLUMN tries int NOT NULL DEFAULT 0 CHECK (tries >= 0);
GRANT UPDATE (tries) ON orders TO billing;

-- +goose Down
ALTER TABLE orders DROP COLUMN tries;
