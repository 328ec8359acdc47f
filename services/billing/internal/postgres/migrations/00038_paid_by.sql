-- +goose Up

-- What an order was paid by, for its receipt: the kind of payment and the brand of a card by the provider's names, and the last digits. All
-- are empty where nothing was charged, where it was paid before these columns or could not be given, and once the account has gone.
ALTER TABLE orders
    ADD COLUMN paid_kind  text NOT NULL DEFAULT '',
    ADD COLUMN paid_brand text NOT NULL DEFAULT '',
    ADD COLUMN paid_last4 text NOT NULL DEFAULT '',
    ADD CONSTRAINT orders_paid_by CHECK (
        CASE WHEN paid_kind <> '' THEN payment_id IS NOT NULL ELSE paid_brand || paid_last4 = '' END);
GRANT UPDATE (paid_kind, paid_brand, paid_last4) ON orders TO billing;

-- +goose Down
ALTER TABLE orders DROP COLUMN paid_kind, DROP COLUMN paid_brand, DROP COLUMN paid_last4;
