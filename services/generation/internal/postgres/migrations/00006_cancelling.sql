-- +goose Up

-- ended_early: the member stopped the work and pays for what was narrated by then. passages_total, words,
-- expected_us and the script are then those of the shorter recording.
-- refunded: it was paid for and its sound was lost, so the credits went back.
ALTER TABLE meditations
    ADD COLUMN ended_early boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT ended_early_has_sound CHECK (NOT ended_early OR state IN ('failed', 'refunded')
        OR (state IN ('finishing', 'ready') AND passages_done > 0)),
    DROP CONSTRAINT meditations_state_check,
    ADD CONSTRAINT meditations_state_check CHECK (state IN
        ('holding', 'queued', 'writing', 'narrating', 'finishing', 'ready', 'failed', 'cancelled', 'refunded', 'abandoned')),
    DROP CONSTRAINT an_end_has_a_time,
    ADD CONSTRAINT an_end_has_a_time CHECK ((ended_at IS NOT NULL) = (state IN ('ready', 'failed', 'cancelled', 'refunded', 'abandoned')));

-- How many free cancellations a member has had within a day.
CREATE INDEX meditations_cancelled ON meditations (uid, ended_at) WHERE state = 'cancelled';
DROP INDEX meditations_unsettled;
CREATE INDEX meditations_unsettled ON meditations (next_try_at)
    WHERE state IN ('failed', 'cancelled', 'refunded', 'abandoned') AND NOT settled;

-- +goose Down
DROP INDEX meditations_cancelled, meditations_unsettled;
CREATE INDEX meditations_unsettled ON meditations (next_try_at) WHERE state IN ('failed', 'cancelled', 'abandoned') AND NOT settled;
ALTER TABLE meditations
    DROP COLUMN ended_early,
    DROP CONSTRAINT meditations_state_check,
    ADD CONSTRAINT meditations_state_check CHECK (state IN
        ('holding', 'queued', 'writing', 'narrating', 'finishing', 'ready', 'failed', 'cancelled', 'abandoned')),
    DROP CONSTRAINT an_end_has_a_time,
    ADD CONSTRAINT an_end_has_a_time CHECK ((ended_at IS NOT NULL) = (state IN ('ready', 'failed', 'cancelled', 'abandoned')));
