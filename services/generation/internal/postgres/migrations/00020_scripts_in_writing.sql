-- +goose Up

-- A script may be spoken while it is being written. Until it is whole nobody knows how many segments its recording has, and
-- passages_total is 0.
ALTER TABLE meditations
    DROP CONSTRAINT meditations_check,
    ADD CONSTRAINT passages_are_counted CHECK (passages_done >= 0 AND
        (passages_done <= passages_total OR passages_total = 0 AND state IN ('narrating', 'failed')));

-- rest_asked: a model was asked for the rest of a script of which some was spoken, which happens once.
ALTER TABLE scripts ADD COLUMN rest_asked boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE scripts DROP COLUMN rest_asked;
ALTER TABLE meditations
    DROP CONSTRAINT passages_are_counted,
    ADD CONSTRAINT meditations_check CHECK (passages_done BETWEEN 0 AND passages_total);
