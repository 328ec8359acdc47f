-- +goose Up

-- The ledger is append-only for everybody. The service's own role cannot write these tables
-- at all, except through the functions; the owner, whose rights the functions run with, is
-- stopped by triggers that the service's role has no right to lift.
REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON entries, balances, holds, plans FROM billing;
REVOKE TRUNCATE ON subscriptions FROM billing;

-- +goose StatementBegin
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the ledger is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;
-- +goose StatementEnd

CREATE TRIGGER entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

REVOKE EXECUTE ON FUNCTION book, emit, end_plan_credits, end_hold,
    grant_credits, hold_credits, capture_hold, release_hold, settle_credits FROM PUBLIC, billing;
GRANT EXECUTE ON FUNCTION grant_credits, hold_credits, capture_hold, release_hold, settle_credits TO billing;

-- +goose Down
DROP TRIGGER entries_append_only ON entries;
DROP FUNCTION refuse_change;
