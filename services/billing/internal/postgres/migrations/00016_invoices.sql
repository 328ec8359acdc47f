-- +goose Up

-- Every paid invoice of a membership is an order: the first belongs to the checkout's order, each later one makes another order.
CREATE TYPE order_cause AS ENUM ('checkout', 'renewal', 'change');
ALTER TABLE orders
    ADD COLUMN cause      order_cause NOT NULL DEFAULT 'checkout',
    ADD COLUMN invoice_id text,
    ADD CONSTRAINT orders_invoice_once UNIQUE (invoice_id),
    ADD CONSTRAINT orders_cause CHECK ((cause = 'checkout') = (invoice_id IS NULL) AND (cause = 'checkout' OR (membership AND session_id IS NULL AND NOT ships))),
    DROP CONSTRAINT orders_paid,
    ADD CONSTRAINT orders_paid CHECK (
        CASE WHEN state IN ('completed', 'returning') THEN completed_at IS NOT NULL AND (session_id IS NOT NULL OR cause <> 'checkout')
            AND paid_amount IS NOT NULL AND paid_amount = total - discount AND (payment_id IS NOT NULL OR paid_amount = 0)
            AND paid_currency IS NOT NULL AND paid_currency = currency AND membership = (subscription_id IS NOT NULL) AND membership = (period_start IS NOT NULL)
        ELSE completed_at IS NULL AND payment_id IS NULL AND paid_amount IS NULL AND subscription_id IS NULL AND period_start IS NULL
            AND discount = 0 AND refunded = 0 AND address IS NULL END),
    DROP CONSTRAINT orders_subscription_once;
CREATE UNIQUE INDEX orders_subscription_once ON orders (subscription_id) WHERE cause = 'checkout';

CREATE FUNCTION hold_cause() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'functions/orders.sql is not applied yet'; END $$;
CREATE TRIGGER orders_cause_held BEFORE UPDATE ON orders FOR EACH ROW
    WHEN ((NEW.cause, NEW.invoice_id) IS DISTINCT FROM (OLD.cause, OLD.invoice_id)) EXECUTE FUNCTION hold_cause();

-- +goose Down
DROP FUNCTION IF EXISTS move_plan_expiry, change_plan_credits, reverse_period_credits, of_subscription;
DROP TRIGGER orders_cause_held ON orders;
DROP FUNCTION IF EXISTS hold_cause;
DELETE FROM orders WHERE cause <> 'checkout';
DROP INDEX orders_subscription_once;
ALTER TABLE orders
    DROP COLUMN cause, DROP COLUMN invoice_id,
    ADD CONSTRAINT orders_subscription_once UNIQUE (subscription_id),
    ADD CONSTRAINT orders_paid CHECK (
        CASE WHEN state IN ('completed', 'returning') THEN completed_at IS NOT NULL AND session_id IS NOT NULL
            AND paid_amount IS NOT NULL AND paid_amount = total - discount AND (payment_id IS NOT NULL OR paid_amount = 0)
            AND paid_currency IS NOT NULL AND paid_currency = currency AND membership = (subscription_id IS NOT NULL) AND membership = (period_start IS NOT NULL)
        ELSE completed_at IS NULL AND payment_id IS NULL AND paid_amount IS NULL AND subscription_id IS NULL AND period_start IS NULL
            AND discount = 0 AND refunded = 0 AND address IS NULL END) NOT VALID;
DROP TYPE order_cause;
