-- +goose Up

-- What a promotion code of the provider took off an order's goods; known once it is paid. Where it took all, nothing was
-- charged, and there is no payment.
ALTER TABLE orders
    ADD COLUMN discount minor_units NOT NULL DEFAULT 0,
    ADD CONSTRAINT orders_discount CHECK (discount <= total - delivery),
    DROP CONSTRAINT orders_paid,
    ADD CONSTRAINT orders_paid CHECK (
        CASE WHEN state IN ('completed', 'returning') THEN completed_at IS NOT NULL AND session_id IS NOT NULL
            AND paid_amount IS NOT NULL AND paid_amount = total - discount AND (payment_id IS NOT NULL OR paid_amount = 0)
            AND paid_currency IS NOT NULL AND paid_currency = currency AND membership = (subscription_id IS NOT NULL) AND membership = (period_start IS NOT NULL)
        ELSE completed_at IS NULL AND payment_id IS NULL AND paid_amount IS NULL AND subscription_id IS NULL AND period_start IS NULL
            AND discount = 0 AND refunded = 0 AND address IS NULL END),
    DROP CONSTRAINT orders_refunded,
    ADD CONSTRAINT orders_refunded CHECK (refunded <= total - discount),
    DROP CONSTRAINT orders_returned,
    ADD CONSTRAINT orders_returned CHECK (returned_at IS NULL OR (state = 'returning' AND refunded = total - discount));
GRANT UPDATE (discount) ON orders TO billing;

CREATE FUNCTION hold_discount() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'functions/orders.sql is not applied yet'; END $$;
CREATE TRIGGER orders_discount_held BEFORE UPDATE ON orders FOR EACH ROW
    WHEN (OLD.completed_at IS NOT NULL AND (NEW.discount, NEW.paid_amount) IS DISTINCT FROM (OLD.discount, OLD.paid_amount))
    EXECUTE FUNCTION hold_discount();

-- +goose Down
DROP TRIGGER orders_discount_held ON orders;
DROP FUNCTION IF EXISTS hold_discount;
ALTER TABLE orders
    DROP CONSTRAINT orders_paid,
    ADD CONSTRAINT orders_paid CHECK (
        CASE WHEN state IN ('completed', 'returning') THEN completed_at IS NOT NULL AND session_id IS NOT NULL
            AND payment_id IS NOT NULL AND paid_amount IS NOT NULL AND paid_amount = total
            AND paid_currency IS NOT NULL AND paid_currency = currency AND membership = (subscription_id IS NOT NULL) AND membership = (period_start IS NOT NULL)
        ELSE completed_at IS NULL AND payment_id IS NULL AND paid_amount IS NULL AND subscription_id IS NULL AND period_start IS NULL
            AND refunded = 0 AND address IS NULL END) NOT VALID,
    DROP CONSTRAINT orders_refunded,
    ADD CONSTRAINT orders_refunded CHECK (refunded <= total),
    DROP CONSTRAINT orders_returned,
    ADD CONSTRAINT orders_returned CHECK (returned_at IS NULL OR (state = 'returning' AND refunded = total)) NOT VALID,
    DROP COLUMN discount;
