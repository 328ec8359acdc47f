-- +goose Up

-- One row a request. The row is also the queue: a worker owns it while its lease runs.
CREATE TABLE meditations (
    id              uuid        PRIMARY KEY,
    uid             uuid        NOT NULL,
    -- idempotency_key names the request; NULL once an abandoned request gave the key back.
    idempotency_key uuid,
    title           text        NOT NULL CHECK (title <> ''),
    type_id         text        NOT NULL,
    practice_id     text        NOT NULL,
    size_id         text        NOT NULL,
    immersive       boolean     NOT NULL,
    track_id        text        NOT NULL,
    -- day is the member's calendar day: the same title on another day gives another script.
    day             date        NOT NULL,
    -- brief is what the catalogue asked of the script on that day, so that the work needs nobody else.
    brief           jsonb       NOT NULL,
    narrator_id     text        NOT NULL,
    narrator_name   text        NOT NULL,
    cost            integer     NOT NULL CHECK (cost BETWEEN 1 AND 2),
    hold_id         uuid,
    state           text        NOT NULL CHECK (state IN
        ('holding', 'queued', 'writing', 'narrating', 'finishing', 'ready', 'failed', 'cancelled', 'abandoned')),
    failure_reason  text        NOT NULL DEFAULT '',

    words           integer     NOT NULL DEFAULT 0 CHECK (words >= 0),
    passages_total  integer     NOT NULL DEFAULT 0 CHECK (passages_total >= 0),
    passages_done   integer     NOT NULL DEFAULT 0 CHECK (passages_done BETWEEN 0 AND passages_total),
    ready_us        bigint      NOT NULL DEFAULT 0 CHECK (ready_us >= 0),
    expected_us     bigint      NOT NULL DEFAULT 0 CHECK (expected_us >= 0),
    audio_bytes     bigint      NOT NULL DEFAULT 0 CHECK (audio_bytes >= 0),

    -- attempt is the fence: every claim raises it, and a write that names an older one changes nothing.
    attempt         integer     NOT NULL DEFAULT 0,
    -- tries counts setbacks since the last progress.
    tries           integer     NOT NULL DEFAULT 0,
    -- lease_until is the database's clock; NULL means that nobody works on it.
    lease_until     timestamptz,
    next_try_at     timestamptz NOT NULL DEFAULT now(),

    -- settled: nothing is left to tell billing. tidied: no audio is left that nobody needs.
    settled         boolean     NOT NULL DEFAULT false,
    tidied          boolean     NOT NULL DEFAULT false,

    created_at      timestamptz NOT NULL,
    deadline        timestamptz NOT NULL CHECK (deadline > created_at),
    ended_at        timestamptz,
    version         bigint      NOT NULL DEFAULT 1,

    CONSTRAINT meditations_press UNIQUE (uid, idempotency_key),
    CONSTRAINT work_is_paid_for CHECK (hold_id IS NOT NULL OR state IN ('holding', 'abandoned')),
    CONSTRAINT a_lease_is_for_work CHECK (lease_until IS NULL OR state IN ('writing', 'narrating', 'finishing')),
    CONSTRAINT an_end_has_a_time CHECK ((ended_at IS NOT NULL) = (state IN ('ready', 'failed', 'cancelled', 'abandoned'))),
    CONSTRAINT ready_is_whole CHECK (state <> 'ready' OR
        (settled AND passages_total > 0 AND passages_done = passages_total AND ready_us = expected_us AND audio_bytes > 0))
);

CREATE INDEX meditations_of_member ON meditations (uid, created_at DESC, id DESC);
CREATE INDEX meditations_at_work ON meditations (next_try_at) WHERE state IN ('queued', 'writing', 'narrating', 'finishing');
CREATE INDEX meditations_running ON meditations (uid) WHERE state IN ('queued', 'writing', 'narrating', 'finishing');
CREATE INDEX meditations_holding ON meditations (created_at) WHERE state = 'holding';
CREATE INDEX meditations_unsettled ON meditations (next_try_at) WHERE state IN ('failed', 'cancelled', 'abandoned') AND NOT settled;
CREATE INDEX meditations_untidy ON meditations (ended_at) WHERE settled AND NOT tidied;

CREATE TABLE scripts (
    meditation_id uuid PRIMARY KEY REFERENCES meditations ON DELETE CASCADE,
    -- passages is [{"sentences": ["…"], "pause_us": 0}, …] in the order of speaking.
    passages      jsonb NOT NULL
);

CREATE TABLE segments (
    meditation_id uuid    NOT NULL REFERENCES meditations ON DELETE CASCADE,
    index         integer NOT NULL CHECK (index >= 0),
    start_us      bigint  NOT NULL CHECK (start_us >= 0),
    duration_us   bigint  NOT NULL CHECK (duration_us > 0),
    silence_us    bigint  NOT NULL CHECK (silence_us BETWEEN 0 AND duration_us),
    -- The bytes lie in blob_key while the work runs, and from byte_offset in the finished file afterwards.
    blob_key      text    NOT NULL,
    byte_offset   bigint  NOT NULL CHECK (byte_offset >= 0),
    bytes         bigint  NOT NULL CHECK (bytes > 0),
    -- lines is [{"text": "…", "start_us": 0, "end_us": 0}, …], times in the whole recording.
    lines         jsonb   NOT NULL,
    PRIMARY KEY (meditation_id, index)
);

-- +goose Down
DROP TABLE segments;
DROP TABLE scripts;
DROP TABLE meditations;
