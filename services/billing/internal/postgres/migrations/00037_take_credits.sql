-- +goose Up

-- As in 00019, except that a member who was never given a credit, such as the second account of a mailbox, has nothing to take. They have no
-- row in balances, and least passes over NULL: it answered the whole amount, and the entry of it was refused.
-- +goose StatementBegin
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
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
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
