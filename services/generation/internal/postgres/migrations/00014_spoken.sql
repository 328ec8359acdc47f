-- +goose Up

-- The sentences whose speech the blob store keeps, so that they are not synthesised again (package spoken). The recorder reads the blob
-- store alone; these rows say what may be removed. A row is committed before its file is stored, and goes after its file: a crash leaves
-- a row without a file, never a file without a row.
CREATE TABLE spoken (
    -- key is the hash of all that the speech depends on; it names the file.
    key     bytea NOT NULL PRIMARY KEY CHECK (octet_length(key) = 32),
    bytes   int   NOT NULL CHECK (bytes > 0),
    -- used_on is a day, so that a sentence that is used all the time is written once a day.
    used_on date  NOT NULL
);

CREATE INDEX spoken_by_use ON spoken (used_on, key) INCLUDE (bytes);

-- +goose Down
DROP TABLE spoken;
