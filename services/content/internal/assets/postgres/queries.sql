-- name: KeepAssetFile :execrows
-- Nothing is written where the file is being removed this moment.
INSERT INTO asset_files (file) VALUES (@file)
ON CONFLICT (file) DO UPDATE SET state = 'kept', unnamed_at = NULL WHERE asset_files.state <> 'removing';

-- name: AddAssetFiles :exec
-- Adds files of the blob store that the table lacks.
INSERT INTO asset_files (file) SELECT unnest(@files::text[]) ON CONFLICT (file) DO NOTHING;

-- name: AssetFiles :many
-- A page of the files in the blob store, and whether an asset names each: a draft, archived or not, or a published version, in any environment.
SELECT f.file, f.state, f.unnamed_at, (
    EXISTS (SELECT FROM items i WHERE i.kind = 'Asset' AND jsonb_path_query_array(i.fields, '$.file.*.url') @> to_jsonb(@root::text || f.file))
    OR EXISTS (SELECT FROM published p WHERE p.kind = 'Asset' AND jsonb_path_query_array(p.fields, '$.file.*.url') @> to_jsonb(@root::text || f.file))
)::boolean AS named
FROM asset_files f
WHERE f.state <> 'removed' AND f.file > @after
ORDER BY f.file
LIMIT @most;

-- name: MarkAssetFile :exec
UPDATE asset_files SET unnamed_at = @unnamed_at WHERE file = @file AND state = 'kept';

-- name: RemovingAssetFile :execrows
-- Changes no row when an upload has kept the file again since the sweep looked.
UPDATE asset_files SET state = 'removing' WHERE file = @file AND (state = 'removing' OR (state = 'kept' AND unnamed_at <= @before));

-- name: RemovedAssetFile :exec
UPDATE asset_files SET state = 'removed' WHERE file = @file AND state = 'removing';
