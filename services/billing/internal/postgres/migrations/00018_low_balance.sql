-- +goose Up

-- The cause of the member's last grant until an event has said that few credits are left of it; so there is one such event a grant.
ALTER TABLE balances ADD COLUMN untold_grant text;
UPDATE balances SET untold_grant = plan_grant WHERE plan_available + top_up_available >= 2;

-- +goose StatementBegin
CREATE FUNCTION note_grant() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    UPDATE balances SET untold_grant = NEW.cause WHERE uid = NEW.uid;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER entries_note_grant AFTER INSERT ON entries FOR EACH ROW WHEN (NEW.from_account = 'issued') EXECUTE FUNCTION note_grant();

-- spend_hold does what capture_hold does. If less than p_enough is left to spend and no event has said so since the last grant, it also writes
-- that event in the same transaction. The caller prepares the events for the grant p_grant: p_lows[n + 1] for n credits that are left. If
-- p_grant is not the member's last grant, spend_hold changes nothing and answers 'low', and the caller retries with the right grant. So a
-- capture that leaves enough needs no events. capture_hold stays for the previous release, which runs beside this one during a deployment.
-- +goose StatementBegin
CREATE FUNCTION spend_hold(
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
-- +goose StatementEnd

REVOKE EXECUTE ON FUNCTION note_grant, spend_hold FROM PUBLIC, billing;
GRANT EXECUTE ON FUNCTION spend_hold TO billing;

-- +goose Down
DROP FUNCTION spend_hold;
DROP TRIGGER entries_note_grant ON entries;
DROP FUNCTION note_grant;
ALTER TABLE balances DROP COLUMN untold_grant;
