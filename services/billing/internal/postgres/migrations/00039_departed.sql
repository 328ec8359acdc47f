-- +goose NO TRANSACTION
-- +goose Up

-- Members whose accounts were deleted, by the SHA-256 of their uid (package erasure). departures says what of theirs has to end.
CREATE TABLE IF NOT EXISTS departed (
    member      bytea       PRIMARY KEY,
    departed_at timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS departed_at ON departed (departed_at);
REVOKE TRUNCATE ON departed FROM billing;

-- The release before writes departures alone. A later release drops the trigger, and has a row of departures go when it is done.
DROP FUNCTION IF EXISTS note_departed CASCADE;
-- +goose StatementBegin
CREATE FUNCTION note_departed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'functions/departures.sql is not applied yet'; END $$;
-- +goose StatementEnd
CREATE TRIGGER departures_note_departed AFTER INSERT ON departures FOR EACH ROW EXECUTE FUNCTION note_departed();

-- Deletions of 90 days. Each statement is a transaction: the copy holds no lock that another program waits for.
INSERT INTO departed (member, departed_at) SELECT sha256(uuid_send(uid)), departed_at FROM departures ON CONFLICT DO NOTHING;

-- +goose Down
DROP TRIGGER departures_note_departed ON departures;
DROP FUNCTION note_departed;
DROP TABLE departed;
