-- +goose Up

-- Where members are signed in. A row stays for as long as the browser's cookie or a grant that came of the session can be used:
-- expires_at is the cookie's end, ends_at that of both. Kind, device and place are what the browser said about itself.
ALTER TABLE sessions
    ADD COLUMN began_at timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN used_at  timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN ends_at  timestamptz NOT NULL DEFAULT now() + interval '12 hours',
    ADD COLUMN kind     text NOT NULL DEFAULT 'other' CHECK (kind IN ('computer', 'phone', 'tablet', 'other')),
    ADD COLUMN device   text NOT NULL DEFAULT 'Unknown browser',
    ADD COLUMN place    text NOT NULL DEFAULT '';
UPDATE sessions SET began_at = auth_time, used_at = auth_time, ends_at = expires_at;
-- What came of sessions that are gone still signs their members in. No cookie has this hash, which is no SHA-256.
INSERT INTO sessions (sid, cookie_hash, uid, auth_time, expires_at, began_at, used_at, ends_at)
SELECT sid, convert_to('no cookie ' || sid, 'UTF8'), uid, min(auth_time), min(created_at), min(created_at), min(created_at), max(expires_at)
FROM grants WHERE revoked_at IS NULL AND expires_at > now() GROUP BY sid, uid
ON CONFLICT (sid) DO UPDATE SET ends_at = greatest(sessions.ends_at, excluded.ends_at);
DROP INDEX sessions_expiry;
CREATE INDEX sessions_end ON sessions (ends_at);

-- signed_in_at is when the member signed in with a browser for the first time, of which no letter tells. Who had an account before
-- this release has.
ALTER TABLE accounts ADD COLUMN signed_in_at timestamptz;
UPDATE accounts SET signed_in_at = confirmed_at WHERE confirmed_at IS NOT NULL;

-- +goose Down
ALTER TABLE accounts DROP COLUMN signed_in_at;
DROP INDEX sessions_end;
DELETE FROM sessions WHERE expires_at <= now();
ALTER TABLE sessions DROP COLUMN began_at, DROP COLUMN used_at, DROP COLUMN ends_at, DROP COLUMN kind, DROP COLUMN device, DROP COLUMN place;
CREATE INDEX sessions_expiry ON sessions (expires_at);
