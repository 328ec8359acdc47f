-- The ledger. These functions write entries, balances and notes for the functions of the other files, and no caller has
-- the right to call them.

-- book moves credits between the four figures of a member's balance, and writes an entry for each pool whose total changes,
-- against the contra account (p_house). It guarantees that a balance is the sum of its entries: nothing else writes entries.
CREATE OR REPLACE FUNCTION book(
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

-- emit queues one event for the relay, in the transaction of the change that the event reports.
CREATE OR REPLACE FUNCTION emit(p_id uuid, p_subject text, p_payload bytea) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO outbox (id, subject, payload) VALUES (p_id, p_subject, p_payload);
END $$;

-- note writes one note, under the member's row lock: behind the member's last entry, with the next number. It moves no credits.
CREATE OR REPLACE FUNCTION note(
    p_uid uuid, p_kind note_kind, p_cause text, p_at timestamptz, p_plan bigint, p_top_up bigint, p_description text, p_reference text
) RETURNS void LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    b balances;
BEGIN
    UPDATE balances SET note_count = note_count + 1, changed_at = greatest(changed_at, p_at) -- as in book
    WHERE uid = p_uid
    RETURNING * INTO STRICT b;
    INSERT INTO notes (uid, position, number, kind, cause, plan_credits, top_up_credits, balance_after, at, description, reference)
    VALUES (p_uid, b.entry_count, b.note_count, p_kind, p_cause, p_plan, p_top_up,
        b.plan_available + b.plan_held + b.top_up_available + b.top_up_held, b.changed_at, p_description, p_reference);
END $$;

-- note_grant keeps the cause of the member's last grant until an event has said that few credits are left of it. So there is one
-- such event a grant. The trigger is entries_note_grant.
CREATE OR REPLACE FUNCTION note_grant() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    UPDATE balances SET untold_grant = NEW.cause WHERE uid = NEW.uid;
    RETURN NULL;
END $$;

-- refuse_change keeps entries and notes append-only, against the owner too. The triggers are entries_append_only and
-- notes_append_only; the service's role has no right to lift them.
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the ledger is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;

REVOKE EXECUTE ON FUNCTION book, emit, note, note_grant, refuse_change FROM PUBLIC, billing;
