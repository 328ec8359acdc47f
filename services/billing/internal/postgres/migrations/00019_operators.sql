-- +goose Up

-- What operators did to a member's credits and plan: who, what, why and when. Only added to. The ledger's entries name the
-- act by their cause, operator:<key>.
CREATE TYPE act_of_operator AS ENUM ('correct_credits', 'reset_to_trial', 'end_subscription');
CREATE TABLE operator_acts (
    key     uuid            PRIMARY KEY, -- of the request: it is done once
    act     act_of_operator NOT NULL,
    uid     uuid            NOT NULL,
    actor   uuid            NOT NULL,
    amount  bigint          NOT NULL, -- of credits that was asked for
    changed bigint          NOT NULL, -- what came of it
    reason  text            NOT NULL CHECK (reason <> ''),
    at      timestamptz     NOT NULL
);
REVOKE UPDATE, DELETE, TRUNCATE ON operator_acts FROM billing;

-- take_credits takes credits from a member for an operator's reason, as far as they are unspent: never what is held, never below
-- zero, top-ups before plan credits, which end anyway. A cause is written once.
-- Outcome: 'taken' (also where there was nothing), 'repeated' or 'due'.
-- +goose StatementBegin
CREATE FUNCTION take_credits(
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
    IF b.next_due <= p_now THEN
        outcome := 'due';
        RETURN;
    END IF;
    PERFORM FROM entries WHERE cause = p_cause;
    IF FOUND THEN
        outcome := 'repeated';
        RETURN;
    END IF;
    v_top_up := coalesce(least(p_amount, b.top_up_available), 0);
    v_plan := coalesce(least(p_amount - v_top_up, b.plan_available), 0);
    taken := v_top_up + v_plan;
    IF taken > 0 THEN
        PERFORM book(p_uid, p_cause, 'issued', p_now, p_description, '', -v_plan, 0, -v_top_up, 0);
    END IF;
END $$;
-- +goose StatementEnd

-- end_plan ends a member's plan credits before their time, for an operator's reason. Credits in holds stay good for those holds.
-- Outcome: 'ended' (also where there was nothing) or 'due'.
-- +goose StatementBegin
CREATE FUNCTION end_plan(p_uid uuid, p_cause text, p_description text, p_now timestamptz, OUT outcome text, OUT ended bigint)
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
-- +goose StatementEnd

REVOKE EXECUTE ON FUNCTION take_credits, end_plan FROM PUBLIC, billing;
GRANT EXECUTE ON FUNCTION take_credits, end_plan TO billing;

-- +goose Down
DROP FUNCTION take_credits, end_plan;
DROP TABLE operator_acts;
DROP TYPE act_of_operator;
