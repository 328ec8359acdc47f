-- +goose Up

-- The rules of credits. These functions are the only writers of entries, balances and
-- holds: the service's own role may call them and may not touch the tables.
--
-- Each takes the member's row lock first, so changes of one member happen one after another
-- and there is one lock order. Each answers 'due' and changes nothing while time has
-- something left to do for the member (see settle_credits). The moment is always passed in.

-- book moves credits between the four figures of a member's balance, and writes an entry for
-- each pool whose total changes, against the contra account (p_house). Nothing else writes entries.
-- +goose StatementBegin
CREATE FUNCTION book(
    p_uid uuid, p_cause text, p_house account, p_at timestamptz, p_description text, p_reference text,
    p_plan_available bigint, p_plan_held bigint, p_top_up_available bigint, p_top_up_held bigint
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    b        balances;
    v_plan   bigint := p_plan_available + p_plan_held;
    v_top_up bigint := p_top_up_available + p_top_up_held;
    v_total  bigint;
BEGIN
    UPDATE balances SET
        plan_available   = plan_available + p_plan_available,
        plan_held        = plan_held + p_plan_held,
        top_up_available = top_up_available + p_top_up_available,
        top_up_held      = top_up_held + p_top_up_held,
        entry_count      = entry_count + (v_plan <> 0)::int + (v_top_up <> 0)::int,
        changed_at       = greatest(changed_at, p_at) -- a clock that lags never reorders the ledger
    WHERE uid = p_uid
    RETURNING * INTO STRICT b;
    v_total := b.plan_available + b.plan_held + b.top_up_available + b.top_up_held;

    IF v_plan <> 0 THEN
        INSERT INTO entries (uid, position, cause, from_account, to_account, amount, balance_after, at, description, reference)
        VALUES (
            p_uid, b.entry_count - (v_top_up <> 0)::int, p_cause,
            CASE WHEN v_plan > 0 THEN p_house ELSE 'plan' END,
            CASE WHEN v_plan > 0 THEN 'plan' ELSE p_house END,
            abs(v_plan), v_total - v_top_up, b.changed_at, p_description, p_reference
        );
    END IF;
    IF v_top_up <> 0 THEN
        INSERT INTO entries (uid, position, cause, from_account, to_account, amount, balance_after, at, description, reference)
        VALUES (
            p_uid, b.entry_count, p_cause,
            CASE WHEN v_top_up > 0 THEN p_house ELSE 'top_up' END,
            CASE WHEN v_top_up > 0 THEN 'top_up' ELSE p_house END,
            abs(v_top_up), v_total, b.changed_at, p_description, p_reference
        );
    END IF;
END $$;
-- +goose StatementEnd

-- emit queues one event for the relay, in the transaction of the change it tells of.
-- +goose StatementBegin
CREATE FUNCTION emit(p_id uuid, p_subject text, p_payload bytea) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO outbox (id, subject, payload) VALUES (p_id, p_subject, p_payload);
END $$;
-- +goose StatementEnd

-- end_plan_credits posts the expiry of what is left of the current plan grant. Credits in
-- holds stay held: their work began in time. They are spent, or expire when the hold ends.
-- +goose StatementBegin
CREATE FUNCTION end_plan_credits(p_uid uuid, p_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    b balances;
BEGIN
    SELECT * INTO STRICT b FROM balances WHERE uid = p_uid;
    IF b.plan_available > 0 THEN
        PERFORM book(p_uid, 'expiry:' || b.plan_grant, 'expired', p_at,
            'Unused plan credits expired', '', -b.plan_available, 0, 0, 0);
    END IF;
    UPDATE balances SET plan_grant = NULL, plan_expires_at = NULL WHERE uid = p_uid;
END $$;
-- +goose StatementEnd

-- end_hold gives a hold's credits back: to the pools they came from, or, for plan credits
-- whose grant has ended meanwhile, to expiry.
-- +goose StatementBegin
CREATE FUNCTION end_hold(h holds, p_state hold_state, p_at timestamptz, p_event uuid, p_payload bytea)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    v_grant text := (SELECT plan_grant FROM balances WHERE uid = h.uid);
BEGIN
    UPDATE holds SET state = p_state, ended_at = p_at WHERE id = h.id;
    IF h.plan_credits > 0 AND v_grant IS DISTINCT FROM h.plan_grant THEN
        PERFORM book(h.uid, 'expiry:' || h.plan_grant || ':hold:' || h.id, 'expired', p_at,
            'Unused plan credits expired', h.reference,
            0, -h.plan_credits, h.top_up_credits, -h.top_up_credits);
    ELSE
        PERFORM book(h.uid, '', NULL, p_at, '', '',
            h.plan_credits, -h.plan_credits, h.top_up_credits, -h.top_up_credits);
    END IF;
    PERFORM emit(p_event, 'serein.billing.credits.released.v1', p_payload);
END $$;
-- +goose StatementEnd

-- settle_credits applies what time has done to a member by p_now, each thing at its own
-- moment and in order, so that it never matters when or how often anybody looked. The caller
-- lists the holds that are due, each with the event that tells of its end. Answers false and
-- changes nothing when another hold is due as well.
-- +goose StatementBegin
CREATE FUNCTION settle_credits(p_uid uuid, p_now timestamptz, p_holds uuid[], p_events uuid[], p_payloads bytea[])
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    v_plan_ends timestamptz;
    h           holds;
    i           int;
BEGIN
    SELECT plan_expires_at INTO v_plan_ends FROM balances WHERE uid = p_uid FOR UPDATE;
    PERFORM FROM holds WHERE uid = p_uid AND state = 'held' AND expires_at <= p_now AND id <> ALL (p_holds);
    IF FOUND THEN
        RETURN false;
    END IF;
    FOR h IN
        SELECT * FROM holds WHERE uid = p_uid AND state = 'held' AND expires_at <= p_now ORDER BY expires_at, id
    LOOP
        IF v_plan_ends < h.expires_at THEN
            PERFORM end_plan_credits(p_uid, v_plan_ends);
            v_plan_ends := NULL;
        END IF;
        i := array_position(p_holds, h.id);
        PERFORM end_hold(h, 'expired', h.expires_at, p_events[i], p_payloads[i]);
    END LOOP;
    IF v_plan_ends <= p_now THEN
        PERFORM end_plan_credits(p_uid, v_plan_ends);
    END IF;
    UPDATE balances SET next_due = least(
        plan_expires_at,
        (SELECT min(expires_at) FROM holds WHERE uid = p_uid AND state = 'held')
    ) WHERE uid = p_uid;
    RETURN true;
END $$;
-- +goose StatementEnd

-- grant_credits adds credits for a cause that has had none yet. Plan credits carry an expiry
-- and replace what is left of the former plan credits; top-ups never expire.
-- Answers 'granted', 'repeated' (the cause has had its grant) or 'due'.
-- +goose StatementBegin
CREATE FUNCTION grant_credits(
    p_uid uuid, p_pool text, p_amount bigint, p_cause text, p_expires_at timestamptz,
    p_description text, p_reference text, p_now timestamptz
) RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    b balances;
BEGIN
    IF (p_pool = 'plan') <> (p_expires_at IS NOT NULL) OR p_expires_at <= p_now OR p_amount <= 0 THEN
        RAISE EXCEPTION 'grant % is malformed', p_cause USING ERRCODE = 'invalid_parameter_value';
    END IF;
    INSERT INTO balances (uid, changed_at) VALUES (p_uid, p_now) ON CONFLICT (uid) DO NOTHING;
    SELECT * INTO STRICT b FROM balances WHERE uid = p_uid FOR UPDATE;
    IF b.next_due <= p_now THEN
        RETURN 'due';
    END IF;
    PERFORM FROM entries WHERE cause = p_cause;
    IF FOUND THEN
        RETURN 'repeated';
    END IF;
    IF p_pool = 'top_up' THEN
        PERFORM book(p_uid, p_cause, 'issued', p_now, p_description, p_reference, 0, 0, p_amount, 0);
        RETURN 'granted';
    END IF;
    PERFORM end_plan_credits(p_uid, p_now);
    UPDATE balances SET plan_grant = p_cause, plan_expires_at = p_expires_at, next_due = least(next_due, p_expires_at)
    WHERE uid = p_uid;
    PERFORM book(p_uid, p_cause, 'issued', p_now, p_description, p_reference, p_amount, 0, 0, 0);
    RETURN 'granted';
END $$;
-- +goose StatementEnd

-- hold_credits sets credits aside, plan credits before top-ups. p_events and p_payloads hold
-- the event for every possible split: number n (from 0) takes n credits from the top-ups.
-- Outcome: 'held' (also for a repeat of the same request), 'insufficient', 'reused' (the key
-- belongs to another request) or 'due'.
-- +goose StatementBegin
CREATE FUNCTION hold_credits(
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
            p_reference, p_description, p_now, p_expires_at)
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
    ELSIF h.uid = p_uid AND h.plan_credits + h.top_up_credits = p_amount
        AND h.reference = p_reference AND h.description = p_description
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

-- capture_hold spends a hold. Answers the state the hold is in afterwards: 'captured' (now or
-- before), 'released', 'expired', or NULL for no such hold; or 'due'.
-- +goose StatementBegin
CREATE FUNCTION capture_hold(p_id uuid, p_uid uuid, p_now timestamptz, p_event uuid, p_payload bytea)
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
        RETURN (SELECT state::text FROM holds WHERE id = p_id AND uid = p_uid);
    END IF;
    PERFORM book(p_uid, 'hold:' || p_id, 'spent', p_now, h.description, h.reference,
        0, -h.plan_credits, 0, -h.top_up_credits);
    PERFORM emit(p_event, 'serein.billing.credits.spent.v1', p_payload);
    RETURN 'captured';
END $$;
-- +goose StatementEnd

-- release_hold ends a hold without a charge. Answers like capture_hold.
-- +goose StatementBegin
CREATE FUNCTION release_hold(p_id uuid, p_uid uuid, p_now timestamptz, p_event uuid, p_payload bytea)
RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    v_due timestamptz;
    h     holds;
BEGIN
    SELECT next_due INTO v_due FROM balances WHERE uid = p_uid FOR UPDATE;
    IF v_due <= p_now THEN
        RETURN 'due';
    END IF;
    SELECT * INTO h FROM holds WHERE id = p_id AND uid = p_uid;
    IF h.state = 'held' THEN
        PERFORM end_hold(h, 'released', p_now, p_event, p_payload);
        RETURN 'released';
    END IF;
    RETURN h.state;
END $$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION release_hold, capture_hold, hold_credits, grant_credits, settle_credits,
    end_hold, end_plan_credits, emit, book;
