-- +goose Up

-- A meditation is published before an editor has verified it, so that it can be narrated and admins can hear it. The delivery API
-- sends only verified meditations.
ALTER TABLE published ADD COLUMN withheld boolean NOT NULL GENERATED ALWAYS AS (
    content_type IS NOT DISTINCT FROM 'meditation' AND (fields @? '$.verified.* ? (@ == true)') IS NOT TRUE) STORED;
-- These deletions make readers that already have one remove it.
INSERT INTO deletions (environment, kind, id, content_type, revision, created_at, deleted_at, seq)
SELECT environment, kind, id, content_type, revision, created_at, now(), nextval('changes') FROM published WHERE withheld;

-- The delivery API reads this view.
CREATE VIEW delivered AS SELECT * FROM published WHERE NOT withheld;

-- Counts the items that readers get.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION count_published() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO published_counts AS c (environment, kind, content_type, count)
    SELECT environment, kind, COALESCE(content_type, ''), TG_ARGV[0]::int * count(*) FROM changed WHERE NOT withheld
    GROUP BY environment, kind, content_type ORDER BY 1, 2, 3
    ON CONFLICT (environment, kind, content_type) DO UPDATE SET count = c.count + EXCLUDED.count;
    RETURN NULL;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION count_withheld() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO published_counts AS c (environment, kind, content_type, count)
    VALUES (NEW.environment, NEW.kind, COALESCE(NEW.content_type, ''), OLD.withheld::int - NEW.withheld::int)
    ON CONFLICT (environment, kind, content_type) DO UPDATE SET count = c.count + EXCLUDED.count;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER published_withheld AFTER UPDATE ON published FOR EACH ROW WHEN (OLD.withheld <> NEW.withheld) EXECUTE FUNCTION count_withheld();
UPDATE published_counts c SET count = c.count - p.count
FROM (SELECT environment, kind, content_type, count(*) AS count FROM published WHERE withheld GROUP BY environment, kind, content_type) p
WHERE c.environment = p.environment AND c.kind = p.kind AND c.content_type = p.content_type;

-- +goose Down
UPDATE published_counts c SET count = c.count + p.count
FROM (SELECT environment, kind, content_type, count(*) AS count FROM published WHERE withheld GROUP BY environment, kind, content_type) p
WHERE c.environment = p.environment AND c.kind = p.kind AND c.content_type = p.content_type;
DROP TRIGGER published_withheld ON published;
DROP FUNCTION count_withheld();
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION count_published() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO published_counts AS c (environment, kind, content_type, count)
    SELECT environment, kind, COALESCE(content_type, ''), TG_ARGV[0]::int * count(*) FROM changed GROUP BY environment, kind, content_type ORDER BY 1, 2, 3
    ON CONFLICT (environment, kind, content_type) DO UPDATE SET count = c.count + EXCLUDED.count;
    RETURN NULL;
END $$;
-- +goose StatementEnd
DROP VIEW delivered;
DELETE FROM deletions d USING published p WHERE p.environment = d.environment AND p.kind = d.kind AND p.id = d.id;
ALTER TABLE published DROP COLUMN withheld;
