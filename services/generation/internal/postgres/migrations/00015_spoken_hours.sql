-- +goose Up

-- A day is too coarse where the sentences of one day are more than the limit: which of them went was a matter of their keys. used_at is the
-- hour of the last use. The release before this one writes used_on and lets used_at be; a later one drops used_on.
ALTER TABLE spoken ADD COLUMN used_at timestamptz NOT NULL DEFAULT now(), ALTER COLUMN used_on SET DEFAULT CURRENT_DATE;
UPDATE spoken SET used_at = used_on;
DROP INDEX spoken_by_use;
CREATE INDEX spoken_by_use ON spoken (used_at, key) INCLUDE (bytes);

-- +goose Down
DROP INDEX spoken_by_use;
CREATE INDEX spoken_by_use ON spoken (used_on, key) INCLUDE (bytes);
ALTER TABLE spoken DROP COLUMN used_at, ALTER COLUMN used_on DROP DEFAULT;
