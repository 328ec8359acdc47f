-- +goose Up

-- The searchable items: articles and meditations that master's readers get, and members' own meditations. The number is an item's
-- position in the index. Published items and members' own have separate sequences, so that the published ones fill few blocks.
CREATE SEQUENCE search_numbers AS bigint;
CREATE SEQUENCE search_bespoke_numbers AS bigint START 1099511627776; -- 2^40
CREATE TABLE search_items (
    number     bigint  PRIMARY KEY,
    kind       text    NOT NULL CHECK (kind IN ('article', 'meditation', 'bespoke')),
    id         text    NOT NULL,
    uid        uuid, -- of the member whose own it is
    title      text    NOT NULL,
    body       text    NOT NULL, -- plain words
    slug       text    NOT NULL,
    categories text[]  NOT NULL, -- ids, the first is the one that is shown
    confidence int     NOT NULL, -- of that one, in per cent
    immersive  boolean NOT NULL,
    seconds    int     NOT NULL,
    unverified boolean NOT NULL,
    CONSTRAINT search_items_once UNIQUE (kind, id),
    CHECK ((kind = 'bespoke') = (uid IS NOT NULL))
);
CREATE INDEX search_items_of_member ON search_items (uid) WHERE uid IS NOT NULL;

-- The index: which items have a term at a place. A row holds those of one block of numbers (16,384), so that a change
-- writes little. Terms and their sets are package search's.
CREATE TABLE search_postings (
    place smallint NOT NULL,
    word  text     NOT NULL COLLATE "C",
    block bigint   NOT NULL,
    items bytea    NOT NULL,
    PRIMARY KEY (place, word, block)
);
ALTER TABLE search_postings ALTER COLUMN items SET STORAGE MAIN; -- at most 2 KiB

-- The words that items have, and what is left of each without one of its letters: by these mistyped ones are found.
CREATE TABLE search_words (
    word text COLLATE "C" PRIMARY KEY
);
CREATE TABLE search_spellings (
    spelling text NOT NULL COLLATE "C",
    word     text NOT NULL COLLATE "C" REFERENCES search_words (word) ON DELETE CASCADE,
    PRIMARY KEY (spelling, word)
);
CREATE INDEX search_spellings_of_word ON search_spellings (word);

-- How far the index is that of this release; 0 before the first time.
CREATE TABLE search_version (
    version int NOT NULL
);
INSERT INTO search_version (version) VALUES (0);

-- Members' own meditations as generation's events tell of them, in whatever order these come.
CREATE TABLE search_bespoke (
    id         uuid        PRIMARY KEY,
    uid        uuid        NOT NULL,
    title      text        NOT NULL,
    seconds    int         NOT NULL,
    immersive  boolean     NOT NULL,
    state      text        NOT NULL CHECK (state IN ('ready', 'deleted', 'gone')),
    changed_at timestamptz NOT NULL, -- when generation made that change; older events change nothing
    due_at     timestamptz,          -- when its script is to be fetched; null: it is here or not needed
    attempts   int         NOT NULL DEFAULT 0
);
CREATE INDEX search_bespoke_due ON search_bespoke (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX search_bespoke_of_member ON search_bespoke (uid);
CREATE INDEX search_bespoke_gone ON search_bespoke (changed_at) WHERE state = 'gone';

-- Members whose meditations of before are here.
CREATE TABLE search_members (
    uid       uuid        PRIMARY KEY,
    filled_at timestamptz NOT NULL
);

-- +goose Down
DROP TABLE search_members, search_bespoke, search_version, search_spellings, search_words, search_postings, search_items;
DROP SEQUENCE search_numbers, search_bespoke_numbers;
