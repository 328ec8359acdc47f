-- +goose Up

-- How many entries and assets readers get, by content type (assets have none): what a list of a million answers as its
-- total, without counting them.
CREATE TABLE published_counts (
    environment  text   NOT NULL,
    kind         text   NOT NULL,
    content_type text   NOT NULL,
    count        bigint NOT NULL,
    PRIMARY KEY (environment, kind, content_type)
);
INSERT INTO published_counts
SELECT environment, kind, COALESCE(content_type, ''), count(*) FROM published GROUP BY environment, kind, content_type;

-- +goose StatementBegin
CREATE FUNCTION count_published() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO published_counts AS c (environment, kind, content_type, count)
    SELECT environment, kind, COALESCE(content_type, ''), TG_ARGV[0]::int * count(*) FROM changed GROUP BY environment, kind, content_type ORDER BY 1, 2, 3
    ON CONFLICT (environment, kind, content_type) DO UPDATE SET count = c.count + EXCLUDED.count;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER published_more AFTER INSERT ON published REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_published('1');
CREATE TRIGGER published_fewer AFTER DELETE ON published REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_published('-1');

-- +goose Down
DROP TRIGGER published_fewer ON published;
DROP TRIGGER published_more ON published;
DROP FUNCTION count_published();
DROP TABLE published_counts;
