-- Orders. The service's role makes orders and moves them along; these rules hold for raw SQL too.

-- hold_order_to_rules keeps what an order was made of, and lets its state move along its edges alone. What has gone of its money
-- falls only if the count of restorations rises. The trigger is orders_rules.
CREATE OR REPLACE FUNCTION hold_order_to_rules() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.state <> 'open' OR NEW.session_id IS NOT NULL THEN
            RAISE EXCEPTION 'an order begins open' USING ERRCODE = 'check_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF (NEW.id, NEW.number, NEW.uid, NEW.idempotency_key, NEW.request, NEW.membership, NEW.total, NEW.delivery, NEW.ships,
            NEW.currency, NEW.vat_percent, NEW.live, NEW.created_at, NEW.expires_at)
        IS DISTINCT FROM (OLD.id, OLD.number, OLD.uid, OLD.idempotency_key, OLD.request, OLD.membership, OLD.total, OLD.delivery, OLD.ships,
            OLD.currency, OLD.vat_percent, OLD.live, OLD.created_at, OLD.expires_at)
        OR NEW.session_id IS DISTINCT FROM coalesce(OLD.session_id, NEW.session_id)
        OR NEW.payment_id IS DISTINCT FROM coalesce(OLD.payment_id, NEW.payment_id)
        OR NEW.subscription_id IS DISTINCT FROM coalesce(OLD.subscription_id, NEW.subscription_id)
        OR NEW.completed_at IS DISTINCT FROM coalesce(OLD.completed_at, NEW.completed_at)
        OR NEW.restored < OLD.restored OR NEW.refunded < OLD.refunded AND NEW.restored = OLD.restored
    THEN
        RAISE EXCEPTION 'an order keeps what it is made of' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.state <> OLD.state AND NOT (CASE OLD.state
        WHEN 'open' THEN true
        WHEN 'processing' THEN NEW.state <> 'open'
        WHEN 'closed' THEN NEW.state IN ('completed', 'returning') -- money that came all the same
        ELSE false
    END) THEN
        RAISE EXCEPTION 'an order cannot go from % to %', OLD.state, NEW.state USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

-- require_order_sum refuses an order whose lines and delivery do not add up to its total when its transaction commits. The
-- triggers are orders_sum and order_lines_sum.
CREATE OR REPLACE FUNCTION require_order_sum() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    v_order uuid;
BEGIN
    IF TG_TABLE_NAME = 'orders' THEN
        v_order := NEW.id;
    ELSE
        v_order := NEW.order_id;
    END IF;
    IF EXISTS (
        SELECT FROM orders o,
            (SELECT sum(unit_amount * quantity) AS amount, bool_or(kind = 'membership') AS membership FROM order_lines WHERE order_id = v_order) l
        WHERE o.id = v_order AND ((o.total - o.delivery) IS DISTINCT FROM l.amount OR o.membership IS DISTINCT FROM l.membership)
    ) THEN
        RAISE EXCEPTION 'the lines are not the order''s' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;

-- hold_discount keeps what was paid for an order. The trigger orders_discount_held calls it for a change of that.
CREATE OR REPLACE FUNCTION hold_discount() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'an order keeps what was paid' USING ERRCODE = 'check_violation';
END $$;

-- hold_cause keeps why an order was made, and by which invoice. The trigger orders_cause_held calls it for a change of that.
CREATE OR REPLACE FUNCTION hold_cause() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'an order keeps its cause' USING ERRCODE = 'check_violation';
END $$;

-- remove_closed_orders removes unpaid orders that were made up to p_before, p_most of them at most, with their lines, and answers
-- their number.
CREATE OR REPLACE FUNCTION remove_closed_orders(p_before timestamptz, p_most int)
RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    WITH removed AS (
        DELETE FROM orders WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM orders WHERE created_at <= p_before AND state = 'closed'
            ORDER BY created_at LIMIT p_most FOR UPDATE SKIP LOCKED
        ))
        RETURNING 1
    )
    SELECT count(*) FROM removed;
$$;

-- remove_old_orders does the same for the paid orders of long ago.
CREATE OR REPLACE FUNCTION remove_old_orders(p_before timestamptz, p_most int)
RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    WITH removed AS (
        DELETE FROM orders WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM orders WHERE created_at <= p_before AND completed_at IS NOT NULL
            ORDER BY created_at LIMIT p_most FOR UPDATE SKIP LOCKED
        ))
        RETURNING 1
    )
    SELECT count(*) FROM removed;
$$;

REVOKE EXECUTE ON FUNCTION hold_order_to_rules, require_order_sum, hold_discount, hold_cause, remove_closed_orders, remove_old_orders FROM PUBLIC, billing;
GRANT EXECUTE ON FUNCTION remove_closed_orders, remove_old_orders TO billing;
