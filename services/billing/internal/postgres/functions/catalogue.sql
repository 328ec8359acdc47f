-- Plans and items for sale: a copy of content's.

-- take_catalogue makes the plans, their prices and the items those of content, one caller at a time. What content no longer lists
-- stays, unlisted, for the members who have it. A changed figure is not agreed with the provider until billing has compared it again.
CREATE OR REPLACE FUNCTION take_catalogue(p_plans jsonb, p_items jsonb) RETURNS void
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

-- require_trial refuses a catalogue without a trial; an index forbids a second one. The trigger is plans_have_a_trial.
CREATE OR REPLACE FUNCTION require_trial() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM plans WHERE kind = 'trial') THEN
        RAISE EXCEPTION 'no plan would be the trial' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;

REVOKE EXECUTE ON FUNCTION take_catalogue, require_trial FROM PUBLIC, billing;
GRANT EXECUTE ON FUNCTION take_catalogue TO billing;
