-- Credits that are set aside for work.
-- As in grants.sql, each function that a caller may call locks the member's row first and answers 'due' while time has something
-- left to do.

-- hold_credits sets credits aside, plan credits before top-ups. One key is one hold. p_events and p_payloads have the event for
-- every possible split: number n (from 0) takes n credits from the top-ups. It drops p_description, since a title is private.
-- Outcome: 'held' (also for a repeat of the same request), 'insufficient', 'reused' (the key belongs to another request) or 'due'.
CREATE OR REPLACE FUNCTION hold_credits(
    p_id uuid, p_uid uuid, p_amount bigint, p_key text, p_reference text, p_description text,
    p_now timestamptz, p_expires_at timestamptz, p_events uuid[], p_payloads bytea[],
    OUT outcome text, OUT hold_id uuid, OUT plan bigint, OUT top_up bigint, OUT ends_at timestamptz
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    b balances;
    h holds;
BEGIN
    IF p_amount <= 0 THEN
        RAISE EXCEPTION 'hold of % credits', p_amount USING ERRCODE = 'invalid_parameter_value';
    END IF;
    SELECT * INTO b FROM balances WHERE uid = p_uid FOR UPDATE;
    IF b.next_due <= p_now THEN
        outcome := 'due';
        RETURN;
    END IF;
    plan := least(b.plan_available, p_amount);
    top_up := p_amount - plan;
    IF top_up <= b.top_up_available THEN
        INSERT INTO holds (id, uid, idempotency_key, plan_credits, top_up_credits, plan_grant,
            reference, description, created_at, expires_at)
        VALUES (p_id, p_uid, p_key, plan, top_up, CASE WHEN plan > 0 THEN b.plan_grant END,
            p_reference, '', p_now, p_expires_at)
        ON CONFLICT (idempotency_key) DO NOTHING;
        IF FOUND THEN
            UPDATE balances SET
                plan_available   = plan_available - plan,
                plan_held        = plan_held + plan,
                top_up_available = top_up_available - top_up,
                top_up_held      = top_up_held + top_up,
                next_due         = least(next_due, p_expires_at),
                changed_at       = greatest(changed_at, p_now)
            WHERE uid = p_uid;
            PERFORM emit(p_events[top_up + 1], 'serein.billing.credits.held.v1', p_payloads[top_up + 1]);
            outcome := 'held';
            hold_id := p_id;
            ends_at := p_expires_at;
            RETURN;
        END IF;
    END IF;

    SELECT * INTO h FROM holds WHERE idempotency_key = p_key;
    IF NOT FOUND THEN
        outcome := 'insufficient';
    ELSIF h.uid = p_uid AND h.plan_credits + h.top_up_credits = p_amount AND h.reference = p_reference
        AND h.expires_at - h.created_at = p_expires_at - p_now THEN
        outcome := 'held';
        hold_id := h.id;
        plan := h.plan_credits;
        top_up := h.top_up_credits;
        ends_at := h.expires_at;
    ELSE
        outcome := 'reused';
    END IF;
END $$;

-- hold_and_balance does what hold_credits does and also answers the member's balance after the hold, which saves the caller a second
-- call. It runs with the rights of its caller.
CREATE OR REPLACE FUNCTION hold_and_balance(
    p_id uuid, p_uid uuid, p_amount bigint, p_key text, p_reference text, p_description text,
    p_now timestamptz, p_expires_at timestamptz, p_events uuid[], p_payloads bytea[],
    OUT outcome text, OUT hold_id uuid, OUT plan bigint, OUT top_up bigint, OUT ends_at timestamptz,
    OUT plan_left bigint, OUT top_up_left bigint, OUT held bigint
) LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    SELECT h.outcome, h.hold_id, h.plan, h.top_up, h.ends_at INTO outcome, hold_id, plan, top_up, ends_at
    FROM hold_credits(p_id, p_uid, p_amount, p_key, p_reference, p_description, p_now, p_expires_at, p_events, p_payloads) AS h;
    SELECT b.plan_available, b.top_up_available, b.plan_held + b.top_up_held INTO plan_left, top_up_left, held
    FROM balances AS b WHERE b.uid = p_uid;
END $$;

REVOKE EXECUTE ON FUNCTION hold_credits, hold_and_balance FROM PUBLIC, billing;
GRANT EXECUTE ON FUNCTION hold_credits, hold_and_balance TO billing;
