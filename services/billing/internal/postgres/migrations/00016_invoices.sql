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

-- Why it was made, and by which invoice, stays as it was too.
-- +goose StatementBegin
CREATE FUNCTION hold_cause() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'an order keeps its cause' USING ERRCODE = 'check_violation';
END $$;
-- +goose StatementEnd
CREATE TRIGGER orders_cause_held BEFORE UPDATE ON orders FOR EACH ROW
    WHEN ((NEW.cause, NEW.invoice_id) IS DISTINCT FROM (OLD.cause, OLD.invoice_id)) EXECUTE FUNCTION hold_cause();

-- of_subscription says whether the plan credits that a member has are of that subscription.
-- +goose StatementBegin
CREATE FUNCTION of_subscription(p_grant text, p_subscription text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT starts_with(p_grant, 'subscription:' || p_subscription || ':') OR starts_with(p_grant, 'change:' || p_subscription || ':');
$$;
-- +goose StatementEnd

-- move_plan_expiry has the plan credits of a subscription end at another moment; at once where that has come.
-- Outcome: 'moved', 'none' (there are none of it) or 'due'.
-- +goose StatementBegin
CREATE FUNCTION move_plan_expiry(p_uid uuid, p_subscription text, p_expires_at timestamptz, p_now timestamptz)
RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    b balances;
BEGIN
    SELECT * INTO b FROM balances WHERE uid = p_uid FOR UPDATE;
    IF b.next_due <= p_now THEN
        RETURN 'due';
    END IF;
    IF of_subscription(b.plan_grant, p_subscription) IS NOT TRUE THEN
        RETURN 'none';
    END IF;
    IF p_expires_at <= p_now THEN
        PERFORM end_plan_credits(p_uid, p_now);
    ELSE
        UPDATE balances SET plan_expires_at = p_expires_at WHERE uid = p_uid;
    END IF;
    UPDATE balances SET next_due = least(plan_expires_at, (SELECT min(expires_at) FROM holds WHERE uid = p_uid AND state = 'held')) WHERE uid = p_uid;
    RETURN 'moved';
END $$;
-- +goose StatementEnd

-- change_plan_credits replaces what is left of a subscription's plan credits by that, less what the old plan's period gives back
-- and with what the new one's gives; never below zero. Credits in holds come with it: their work began before.
-- Outcome: 'granted', 'repeated' or 'due'.
-- +goose StatementBegin
CREATE FUNCTION change_plan_credits(
    p_uid uuid, p_subscription text, p_returned bigint, p_given bigint, p_cause text, p_expires_at timestamptz, p_description text,
    p_reference text, p_now timestamptz, OUT outcome text, OUT amount bigint
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    b         balances;
    v_unspent bigint := 0;
BEGIN
    IF p_returned < 0 OR p_given < 0 OR p_expires_at <= p_now OR NOT starts_with(p_cause, 'change:' || p_subscription || ':') THEN
        RAISE EXCEPTION 'change % is malformed', p_cause USING ERRCODE = 'invalid_parameter_value';
    END IF;
    amount := 0;
    INSERT INTO balances (uid, changed_at) VALUES (p_uid, p_now) ON CONFLICT (uid) DO NOTHING;
    SELECT * INTO STRICT b FROM balances WHERE uid = p_uid FOR UPDATE;
    IF b.next_due <= p_now THEN
        outcome := 'due';
        RETURN;
    END IF;
    PERFORM FROM entries WHERE cause = p_cause;
    IF FOUND OR b.plan_grant = p_cause THEN
        outcome := 'repeated';
        RETURN;
    END IF;
    outcome := 'granted';
    IF of_subscription(b.plan_grant, p_subscription) THEN
        v_unspent := b.plan_available;
        UPDATE holds SET plan_grant = p_cause WHERE uid = p_uid AND state = 'held' AND plan_grant = b.plan_grant;
    END IF;
    amount := greatest(v_unspent + p_given - p_returned, 0);
    PERFORM end_plan_credits(p_uid, p_now);
    UPDATE balances SET plan_grant = p_cause, plan_expires_at = p_expires_at,
        next_due = least(p_expires_at, (SELECT min(expires_at) FROM holds WHERE uid = p_uid AND state = 'held')) WHERE uid = p_uid;
    IF amount > 0 THEN
        PERFORM book(p_uid, p_cause, 'issued', p_now, p_description, p_reference, amount, 0, 0, 0);
    END IF;
END $$;
-- +goose StatementEnd

-- reverse_period_credits takes back what the period which runs gave, as far as it is there: a change of plan has replaced its grant
-- by another, so it is taken from the subscription's whatever its cause. A cause is written once.
-- Outcome: 'reversed' (also where nothing was left to take), 'repeated' or 'due'.
-- +goose StatementBegin
CREATE FUNCTION reverse_period_credits(
    p_uid uuid, p_subscription text, p_amount bigint, p_cause text, p_description text, p_reference text, p_now timestamptz,
    OUT outcome text, OUT taken bigint
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    b balances;
BEGIN
    IF p_amount <= 0 OR p_cause NOT LIKE 'reversal:%' THEN
        RAISE EXCEPTION 'reversal % is malformed', p_cause USING ERRCODE = 'invalid_parameter_value';
    END IF;
    taken := 0;
    outcome := 'reversed';
    SELECT * INTO b FROM balances WHERE uid = p_uid FOR UPDATE;
    IF b.next_due <= p_now THEN
        outcome := 'due';
        RETURN;
    END IF;
    PERFORM FROM entries WHERE cause = p_cause;
    IF FOUND THEN
        outcome := 'repeated';
        RETURN;
    END IF;
    IF of_subscription(b.plan_grant, p_subscription) AND b.plan_available > 0 THEN
        taken := least(p_amount, b.plan_available);
        PERFORM book(p_uid, p_cause, 'issued', p_now, p_description, p_reference, -taken, 0, 0, 0);
    END IF;
END $$;
-- +goose StatementEnd

REVOKE EXECUTE ON FUNCTION hold_cause, of_subscription, move_plan_expiry, change_plan_credits, reverse_period_credits FROM PUBLIC, billing;
GRANT EXECUTE ON FUNCTION move_plan_expiry, change_plan_credits, reverse_period_credits TO billing;

-- +goose Down
DROP FUNCTION move_plan_expiry, change_plan_credits, reverse_period_credits, of_subscription;
DROP TRIGGER orders_cause_held ON orders;
DROP FUNCTION hold_cause;
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
