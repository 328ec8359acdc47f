-- +goose Up

-- A row is committed before its file is stored. stored is false until the row says that the file is there, so that a sweep finds what an error
-- of the blob store or a crash left in between. The release before this one writes rows that count as stored, as they did.
ALTER TABLE spoken ADD COLUMN stored boolean NOT NULL DEFAULT true;
CREATE INDEX spoken_unstored ON spoken (used_at, key) WHERE NOT stored;

-- +goose Down
DROP INDEX spoken_unstored;
ALTER TABLE spoken DROP COLUMN stored;
