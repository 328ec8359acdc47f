-- Deleted accounts.

-- note_departed keeps the fingerprint of a deleted account that the release before notes in departures alone. The trigger is
-- departures_note_departed.
CREATE OR REPLACE FUNCTION note_departed() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO departed (member, departed_at) VALUES (sha256(uuid_send(NEW.uid)), NEW.departed_at) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

REVOKE EXECUTE ON FUNCTION note_departed FROM PUBLIC, billing;
