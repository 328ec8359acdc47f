-- +goose Up

-- What a customer's balance at the provider paid of a membership's invoice; below 0 what it asked for besides, a sum that was too small
-- to charge before. Known once the order is paid.
ALTER TABLE orders
    ADD COLUMN from_balance bigint NOT NULL DEFAULT 0,
    ADD CONSTRAINT orders_from_balance CHECK (from_balance <= total - discount AND (from_balance = 0 OR membership)),
    DROP CONSTRAINT orders_paid,
    ADD CONSTRAINT orders_paid CHECK (
        CASE WHEN state IN ('completed', 'returning') THEN completed_at IS NOT NULL AND (session_id IS NOT NULL OR cause <> 'checkout')
            AND paid_amount IS NOT NULL AND paid_amount = total - discount - from_balance AND (payment_id IS NOT NULL OR paid_amount = 0)
            AND paid_currency IS NOT NULL AND paid_currency = currency AND membership = (subscription_id IS NOT NULL) AND membership = (period_start IS NOT NULL)
        ELSE completed_at IS NULL AND payment_id IS NULL AND paid_amount IS NULL AND subscription_id IS NULL AND period_start IS NULL
            AND discount = 0 AND from_balance = 0 AND refunded = 0 AND address IS NULL END),
    DROP CONSTRAINT orders_refunded,
    ADD CONSTRAINT orders_refunded CHECK (refunded <= total - discount - from_balance),
    DROP CONSTRAINT orders_returned,
    ADD CONSTRAINT orders_returned CHECK (returned_at IS NULL OR (state = 'returning' AND refunded = total - discount - from_balance));
GRANT UPDATE (from_balance) ON orders TO billing;
DROP TRIGGER orders_discount_held ON orders;
CREATE TRIGGER orders_discount_held BEFORE UPDATE ON orders FOR EACH ROW
    WHEN (OLD.completed_at IS NOT NULL AND (NEW.discount, NEW.from_balance, NEW.paid_amount) IS DISTINCT FROM (OLD.discount, OLD.from_balance, OLD.paid_amount))
    EXECUTE FUNCTION hold_discount();

-- +goose Down
DROP TRIGGER orders_discount_held ON orders;
CREATE TRIGGER orders_discount_held BEFORE UPDATE ON orders FOR EACH ROW
    WHEN (OLD.completed_at IS NOT NULL AND (NEW.discount, NEW.paid_amount) IS DISTINCT FROM (OLD.discount, OLD.paid_amount))
    EXECUTE FUNCTION hold_discount();
ALTER TABLE orders
    DROP CONSTRAINT orders_paid,
    ADD CONSTRAINT orders_paid CHECK (
        CASE WHEN state IN ('completed', 'returning') THEN completed_at IS NOT NULL AND (session_id IS NOT NULL OR cause <> 'checkout')
            AND paid_amount IS NOT NULL AND paid_amount = total - discount AND (payment_id IS NOT NULL OR paid_amount = 0)
            AND paid_currency IS NOT NULL AND paid_currency = currency AND membership = (subscription_id IS NOT NULL) AND membership = (period_start IS NOT NULL)
        ELSE completed_at IS NULL AND payment_id IS NULL AND paid_amount IS NULL AND subscription_id IS NULL AND period_start IS NULL
            AND discount = 0 AND refunded = 0 AND address IS NULL END) NOT VALID,
    DROP CONSTRAINT orders_refunded,
    ADD CONSTRAINT orders_refunded CHECK (refunded <= total - discount) NOT VALID,
    DROP CONSTRAINT orders_returned,
    ADD CONSTRAINT orders_returned CHECK (returned_at IS NULL OR (state = 'returning' AND refunded = total - discount)) NOT VALID,
    DROP COLUMN from_balance;
