-- +goose Up

-- Removes the counts of items without likes.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION count_likes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO like_counts AS c (kind, item, likes)
    SELECT kind, item, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END FROM changed GROUP BY kind, item ORDER BY kind, item
    ON CONFLICT (kind, item) DO UPDATE SET likes = c.likes + EXCLUDED.likes;
    IF TG_OP = 'DELETE' THEN
        DELETE FROM like_counts c USING (SELECT DISTINCT kind, item FROM changed) u WHERE c.kind = u.kind AND c.item = u.item AND c.likes = 0;
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
DELETE FROM like_counts WHERE likes = 0;

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION count_likes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO like_counts AS c (kind, item, likes)
    SELECT kind, item, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END FROM changed GROUP BY kind, item ORDER BY kind, item
    ON CONFLICT (kind, item) DO UPDATE SET likes = c.likes + EXCLUDED.likes;
    RETURN NULL;
END $$;
-- +goose StatementEnd
