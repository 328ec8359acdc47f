-- +goose Up

-- One row for each run of a process that makes meditations. While nothing else changes, it is the only row that the
-- process writes: work belongs to a worker, and stays claimed as long as that worker lives.
CREATE TABLE workers (
    id          uuid             PRIMARY KEY,
    -- name is where it runs (host and address): a process that starts there ends the run of its predecessor.
    name        text             NOT NULL,
    recorders   integer          NOT NULL CHECK (recorders > 0),
    -- pace is how long one recorder works for a second of sound, in seconds; 0 until it was measured.
    pace        double precision NOT NULL CHECK (pace >= 0),
    -- lease_until is the database's clock: a worker that was silent until then is taken for dead.
    lease_until timestamptz      NOT NULL,
    -- lost_at is when the worker was taken for dead, after its lease ended, or signed off. Its next heartbeat clears it.
    lost_at     timestamptz
);

ALTER TABLE meditations
    -- worker_id is who works on it; NULL for nobody. What it says of work that has ended means nothing.
    ADD COLUMN worker_id  uuid,
    -- place is how many of the member's own pieces come before this one: all first pieces go before all second ones.
    ADD COLUMN place      smallint NOT NULL DEFAULT 0 CHECK (place >= 0),
    -- crashes counts the processes that died with this work since its last progress; blamed_id is the last of them.
    ADD COLUMN crashes    smallint NOT NULL DEFAULT 0 CHECK (crashes >= 0),
    ADD COLUMN blamed_id  uuid;
-- lease_until of a meditation is for the version before, which goes by it while a roll-out lasts: work that a
-- worker has is leased until its deadline.

-- What waits for a worker, from the oldest and from the newest.
CREATE INDEX meditations_oldest ON meditations (place, created_at, id) WHERE state = 'queued';
CREATE INDEX meditations_newest ON meditations (place, created_at DESC, id DESC) WHERE state = 'queued';
-- What was begun and waits for a worker again, and what a worker has.
CREATE INDEX meditations_begun ON meditations (next_try_at)
    WHERE state IN ('writing', 'narrating', 'finishing') AND worker_id IS NULL;
CREATE INDEX meditations_held ON meditations (worker_id)
    WHERE state IN ('writing', 'narrating', 'finishing') AND worker_id IS NOT NULL;
CREATE INDEX meditations_due ON meditations (deadline) WHERE state IN ('queued', 'writing', 'narrating');
DROP INDEX meditations_at_work;

-- What ends a member's work, whichever statement it is, moves the member's other pieces up.
-- +goose StatementBegin
CREATE FUNCTION move_up() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE meditations AS m SET place = others.place
    FROM (
        SELECT id, (row_number() OVER (ORDER BY created_at, id) - 1)::smallint AS place FROM meditations
        WHERE uid = NEW.uid AND state IN ('queued', 'writing', 'narrating', 'finishing')
    ) AS others
    WHERE m.id = others.id AND m.place <> others.place;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER meditations_move_up AFTER UPDATE OF state ON meditations FOR EACH ROW
    WHEN (OLD.state IN ('queued', 'writing', 'narrating', 'finishing')
        AND NEW.state NOT IN ('queued', 'writing', 'narrating', 'finishing'))
    EXECUTE FUNCTION move_up();

-- +goose Down
DROP TRIGGER meditations_move_up ON meditations;
DROP FUNCTION move_up;
CREATE INDEX meditations_at_work ON meditations (next_try_at) WHERE state IN ('queued', 'writing', 'narrating', 'finishing');
DROP INDEX meditations_due;
DROP INDEX meditations_held;
DROP INDEX meditations_begun;
DROP INDEX meditations_newest;
DROP INDEX meditations_oldest;
ALTER TABLE meditations DROP COLUMN blamed_id, DROP COLUMN crashes, DROP COLUMN place, DROP COLUMN worker_id;
DROP TABLE workers;
