-- The end of a hold, and what comes after it.
-- As in grants.sql, each function that a caller may call locks the member's row first and answers 'due' while time has something
-- left to do.

-- spend_hold captures a hold: it spends the credits, once. The entry names the work by its reference alone.
-- If less than p_enough is left to spend and no event has said so since the last grant, it also writes that event. The caller prepares
-- the events for the grant p_grant: p_lows[n + 1] for n credits that are left. If p_grant is not the member's last grant, spend_hold
-- changes nothing and answers 'low', and the caller retries with the right grant. So a capture that leaves enough needs no events.
-- Answers 'captured', 'repeated' (captured before), the state of a hold that ended otherwise, NULL for no such hold, 'low' or 'due'.
CREATE OR REPLACE FUNCTION spend_hold(
    p_id uuid, p_uid uuid, p_now timestamptz, p_event uuid, p_payload bytea,
    p_enough bigint, p_grant text, p_low_events uuid[], p_lows bytea[]
) RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    b      balances;
    h      holds;
    v_left bigint;
    v_low  boolean;
BEGIN
    SELECT * INTO b FROM balances WHERE uid = p_uid FOR UPDATE;
    IF b.next_due <= p_now THEN
        RETURN 'due';
    END IF;
    v_left := b.plan_available + b.top_up_available;
    v_low := v_left < p_enough AND b.untold_grant IS NOT NULL;
    IF v_low AND b.untold_grant IS DISTINCT FROM p_grant THEN
        PERFORM FROM holds WHERE id = p_id AND uid = p_uid AND state = 'held';
        IF FOUND THEN
            RETURN 'low';
        END IF;
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
    IF v_low THEN
        PERFORM emit(p_low_events[v_left + 1], 'serein.billing.credits.low.v1', p_lows[v_left + 1]);
        UPDATE balances SET untold_grant = NULL WHERE uid = p_uid;
    END IF;
    RETURN 'captured';
END $$;

-- release_hold ends a hold without a charge. Answers 'released' (also if it was released before), the state of a hold that ended
-- otherwise, NULL for no such hold, or 'due'.
CREATE OR REPLACE FUNCTION release_hold(p_id uuid, p_uid uuid, p_now timestamptz, p_event uuid, p_payload bytea)
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

-- refund_hold gives the credits of a captured hold back, because the work that they paid for was lost. Plan credits go back to the
-- grant that they came from, and end with it. If that grant has ended, they come back as top-ups, which never end: a member has one
-- plan grant at a time, and a new expiry would make the member pay for our loss. A hold is refunded once for all time, by the causes of
-- the entries. Answers 'refunded', 'repeated', the state of a hold that was not captured, NULL for no such hold, or 'due'.
CREATE OR REPLACE FUNCTION refund_hold(p_id uuid, p_uid uuid, p_now timestamptz, p_event uuid, p_payload bytea)
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

-- remove_ended_holds removes holds that ended and were made up to p_before, p_most of them at most, and answers their number.
-- Their entries stay.
CREATE OR REPLACE FUNCTION remove_ended_holds(p_before timestamptz, p_most int)
RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    WITH removed AS (
        DELETE FROM holds WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM holds WHERE created_at <= p_before AND state <> 'held'
            ORDER BY created_at LIMIT p_most FOR UPDATE SKIP LOCKED
        ))
        RETURNING 1
    )
    SELECT count(*) FROM removed;
$$;

REVOKE EXECUTE ON FUNCTION spend_hold, release_hold, refund_hold, remove_ended_holds FROM PUBLIC, billing;
GRANT EXECUTE ON FUNCTION spend_hold, release_hold, refund_hold, remove_ended_holds TO billing;
