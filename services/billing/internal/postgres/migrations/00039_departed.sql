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
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION note_departed() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO departed (member, departed_at) VALUES (sha256(uuid_send(NEW.uid)), NEW.departed_at) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION note_departed FROM PUBLIC, billing;
CREATE OR REPLACE TRIGGER departures_note_departed AFTER INSERT ON departures FOR EACH ROW EXECUTE FUNCTION note_departed();

-- Deletions of 90 days. Each statement is a transaction: the copy holds no lock that another program waits for.
INSERT INTO departed (member, departed_at) SELECT sha256(uuid_send(uid)), departed_at FROM departures ON CONFLICT DO NOTHING;

-- +goose Down
DROP TRIGGER departures_note_departed ON departures;
DROP FUNCTION note_departed;
DROP TABLE departed;
