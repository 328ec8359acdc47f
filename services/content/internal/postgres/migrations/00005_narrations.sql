-- +goose Up

-- How far the sound is of each article and meditation that readers get. A row goes when they get it no more.
CREATE TABLE narrations (
    environment    text        NOT NULL,
    id             text        NOT NULL,
    kind           text        NOT NULL DEFAULT 'Entry' CHECK (kind = 'Entry'),
    content_type   text        NOT NULL,
    place          int         NOT NULL, -- lower ones come first
    hash           text        NOT NULL CHECK (hash ~ '^[0-9a-f]{32}$'), -- of what shall be said, how and by whom
    state          text        NOT NULL CHECK (state IN ('waiting', 'narrating', 'done', 'failed')),
    passages_done  int         NOT NULL DEFAULT 0,
    passages_total int         NOT NULL DEFAULT 0,
    tries          int         NOT NULL DEFAULT 0, -- that failed
    failure_reason text        NOT NULL DEFAULT '',
    wanted_at      timestamptz NOT NULL,
    next_try_at    timestamptz,          -- null: not before the words change
    PRIMARY KEY (environment, id),
    FOREIGN KEY (environment, kind, id) REFERENCES published (environment, kind, id) ON DELETE CASCADE
);
CREATE INDEX narrations_open ON narrations (content_type, next_try_at) WHERE state <> 'done';
CREATE INDEX narrations_of_hash ON narrations (hash);

-- The files of narrations in the blob store, and since when no entry names them.
CREATE TABLE narration_files (
    file       text        PRIMARY KEY CHECK (file ~ '^[0-9a-f]{32}\.mp3$'),
    entry_id   text        NOT NULL, -- of master, for which it was made
    bytes      bigint      NOT NULL,
    made_at    timestamptz NOT NULL,
    unnamed_at timestamptz,
    removed    boolean     NOT NULL DEFAULT false -- from the blob store
);
CREATE INDEX narration_files_there ON narration_files (file) WHERE NOT removed;
CREATE INDEX narration_files_unnamed ON narration_files (unnamed_at) WHERE removed;

-- +goose Down
DROP TABLE narration_files, narrations;
