-- +goose Up

-- What has gone of an order's money can be ours again: a bank decides a dispute for us, or a refund fails. Each time is counted, so that
-- only what says so lowers a sum. The release before this one knows neither and only raises it.
ALTER TABLE orders
    ADD COLUMN disputed      minor_units NOT NULL DEFAULT 0, -- the part of what has gone that a bank took
    ADD COLUMN restored      int         NOT NULL DEFAULT 0 CHECK (restored >= 0), -- how often money that had gone was ours again
    ADD COLUMN credits_taken credits     NOT NULL DEFAULT 0, -- for what has gone; less what was given back
    ADD CONSTRAINT orders_disputed CHECK (disputed <= refunded);
UPDATE orders o SET credits_taken = coalesce((
    SELECT sum(e.amount) FROM entries e
    WHERE e.uid = o.uid AND e.reference = 'order:' || o.id AND e.to_account = 'issued' AND e.cause NOT LIKE 'reversal:referral:%'), 0)
WHERE refunded > 0;

-- By which promotion code of the provider an order was paid for less: one code is for a member so often.
ALTER TABLE orders ADD COLUMN promotion_code text NOT NULL DEFAULT '';
CREATE INDEX orders_codes_of_member ON orders (uid) WHERE promotion_code <> '';

-- When what goes by post was sent; NULL until an operator says so.
ALTER TABLE orders ADD COLUMN sent_at timestamptz, ADD CONSTRAINT orders_sent CHECK (sent_at IS NULL OR ships);
GRANT UPDATE (disputed, restored, credits_taken, promotion_code, sent_at) ON orders TO billing;

-- A membership that ended because its money went back is open again for the rest of its period, if that money is ours again. At the
-- provider it has ended for good, so it renews no more.
ALTER TABLE subscriptions ADD COLUMN reopened boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE subscriptions DROP COLUMN reopened;
ALTER TABLE orders DROP COLUMN disputed, DROP COLUMN restored, DROP COLUMN credits_taken, DROP COLUMN promotion_code, DROP COLUMN sent_at;
