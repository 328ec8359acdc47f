-- +goose Up

-- What finds the members for whom time has something to do, and holds that ended long ago, by the
-- time alone. A hold ends soon after it was made, and the time of its making never changes.
CREATE INDEX holds_due ON holds (expires_at, uid) WHERE state = 'held';
CREATE INDEX holds_created ON holds (created_at);

-- remove_ended_holds removes holds that ended and were made up to p_before, p_most of them at most,
-- and answers their number. What they came to stays in entries.
-- +goose StatementBegin
CREATE FUNCTION remove_ended_holds(p_before timestamptz, p_most int)
RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    WITH removed AS (
        DELETE FROM holds WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM holds WHERE created_at <= p_before AND state <> 'held'
            ORDER BY created_at LIMIT p_most FOR UPDATE SKIP LOCKED
        ))
        RETURNING 1
    )
    SELECT count(*) FROM removed;
$$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION remove_ended_holds FROM PUBLIC;
GRANT EXECUTE ON FUNCTION remove_ended_holds TO billing;

-- +goose Down
DROP FUNCTION remove_ended_holds;
DROP INDEX holds_created, holds_due;
