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

-- The bytes of all rows, kept by the trigger below in the statement of each change: summing them up would read the whole table every minute.
CREATE TABLE spoken_total (
    one   boolean PRIMARY KEY DEFAULT true CHECK (one),
    bytes bigint  NOT NULL CHECK (bytes >= 0)
);

INSERT INTO spoken_total (bytes) VALUES (0);

-- +goose StatementBegin
CREATE FUNCTION count_spoken() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    size bigint := (SELECT sum(c.bytes) FROM changed c);
BEGIN
    IF size IS NOT NULL THEN
        UPDATE spoken_total t SET bytes = t.bytes + CASE WHEN TG_OP = 'INSERT' THEN size ELSE -size END WHERE t.one;
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd

CREATE TRIGGER count_new AFTER INSERT ON spoken REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_spoken();
CREATE TRIGGER count_gone AFTER DELETE ON spoken REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_spoken();

-- +goose Down
DROP TABLE spoken;
DROP TABLE spoken_total;
DROP FUNCTION count_spoken;
