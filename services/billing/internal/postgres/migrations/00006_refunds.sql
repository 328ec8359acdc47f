-- +goose Up

-- The title that a member gave a meditation is private and may speak of health and mood. Billing stored it as
-- the description of holds and of their entries; services that may read the title find it by the reference.
-- The ledger stays append-only: only this migration disables the trigger, and it changes no figure.
ALTER TABLE entries DISABLE TRIGGER entries_append_only;
UPDATE entries SET description = '' WHERE cause LIKE 'hold:%' AND description <> '';
ALTER TABLE entries ENABLE TRIGGER entries_append_only;
UPDATE holds SET description = '' WHERE description <> '';

-- A refund moves credits from spent back into a pool.
ALTER TABLE entries
    DROP CONSTRAINT entries_accounts,
    ADD CONSTRAINT entries_accounts CHECK (
        CASE from_account
            WHEN 'issued' THEN to_account IN ('plan', 'top_up')
            WHEN 'spent' THEN to_account IN ('plan', 'top_up')
            WHEN 'expired' THEN false
            ELSE to_account IN ('spent', 'expired')
        END
        AND (from_account <> 'spent' OR cause LIKE 'refund:%'));

-- As in 00002, without a description: what is passed for one (by the release before this) is dropped.
-- +goose StatementBegin
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
-- +goose StatementEnd

-- capture_hold spends a hold. Answers 'captured' where it did so now, 'repeated' where that was before,
-- the state of a hold that ended otherwise, or 'due'. The entry says what for by its reference alone.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION capture_hold(p_id uuid, p_uid uuid, p_now timestamptz, p_event uuid, p_payload bytea)
RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    v_due timestamptz;
    h     holds;
BEGIN
    SELECT next_due INTO v_due FROM balances WHERE uid = p_uid FOR UPDATE;
    IF v_due <= p_now THEN
        RETURN 'due';
    END IF;
    UPDATE holds SET state = 'captured', ended_at = p_now
    WHERE id = p_id AND uid = p_uid AND state = 'held'
    RETURNING * INTO h;
    IF NOT FOUND THEN
        RETURN (SELECT CASE state WHEN 'captured' THEN 'repeated' ELSE state::text END
            FROM holds WHERE id = p_id AND uid = p_uid);
    END IF;
    PERFORM book(p_uid, 'hold:' || p_id, 'spent', p_now, '', h.reference,
        0, -h.plan_credits, 0, -h.top_up_credits);
    PERFORM emit(p_event, 'serein.billing.credits.spent.v1', p_payload);
    RETURN 'captured';
END $$;
-- +goose StatementEnd

-- refund_hold gives the credits of a captured hold back, because what they were spent on was lost. Plan
-- credits go back to the grant that they came from, and end with it. Where that grant has ended
-- meanwhile they come back as top-ups, which never end: a member has one plan grant at a time, so there
-- is no other place for them, and a new expiry would punish the member for what we have lost.
-- A hold is refunded once for all time, by the causes of the entries: a cause is written once.
-- Answers 'refunded', 'repeated', the state of a hold that was not captured, or 'due'.
-- +goose StatementBegin
CREATE FUNCTION refund_hold(p_id uuid, p_uid uuid, p_now timestamptz, p_event uuid, p_payload bytea)
RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    b        balances;
    h        holds;
    v_cause  text := 'refund:' || p_id;
    v_plan   bigint;
    v_top_up bigint;
BEGIN
    SELECT * INTO b FROM balances WHERE uid = p_uid FOR UPDATE;
    IF b.next_due <= p_now THEN
        RETURN 'due';
    END IF;
    SELECT * INTO h FROM holds WHERE id = p_id AND uid = p_uid;
    IF h.state IS DISTINCT FROM 'captured' THEN
        RETURN h.state;
    END IF;
    PERFORM FROM entries WHERE cause IN (v_cause || ':plan', v_cause || ':top_up');
    IF FOUND THEN
        RETURN 'repeated';
    END IF;
    v_plan := CASE WHEN b.plan_grant = h.plan_grant THEN h.plan_credits ELSE 0 END;
    v_top_up := h.plan_credits + h.top_up_credits - v_plan;
    IF v_plan > 0 THEN
        PERFORM book(p_uid, v_cause || ':plan', 'spent', p_now, '', h.reference, v_plan, 0, 0, 0);
    END IF;
    IF v_top_up > 0 THEN
        PERFORM book(p_uid, v_cause || ':top_up', 'spent', p_now, '', h.reference, 0, 0, v_top_up, 0);
    END IF;
    PERFORM emit(p_event, 'serein.billing.credits.refunded.v1', p_payload);
    RETURN 'refunded';
END $$;
-- +goose StatementEnd

REVOKE EXECUTE ON FUNCTION refund_hold FROM PUBLIC, billing;
GRANT EXECUTE ON FUNCTION refund_hold TO billing;

-- +goose Down
-- The other functions serve the release before this as well, and what was erased does not come back.
DROP FUNCTION refund_hold;
