-- Credits that are given.
-- Each function takes the member's row lock first, so the changes of one member happen one after another and there is one lock
-- order. Each answers 'due' and changes nothing while time has something left to do for the member (settle_credits). The caller
-- passes the moment.

-- grant_credits adds credits for a cause, once for all time. Plan credits carry an expiry and replace what is left of the former
-- plan credits; top-ups never expire. Answers 'granted', 'repeated' (the cause has had its grant) or 'due'.
CREATE OR REPLACE FUNCTION grant_credits(
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

REVOKE EXECUTE ON FUNCTION grant_credits FROM PUBLIC, billing;
GRANT EXECUTE ON FUNCTION grant_credits TO billing;
