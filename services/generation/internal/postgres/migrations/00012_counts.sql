-- +goose Up

-- How many meditations a member has that are finished, kept by the trigger below in the transaction of each change. Counting them
-- would read 10,000 entries of the index for a page of 24, of a member who has so many.
CREATE TABLE meditation_counts (
    uid      uuid PRIMARY KEY,
    -- Neither of these is marked deleted.
    ready    int NOT NULL DEFAULT 0 CHECK (ready >= 0),
    refunded int NOT NULL DEFAULT 0 CHECK (refunded >= 0),
    -- Marked deleted, gone or not.
    deleted  int NOT NULL DEFAULT 0 CHECK (deleted >= 0)
);

INSERT INTO meditation_counts (uid, ready, refunded, deleted)
SELECT uid, count(*) FILTER (WHERE state = 'ready' AND deletes_at IS NULL),
       count(*) FILTER (WHERE state = 'refunded' AND deletes_at IS NULL), count(*) FILTER (WHERE deletes_at IS NOT NULL)
FROM meditations
WHERE state IN ('ready', 'refunded', 'deleted')
GROUP BY uid;

-- +goose StatementBegin
CREATE FUNCTION count_meditation() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    member      uuid;
    by_ready    int := 0;
    by_refunded int := 0;
    by_deleted  int := 0;
BEGIN
    IF TG_OP <> 'INSERT' THEN
        member      := OLD.uid;
        by_ready    := by_ready - (OLD.state = 'ready' AND OLD.deletes_at IS NULL)::int;
        by_refunded := by_refunded - (OLD.state = 'refunded' AND OLD.deletes_at IS NULL)::int;
        by_deleted  := by_deleted - (OLD.deletes_at IS NOT NULL)::int;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        member      := NEW.uid;
        by_ready    := by_ready + (NEW.state = 'ready' AND NEW.deletes_at IS NULL)::int;
        by_refunded := by_refunded + (NEW.state = 'refunded' AND NEW.deletes_at IS NULL)::int;
        by_deleted  := by_deleted + (NEW.deletes_at IS NOT NULL)::int;
    END IF;
    IF by_ready = 0 AND by_refunded = 0 AND by_deleted = 0 THEN
        RETURN NULL;
    END IF;
    INSERT INTO meditation_counts AS c (uid, ready, refunded, deleted)
    VALUES (member, greatest(by_ready, 0), greatest(by_refunded, 0), greatest(by_deleted, 0))
    ON CONFLICT (uid) DO UPDATE
        SET ready = c.ready + by_ready, refunded = c.refunded + by_refunded, deleted = c.deleted + by_deleted;
    -- Nothing stays of a member whose last meditation was erased.
    DELETE FROM meditation_counts c WHERE TG_OP = 'DELETE' AND c.uid = member AND c.ready = 0 AND c.refunded = 0 AND c.deleted = 0;
    RETURN NULL;
END $$;
-- +goose StatementEnd

CREATE TRIGGER count_new AFTER INSERT OR DELETE ON meditations FOR EACH ROW EXECUTE FUNCTION count_meditation();
CREATE TRIGGER count_changed AFTER UPDATE OF state, deletes_at ON meditations FOR EACH ROW
    WHEN (OLD.state <> NEW.state OR OLD.deletes_at IS DISTINCT FROM NEW.deletes_at) EXECUTE FUNCTION count_meditation();

-- What is being made, and what failed lately: all else that My Journey lists and counts.
CREATE INDEX meditations_unfinished ON meditations (uid, ended_at) WHERE state IN ('queued', 'writing', 'narrating', 'finishing', 'failed');

-- +goose Down
DROP INDEX meditations_unfinished;
DROP TRIGGER count_changed ON meditations;
DROP TRIGGER count_new ON meditations;
DROP FUNCTION count_meditation;
DROP TABLE meditation_counts;
