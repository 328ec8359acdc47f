-- +goose Up

-- The ledger is append-only for everybody. The service's own role cannot write these tables
-- at all, except through the functions; the owner, whose rights the functions run with, is
-- stopped by triggers that the service's role has no right to lift.
REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON entries, balances, holds, plans FROM billing;
REVOKE TRUNCATE ON subscriptions FROM billing;

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'functions/ledger.sql is not applied yet'; END $$;

CREATE TRIGGER entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- +goose Down
DROP TRIGGER entries_append_only ON entries;
DROP FUNCTION IF EXISTS refuse_change;
