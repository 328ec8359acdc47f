-- Credits that are taken back or ended.
-- As in grants.sql, each function that a caller may call locks the member's row first and answers 'due' while time has something
-- left to do.

-- reverse_credits takes back what a grant gave, as far as it is there: never what is held, never below zero, and plan credits only
-- from the grant that they came from. A cause is written once.
-- Outcome: 'reversed' (also if nothing was left to take), 'repeated' or 'due'.
CREATE OR REPLACE FUNCTION reverse_credits(
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

-- take_credits takes credits from a member for an operator's reason, as far as they are unspent: never what is held, never below
-- zero, top-ups before plan credits, which end anyway. A cause is written once. A member without a row in balances was never given
-- a credit and has nothing to take. Outcome: 'taken' (also if there was nothing), 'repeated' or 'due'.
CREATE OR REPLACE FUNCTION take_credits(
    p_uid uuid, p_amount bigint, p_cause text, p_description text, p_now timestamptz,
    OUT outcome text, OUT taken bigint
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    b        balances;
    v_top_up bigint;
    v_plan   bigint;
BEGIN
    IF p_amount <= 0 OR p_cause NOT LIKE 'reversal:operator:%' THEN
        RAISE EXCEPTION 'taking % is malformed', p_cause USING ERRCODE = 'invalid_parameter_value';
    END IF;
    taken := 0;
    outcome := 'taken';
    SELECT * INTO b FROM balances WHERE uid = p_uid FOR UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF b.next_due <= p_now THEN
        outcome := 'due';
        RETURN;
    END IF;
    PERFORM FROM entries WHERE cause = p_cause;
    IF FOUND THEN
        outcome := 'repeated';
        RETURN;
    END IF;
    v_top_up := least(p_amount, b.top_up_available);
    v_plan := least(p_amount - v_top_up, b.plan_available);
    taken := v_top_up + v_plan;
    IF taken > 0 THEN
        PERFORM book(p_uid, p_cause, 'issued', p_now, p_description, '', -v_plan, 0, -v_top_up, 0);
    END IF;
END $$;

-- end_plan ends a member's plan credits before their time, for an operator's reason. Credits in holds stay good for those holds.
-- Outcome: 'ended' (also if there was nothing) or 'due'.
CREATE OR REPLACE FUNCTION end_plan(p_uid uuid, p_cause text, p_description text, p_now timestamptz, OUT outcome text, OUT ended bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    b balances;
BEGIN
    IF p_cause NOT LIKE 'operator:%' THEN
        RAISE EXCEPTION 'end % is malformed', p_cause USING ERRCODE = 'invalid_parameter_value';
    END IF;
    ended := 0;
    outcome := 'ended';
    SELECT * INTO b FROM balances WHERE uid = p_uid FOR UPDATE;
    IF b.next_due <= p_now THEN
        outcome := 'due';
        RETURN;
    END IF;
    ended := coalesce(b.plan_available, 0);
    IF ended > 0 THEN
        PERFORM book(p_uid, p_cause, 'expired', p_now, p_description, '', -ended, 0, 0, 0);
    END IF;
    -- next_due may be earlier than need be now, which settles once more than there is reason to.
    UPDATE balances SET plan_grant = NULL, plan_expires_at = NULL WHERE uid = p_uid;
END $$;

REVOKE EXECUTE ON FUNCTION reverse_credits, take_credits, end_plan FROM PUBLIC, billing;
GRANT EXECUTE ON FUNCTION reverse_credits, take_credits, end_plan TO billing;
