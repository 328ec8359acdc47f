-- +goose Up

-- What names an item in lists: the beginning of its display field's text in the default locale, as it was when it was last written.
ALTER TABLE items ADD COLUMN title text NOT NULL DEFAULT '';
UPDATE items i SET title = left(coalesce(i.fields #>> ARRAY[
    coalesce((SELECT t.display_field FROM content_types t WHERE t.environment = i.environment AND t.id = i.content_type), 'title'),
    (SELECT l.code FROM locales l WHERE l.environment = i.environment AND l.is_default)], ''), 255);
CREATE INDEX items_by_title ON items USING gin (to_tsvector('simple', title));

-- How many entries each content type has, drafts and archived ones too.
CREATE TABLE entry_counts (
    environment  text NOT NULL,
    content_type text NOT NULL,
    entries      int  NOT NULL,
    PRIMARY KEY (environment, content_type),
    FOREIGN KEY (environment, content_type) REFERENCES content_types (environment, id) ON DELETE CASCADE
);
INSERT INTO entry_counts SELECT environment, content_type, count(*) FROM items WHERE kind = 'Entry' GROUP BY environment, content_type;

-- The rows of a statement are counted together. Entries come and go one by one, and of a content type one after the other.
-- +goose StatementBegin
CREATE FUNCTION count_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO entry_counts AS c (environment, content_type, entries)
    SELECT environment, content_type, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
    FROM changed WHERE kind = 'Entry' GROUP BY environment, content_type ORDER BY environment, content_type
    ON CONFLICT (environment, content_type) DO UPDATE SET entries = c.entries + EXCLUDED.entries;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER items_added AFTER INSERT ON items REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_entries();
CREATE TRIGGER items_removed AFTER DELETE ON items REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_entries();

-- The audit log stores the item's title and the changed fields, so that a page of it reads no fields.
ALTER TABLE revisions
    ADD COLUMN content_type text   NOT NULL DEFAULT '', -- empty for assets
    ADD COLUMN title        text   NOT NULL DEFAULT '', -- after the act
    ADD COLUMN changed      text[] NOT NULL DEFAULT '{}'; -- fields, by id
UPDATE revisions r SET content_type = coalesce(i.content_type, ''), title = i.title
FROM items i WHERE i.environment = r.environment AND i.kind = r.kind AND i.id = r.id;
UPDATE revisions r SET changed = ARRAY(
    SELECT key FROM jsonb_object_keys(r.fields || b.fields) key WHERE r.fields -> key IS DISTINCT FROM b.fields -> key ORDER BY key)
FROM (SELECT number, coalesce(lag(fields) OVER (PARTITION BY environment, kind, id ORDER BY number), '{}') AS fields FROM revisions) b
WHERE b.number = r.number;
CREATE INDEX revisions_of_all ON revisions (environment, number DESC);
CREATE INDEX revisions_by_words ON revisions
    USING gin ((to_tsvector('simple', title) || array_to_tsvector(ARRAY[act, lower(actor), replace(lower(actor), 'client:', '')])));

-- Which asset a kept file belongs to.
CREATE INDEX published_by_file ON published USING gin (jsonb_path_query_array(fields, '$.file.*.url')) WHERE kind = 'Asset';

-- +goose Down
DROP INDEX published_by_file;
DROP INDEX revisions_by_words, revisions_of_all;
ALTER TABLE revisions DROP COLUMN content_type, DROP COLUMN title, DROP COLUMN changed;
DROP TRIGGER items_added ON items;
DROP TRIGGER items_removed ON items;
DROP FUNCTION count_entries;
DROP TABLE entry_counts;
DROP INDEX items_by_title;
ALTER TABLE items DROP COLUMN title;
