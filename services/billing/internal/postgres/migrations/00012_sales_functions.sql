-- +goose Up

-- Credits that were granted for money go back where they came from when the money does: entries from a pool to
-- issued, whose cause says so.
ALTER TABLE entries
    DROP CONSTRAINT entries_accounts,
    ADD CONSTRAINT entries_accounts CHECK (
        CASE from_account
            WHEN 'issued' THEN to_account IN ('plan', 'top_up')
            WHEN 'spent' THEN to_account IN ('plan', 'top_up')
            WHEN 'expired' THEN false
            ELSE to_account IN ('spent', 'expired') OR (to_account = 'issued' AND cause LIKE 'reversal:%')
        END
        AND (from_account <> 'spent' OR cause LIKE 'refund:%'));

-- reverse_credits takes back what a grant gave, as far as it is there: never what is held, never below zero, and plan
-- credits only from the grant that they came from. A cause is written once.
-- Outcome: 'reversed' (also where nothing was left to take), 'repeated' or 'due'.
-- +goose StatementBegin
CREATE FUNCTION reverse_credits(
    p_uid uuid, p_pool text, p_grant text, p_amount bigint, p_cause text, p_description text, p_reference text, p_now timestamptz,
    OUT outcome text, OUT taken bigint
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    b balances;
BEGIN
    IF p_amount <= 0 OR p_cause NOT LIKE 'reversal:%' OR p_pool NOT IN ('plan', 'top_up') THEN
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
    PERFORM FROM entries WHERE cause = p_grant AND uid = p_uid AND from_account = 'issued' AND to_account = p_pool::account AND amount >= p_amount;
    IF NOT FOUND THEN
        RETURN; -- it was never granted
    END IF;
    IF p_pool = 'top_up' THEN
        taken := least(p_amount, b.top_up_available);
        IF taken > 0 THEN
            PERFORM book(p_uid, p_cause, 'issued', p_now, p_description, p_reference, 0, 0, -taken, 0);
        END IF;
    ELSIF b.plan_grant = p_grant THEN
        taken := least(p_amount, b.plan_available);
        IF taken > 0 THEN
            PERFORM book(p_uid, p_cause, 'issued', p_now, p_description, p_reference, -taken, 0, 0, 0);
        END IF;
    END IF;
END $$;
-- +goose StatementEnd

-- take_catalogue makes the plans, their prices and the items those of content. What is no longer there stays, unlisted, for
-- who has it; a figure that changed is not agreed with the provider until it has been looked at again.
-- +goose StatementBegin
CREATE FUNCTION take_catalogue(p_plans jsonb, p_items jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    LOCK TABLE items IN SHARE ROW EXCLUSIVE MODE; -- one at a time
    INSERT INTO plans AS p (id, name, kind, sort_order, badge, description, features, entitlements, trial_days, invited_trial_days, trial_credits)
    SELECT c.id, c.name, c.kind, c.sort_order, c.badge, c.description, c.features, c.entitlements, c.trial_days, c.invited_trial_days, c.trial_credits
    FROM jsonb_to_recordset(p_plans) AS c(id text, name text, kind plan_kind, sort_order int, badge text, description text, features text[],
        entitlements text[], trial_days int, invited_trial_days int, trial_credits bigint)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, kind = excluded.kind, sort_order = excluded.sort_order, badge = excluded.badge,
        description = excluded.description, features = excluded.features, entitlements = excluded.entitlements,
        trial_days = excluded.trial_days, invited_trial_days = excluded.invited_trial_days, trial_credits = excluded.trial_credits, listed = true
    WHERE (p.name, p.kind, p.sort_order, p.badge, p.description, p.features, p.entitlements, p.trial_days, p.invited_trial_days, p.trial_credits, p.listed)
        IS DISTINCT FROM (excluded.name, excluded.kind, excluded.sort_order, excluded.badge, excluded.description, excluded.features,
        excluded.entitlements, excluded.trial_days, excluded.invited_trial_days, excluded.trial_credits, true);
    UPDATE plans SET listed = false WHERE listed AND id NOT IN (SELECT c.id FROM jsonb_to_recordset(p_plans) AS c(id text));

    INSERT INTO items AS i (product_id, size, kind, name, amount, currency, credits, sizes, sold_out, none_left, listed)
    SELECT c.product_id, c.size, c.kind, c.name, c.amount, c.currency, c.credits, c.sizes, c.sold_out, c.none_left, true
    FROM jsonb_to_recordset(p_items) AS c(product_id text, size text, kind item_kind, name text, amount bigint, currency text, credits bigint,
        sizes text[], sold_out text[], none_left boolean)
    ON CONFLICT (product_id, size) DO UPDATE SET kind = excluded.kind, name = excluded.name, amount = excluded.amount,
        currency = excluded.currency, credits = excluded.credits, sizes = excluded.sizes, sold_out = excluded.sold_out,
        none_left = excluded.none_left, listed = true,
        agreed = i.agreed AND (i.amount, i.currency) IS NOT DISTINCT FROM (excluded.amount, excluded.currency)
    WHERE (i.kind, i.name, i.amount, i.currency, i.credits, i.sizes, i.sold_out, i.none_left, i.listed) IS DISTINCT FROM
        (excluded.kind, excluded.name, excluded.amount, excluded.currency, excluded.credits, excluded.sizes, excluded.sold_out, excluded.none_left, true);
    UPDATE items i SET listed = false WHERE listed AND NOT EXISTS (
        SELECT FROM jsonb_to_recordset(p_items) AS c(product_id text, size text) WHERE c.product_id = i.product_id AND c.size = i.size);

    DELETE FROM plan_prices p WHERE NOT EXISTS (
        SELECT FROM items i WHERE i.kind = 'membership' AND i.listed AND i.product_id = p.plan_id AND i.size = p.period::text);
    INSERT INTO plan_prices AS p (plan_id, period, amount, currency, credits)
    SELECT i.product_id, i.size::billing_period, i.amount, i.currency, i.credits FROM items i WHERE i.kind = 'membership' AND i.listed
    ON CONFLICT (plan_id, period) DO UPDATE SET amount = excluded.amount, currency = excluded.currency, credits = excluded.credits
    WHERE (p.amount, p.currency, p.credits) IS DISTINCT FROM (excluded.amount, excluded.currency, excluded.credits);
END $$;
-- +goose StatementEnd

-- remove_closed_orders and remove_old_orders remove orders made up to p_before, p_most of them at most, with their lines: those
-- that nobody paid, and the books of long ago. They answer the number.
-- +goose StatementBegin
CREATE FUNCTION remove_closed_orders(p_before timestamptz, p_most int)
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
CREATE FUNCTION remove_old_orders(p_before timestamptz, p_most int)
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
-- +goose StatementEnd

-- The service's own role makes orders and moves them along; it cannot rewrite or remove one, nor set a price.
REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON items FROM billing;
GRANT UPDATE (price_id, agreed, offered, checked_at) ON items TO billing;
REVOKE UPDATE, DELETE, TRUNCATE ON orders, order_lines FROM billing;
GRANT UPDATE (state, read_at, session_id, session_url, payment_id, subscription_id, paid_amount, paid_currency, period_start, completed_at,
    refunded, returned_at, address) ON orders TO billing;
REVOKE UPDATE, TRUNCATE ON webhook_events FROM billing;
GRANT UPDATE (applied_at) ON webhook_events TO billing;
REVOKE TRUNCATE ON customers, departures, provider_progress FROM billing;
REVOKE EXECUTE ON FUNCTION hold_order_to_rules, require_order_sum, reverse_credits, take_catalogue, remove_closed_orders, remove_old_orders
    FROM PUBLIC, billing;
GRANT EXECUTE ON FUNCTION reverse_credits, take_catalogue, remove_closed_orders, remove_old_orders TO billing;

-- +goose Down
-- entries_accounts stays as it is: entries may be there that it allows.
DROP FUNCTION reverse_credits, take_catalogue, remove_closed_orders, remove_old_orders;
