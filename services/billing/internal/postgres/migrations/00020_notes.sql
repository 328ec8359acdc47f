-- +goose Up

-- What a member reads in the ledger though it changed nothing: work whose hold ended without being captured, and a renewal that
-- failed. Ended holds are removed, and the books stay, so these facts are kept beside the entries. A note stands behind the entry
-- of its position and before the next one, by its number, and moves no credit.
CREATE TYPE note_kind AS ENUM ('release', 'failed_renewal');
CREATE TABLE notes (
    uid            uuid        NOT NULL,
    position       bigint      NOT NULL, -- of the member's last entry before it; 0 for none
    number         bigint      NOT NULL CHECK (number > 0), -- 1, 2, 3, … per member, without gaps
    kind           note_kind   NOT NULL,
    cause          text        NOT NULL, -- release:<hold>, failed_renewal:<subscription>:<end of the paid period>
    plan_credits   credits     NOT NULL, -- that a release gave back
    top_up_credits credits     NOT NULL,
    balance_after  credits     NOT NULL, -- that of the entry before it
    at             timestamptz NOT NULL,
    description    text        NOT NULL,
    reference      text        NOT NULL,
    PRIMARY KEY (uid, position, number),
    CONSTRAINT notes_cause_once UNIQUE (cause),
    CONSTRAINT notes_credits CHECK ((kind = 'release') = (plan_credits + top_up_credits > 0))
);
REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON notes FROM billing;
CREATE TRIGGER notes_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON notes
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE balances ADD COLUMN note_count bigint NOT NULL DEFAULT 0; -- the number of the member's last note

-- note writes one, under the member's row lock.
-- +goose StatementBegin
CREATE FUNCTION note(
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
-- +goose StatementEnd

-- As in 00002, with the note of it, before what expires then.
-- +goose StatementBegin
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
-- +goose StatementEnd

-- note_failed_renewal tells a member's ledger that a further period of a plan was not paid; a cause is written once.
-- Outcome: 'noted', 'repeated' or 'due'.
-- +goose StatementBegin
CREATE FUNCTION note_failed_renewal(p_uid uuid, p_cause text, p_description text, p_now timestamptz)
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
-- +goose StatementEnd

REVOKE EXECUTE ON FUNCTION note, note_failed_renewal FROM PUBLIC, billing;
GRANT EXECUTE ON FUNCTION note_failed_renewal TO billing;

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION end_hold(h holds, p_state hold_state, p_at timestamptz, p_event uuid, p_payload bytea)
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
DROP FUNCTION note_failed_renewal, note;
ALTER TABLE balances DROP COLUMN note_count;
DROP TABLE notes;
DROP TYPE note_kind;
