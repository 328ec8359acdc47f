-- +goose Up

-- Members who keep a listening diary.
CREATE TABLE diary_keepers (
    uid   uuid        PRIMARY KEY,
    since timestamptz NOT NULL
);

-- Entries of the diaries: a sitting with one item, or what a member wrote by hand, of which kind is ''.
-- item is '' by hand, and where it was a member's own meditation that is gone.
CREATE TABLE diary_entries (
    uid        uuid        NOT NULL,
    id         uuid        NOT NULL,
    kind       text        NOT NULL CHECK (kind IN ('article', 'meditation', 'bespoke', '')),
    item       text        NOT NULL,
    title      text        NOT NULL, -- as it was then
    day        date        NOT NULL, -- of the member's own calendar
    at         timestamptz NOT NULL, -- when the sitting began, or when the entry was written by hand
    heard_at   timestamptz NOT NULL, -- the end of the sitting until now
    heard_ms   bigint      NOT NULL,
    finished   bool        NOT NULL,
    shown      bool        NOT NULL, -- enough was heard
    line       text        NOT NULL CHECK (char_length(line) <= 280),
    removed_at timestamptz,
    PRIMARY KEY (uid, id)
) WITH (fillfactor = 80);
CREATE INDEX diary_entries_listed ON diary_entries (uid, day DESC, at DESC, id DESC) WHERE shown AND removed_at IS NULL;
CREATE INDEX diary_entries_sittings ON diary_entries (uid, kind, item, at DESC) WHERE kind <> '';
CREATE INDEX diary_entries_of_bespoke ON diary_entries (item) WHERE kind = 'bespoke';
CREATE INDEX diary_entries_removed ON diary_entries (removed_at) WHERE removed_at IS NOT NULL;
CREATE INDEX diary_entries_unshown ON diary_entries (heard_at) WHERE NOT shown;

-- +goose Down
DROP TABLE diary_entries;
DROP TABLE diary_keepers;
