-- +goose Up

-- When an event was last marked to go out again though its stream is the same. It goes out under another
-- message id then: the broker drops what it has seen within ten minutes, also where that is gone.
ALTER TABLE outbox ADD COLUMN again_at timestamptz;

-- +goose Down
ALTER TABLE outbox DROP COLUMN again_at;
