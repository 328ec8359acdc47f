-- +goose Up

-- The cause of the member's last grant until an event has said that few credits are left of it; so there is one such event a grant.
ALTER TABLE balances ADD COLUMN untold_grant text;
UPDATE balances SET untold_grant = plan_grant WHERE plan_available + top_up_available >= 2;

CREATE FUNCTION note_grant() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'functions/ledger.sql is not applied yet'; END $$;
CREATE TRIGGER entries_note_grant AFTER INSERT ON entries FOR EACH ROW WHEN (NEW.from_account = 'issued') EXECUTE FUNCTION note_grant();

-- +goose Down
DROP FUNCTION IF EXISTS spend_hold;
DROP TRIGGER entries_note_grant ON entries;
DROP FUNCTION IF EXISTS note_grant;
ALTER TABLE balances DROP COLUMN untold_grant;
