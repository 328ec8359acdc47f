-- What time does to a member's credits.
-- settle_credits locks the member's row first, as all functions do that callers may call.

-- end_plan_credits posts the expiry of what is left of the current plan grant. Credits in holds stay held: their work began in
-- time. They are spent, or expire when the hold ends.
CREATE OR REPLACE FUNCTION end_plan_credits(p_uid uuid, p_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
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

-- end_hold ends a hold without a charge, and writes the note of it. The credits go back to the pools that they came from, or
-- expire if they are plan credits whose grant has ended meanwhile.
CREATE OR REPLACE FUNCTION end_hold(h holds, p_state hold_state, p_at timestamptz, p_event uuid, p_payload bytea)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    v_grant text := (SELECT plan_grant FROM balances WHERE uid = h.uid);
BEGIN
    UPDATE holds SET state = p_state, ended_at = p_at WHERE id = h.id;
    PERFORM note(h.uid, 'release', 'release:' || h.id, p_at, h.plan_credits, h.top_up_credits, '', h.reference);
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

-- settle_credits applies what time has done to a member by p_now, each thing at its own moment and in order, so that it never
-- matters when or how often somebody looked. The caller lists the holds that are due, each with the event of its end. If another
-- hold is due as well, the answer is false and nothing has changed. It waits half a second for a locked member at most: the sweep
-- comes again. For the other functions the caller sets the time.
CREATE OR REPLACE FUNCTION settle_credits(p_uid uuid, p_now timestamptz, p_holds uuid[], p_events uuid[], p_payloads bytea[])
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '500ms' AS $$
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

REVOKE EXECUTE ON FUNCTION end_plan_credits, end_hold, settle_credits FROM PUBLIC, billing;
GRANT EXECUTE ON FUNCTION settle_credits TO billing;
