-- +goose Up

-- Which drafts name a sound, in the archive too: it stays for when readers get them again.
CREATE INDEX items_by_sound ON items USING gin (jsonb_path_query_array(fields, '$.audio.*')) WHERE kind = 'Entry';

-- +goose Down
DROP INDEX items_by_sound;
