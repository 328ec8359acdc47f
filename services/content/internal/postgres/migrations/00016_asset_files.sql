-- +goose Up

-- The files of assets in the blob store, and since when no asset names them. What was kept before there was this table is
-- added by the first sweep, which lists the store.
CREATE TABLE asset_files (
    file       text        PRIMARY KEY CHECK (file ~ '^[0-9a-f]{64}/[a-z0-9][a-z0-9-]*\.[a-z0-9]+$'),
    state      text        NOT NULL DEFAULT 'kept' CHECK (state IN ('kept', 'removing', 'removed')), -- from the blob store
    unnamed_at timestamptz
);
CREATE INDEX asset_files_there ON asset_files (file) WHERE state <> 'removed';
CREATE INDEX asset_files_unnamed ON asset_files (unnamed_at) WHERE state = 'removed';

-- Which draft a kept file belongs to, as published_by_file says it of what readers have.
CREATE INDEX items_by_file ON items USING gin (jsonb_path_query_array(fields, '$.file.*.url')) WHERE kind = 'Asset';

-- +goose Down
DROP INDEX items_by_file;
DROP TABLE asset_files;
