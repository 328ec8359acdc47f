-- The plan credits of a subscription, when its period or its plan changes.
-- As in grants.sql, each function that a caller may call locks the member's row first and answers 'due' while time has something
-- left to do.

-- of_subscription says whether the plan credits of a grant are those of a subscription.
CREATE OR REPLACE FUNCTION of_subscription(p_grant text, p_subscription text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT starts_with(p_grant, 'subscription:' || p_subscription || ':') OR starts_with(p_grant, 'change:' || p_subscription || ':');
$$;

-- move_plan_expiry moves the end of a subscription's plan credits to another moment; if that has passed, they end at once.
-- Outcome: 'moved', 'none' (the member has no credits of the subscription) or 'due'.
CREATE OR REPLACE FUNCTION move_plan_expiry(p_uid uuid, p_subscription text, p_expires_at timestamptz, p_now timestamptz)
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

-- change_plan_credits replaces what is left of a subscription's plan credits: less what the old plan's period gives back, plus what
-- the new one's gives, never below zero. Credits in holds move to the new grant: their work began before. A cause is granted once.
-- Outcome: 'granted', 'repeated' or 'due'.
CREATE OR REPLACE FUNCTION change_plan_credits(
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

-- reverse_period_credits takes back what the running period gave, as far as it is there. A change of plan has replaced its grant
-- by another, so it takes from the subscription's grant, with any cause. A cause is written once.
-- Outcome: 'reversed' (also if nothing was left to take), 'repeated' or 'due'.
CREATE OR REPLACE FUNCTION reverse_period_credits(
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

REVOKE EXECUTE ON FUNCTION of_subscription, move_plan_expiry, change_plan_credits, reverse_period_credits FROM PUBLIC, billing;
GRANT EXECUTE ON FUNCTION move_plan_expiry, change_plan_credits, reverse_period_credits TO billing;
