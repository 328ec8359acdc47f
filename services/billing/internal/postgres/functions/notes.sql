-- Events of the ledger that moved no credits.
-- As in grants.sql, each function that a caller may call locks the member's row first and answers 'due' while time has something
-- left to do.

-- note_failed_renewal notes that a further period of a plan was not paid; a cause is written once.
-- Outcome: 'noted', 'repeated' or 'due'.
CREATE OR REPLACE FUNCTION note_failed_renewal(p_uid uuid, p_cause text, p_description text, p_now timestamptz)
RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    b balances;
BEGIN
    IF p_cause NOT LIKE 'failed_renewal:%' THEN
        RAISE EXCEPTION 'failed renewal % is malformed', p_cause USING ERRCODE = 'invalid_parameter_value';
    END IF;
    INSERT INTO balances (uid, changed_at) VALUES (p_uid, p_now) ON CONFLICT (uid) DO NOTHING;
    SELECT * INTO STRICT b FROM balances WHERE uid = p_uid FOR UPDATE;
    IF b.next_due <= p_now THEN
        RETURN 'due';
    END IF;
    PERFORM FROM notes WHERE cause = p_cause;
    IF FOUND THEN
        RETURN 'repeated';
    END IF;
    PERFORM note(p_uid, 'failed_renewal', p_cause, p_now, 0, 0, p_description, '');
    RETURN 'noted';
END $$;

-- note_act notes an act that moved no credits: an operator's correction or end of a plan, or a reward of which nothing was left.
-- A cause is written once. Outcome: 'noted', 'repeated' or 'due'.
CREATE OR REPLACE FUNCTION note_act(p_uid uuid, p_kind note_kind, p_cause text, p_description text, p_now timestamptz)
RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    b balances;
BEGIN
    IF (CASE p_kind::text
        WHEN 'correction' THEN p_cause LIKE 'reversal:operator:%'
        WHEN 'plan_end' THEN p_cause LIKE 'operator:%'
        WHEN 'reward_taken_back' THEN p_cause LIKE 'reversal:referral:%'
        END) IS NOT TRUE THEN
        RAISE EXCEPTION 'note % of % is malformed', p_cause, p_kind USING ERRCODE = 'invalid_parameter_value';
    END IF;
    INSERT INTO balances (uid, changed_at) VALUES (p_uid, p_now) ON CONFLICT (uid) DO NOTHING;
    SELECT * INTO STRICT b FROM balances WHERE uid = p_uid FOR UPDATE;
    IF b.next_due <= p_now THEN
        RETURN 'due';
    END IF;
    PERFORM FROM notes WHERE cause = p_cause;
    IF FOUND THEN
        RETURN 'repeated';
    END IF;
    PERFORM note(p_uid, p_kind, p_cause, p_now, 0, 0, p_description, '');
    RETURN 'noted';
END $$;

REVOKE EXECUTE ON FUNCTION note_failed_renewal, note_act FROM PUBLIC, billing;
GRANT EXECUTE ON FUNCTION note_failed_renewal, note_act TO billing;
