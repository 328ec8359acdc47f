-- +goose Up

-- A member marks what is finished as deleted. deletes_at is when its sound and its script go; NULL where it is not
-- marked. The row then stays in state 'deleted': its title is shown for as long as the account lasts.
-- new_title is what the member has called it since; empty where it was not renamed. title stays what was asked for: a request that is sent again is
-- compared with it, and the script was written for it.
ALTER TABLE meditations
    ADD COLUMN deletes_at timestamptz,
    ADD COLUMN new_title  text NOT NULL DEFAULT '',
    ADD CONSTRAINT only_what_is_finished_is_marked CHECK (deletes_at IS NULL OR state IN ('ready', 'refunded', 'deleted')),
    ADD CONSTRAINT deleted_has_a_time_and_no_sound CHECK (state <> 'deleted' OR
        (deletes_at IS NOT NULL AND settled AND passages_done = 0 AND ready_us = 0 AND audio_bytes = 0)),
    DROP CONSTRAINT meditations_state_check,
    ADD CONSTRAINT meditations_state_check CHECK (state IN
        ('holding', 'queued', 'writing', 'narrating', 'finishing', 'ready', 'failed', 'cancelled', 'refunded', 'abandoned', 'deleted')),
    DROP CONSTRAINT an_end_has_a_time,
    ADD CONSTRAINT an_end_has_a_time CHECK
        ((ended_at IS NOT NULL) = (state IN ('ready', 'failed', 'cancelled', 'refunded', 'abandoned', 'deleted'))),
    DROP CONSTRAINT ended_early_has_sound,
    ADD CONSTRAINT ended_early_has_sound CHECK (NOT ended_early OR state IN ('failed', 'refunded', 'deleted')
        OR (state IN ('finishing', 'ready') AND passages_done > 0));

-- What My Journey lists and counts, and what it lists as deleted: neither reads the rows of the other.
CREATE INDEX meditations_active ON meditations (uid, created_at DESC, id DESC) INCLUDE (state, ended_at) WHERE deletes_at IS NULL;
CREATE INDEX meditations_marked ON meditations (uid, deletes_at DESC, id DESC) WHERE deletes_at IS NOT NULL;
-- What is due to go.
CREATE INDEX meditations_leaving ON meditations (deletes_at) WHERE deletes_at IS NOT NULL AND state IN ('ready', 'refunded');

-- +goose Down
DROP INDEX meditations_leaving, meditations_marked, meditations_active;
ALTER TABLE meditations
    DROP CONSTRAINT only_what_is_finished_is_marked,
    DROP CONSTRAINT deleted_has_a_time_and_no_sound,
    DROP CONSTRAINT ended_early_has_sound,
    ADD CONSTRAINT ended_early_has_sound CHECK (NOT ended_early OR state IN ('failed', 'refunded')
        OR (state IN ('finishing', 'ready') AND passages_done > 0)),
    DROP CONSTRAINT meditations_state_check,
    ADD CONSTRAINT meditations_state_check CHECK (state IN
        ('holding', 'queued', 'writing', 'narrating', 'finishing', 'ready', 'failed', 'cancelled', 'refunded', 'abandoned')),
    DROP CONSTRAINT an_end_has_a_time,
    ADD CONSTRAINT an_end_has_a_time CHECK ((ended_at IS NOT NULL) = (state IN ('ready', 'failed', 'cancelled', 'refunded', 'abandoned'))),
    DROP COLUMN new_title,
    DROP COLUMN deletes_at;
