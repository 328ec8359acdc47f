-- +goose Up

-- What finds the members for whom time has something to do, and holds that ended long ago, by the
-- time alone. A hold ends soon after it was made, and the time of its making never changes.
CREATE INDEX holds_due ON holds (expires_at, uid) WHERE state = 'held';
CREATE INDEX holds_created ON holds (created_at);

-- +goose Down
DROP FUNCTION IF EXISTS remove_ended_holds;
DROP INDEX holds_created, holds_due;
