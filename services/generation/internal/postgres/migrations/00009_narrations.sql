-- +goose Up

-- The narrations of published articles and library meditations, and the queue of those that are not made yet. No member
-- waits for them. A narration belongs to the living worker that it names; after that worker's death the next one
-- continues behind the last segment.
CREATE TABLE narrations (
    id             text        PRIMARY KEY CHECK (id ~ '^[a-z0-9-]{8,64}$'),
    request_hash   bytea       NOT NULL,
    narrator_id    text        NOT NULL,
    narrator_name  text        NOT NULL,
    passages       jsonb       NOT NULL,
    state          text        NOT NULL CHECK (state IN ('waiting', 'narrating', 'ready', 'failed')),
    passages_done  int         NOT NULL DEFAULT 0, -- counted as segments
    passages_total int         NOT NULL,
    duration_us    bigint      NOT NULL DEFAULT 0,
    audio_bytes    bigint      NOT NULL DEFAULT 0,
    failure_reason text        NOT NULL DEFAULT '',
    attempt        int         NOT NULL DEFAULT 0, -- counts claims; what an older one writes changes nothing
    tries          int         NOT NULL DEFAULT 0, -- claims since the last progress
    next_try_at    timestamptz NOT NULL DEFAULT now(),
    worker_id      uuid,
    tidied         boolean     NOT NULL DEFAULT false, -- its sound was removed
    created_at     timestamptz NOT NULL,
    ended_at       timestamptz,
    CONSTRAINT a_narrations_end_has_a_time CHECK ((ended_at IS NOT NULL) = (state IN ('ready', 'failed')))
);
CREATE INDEX narrations_open ON narrations (created_at, id) WHERE state IN ('waiting', 'narrating');
CREATE INDEX narrations_untidy ON narrations (ended_at) WHERE NOT tidied;
CREATE INDEX narrations_tidied ON narrations (ended_at) WHERE tidied;

CREATE TABLE narration_segments (
    narration_id text   NOT NULL REFERENCES narrations (id) ON DELETE CASCADE,
    index        int    NOT NULL,
    duration_us  bigint NOT NULL,
    bytes        bigint NOT NULL,
    blob_key     text   NOT NULL,
    PRIMARY KEY (narration_id, index)
);

-- +goose Down
DROP TABLE narration_segments, narrations;
