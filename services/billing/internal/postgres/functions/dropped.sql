-- Functions that no release calls any more: neither this one nor the one before it, which runs beside this one during a roll-out.

DROP FUNCTION IF EXISTS capture_hold(uuid, uuid, timestamptz, uuid, bytea); -- spend_hold has taken its place
