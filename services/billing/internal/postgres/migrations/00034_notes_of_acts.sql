-- +goose Up

-- An act that moves no credits is no entry of the books, and stands in the ledger all the same: what an operator wanted to take
-- where nothing was left (correction), a plan that was ended with nothing left of it (plan_end), and a reward that was taken back when
-- it had been used (reward_taken_back). Its cause is the one that its entry would have had, so that it leads to who did it and why;
-- no cause has both.
ALTER TYPE note_kind ADD VALUE 'correction';
ALTER TYPE note_kind ADD VALUE 'plan_end';
ALTER TYPE note_kind ADD VALUE 'reward_taken_back';

-- note_act tells a member's ledger of such an act; a cause is written once.
-- Outcome: 'noted', 'repeated' or 'due'.
-- +goose StatementBegin
CREATE FUNCTION note_act(p_uid uuid, p_kind note_kind, p_cause text, p_description text, p_now timestamptz)
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
-- +goose StatementEnd

REVOKE EXECUTE ON FUNCTION note_act FROM PUBLIC, billing;
GRANT EXECUTE ON FUNCTION note_act TO billing;

-- +goose Down
-- note_kind stays as it is: notes may be there that it allows.
DROP FUNCTION note_act;
