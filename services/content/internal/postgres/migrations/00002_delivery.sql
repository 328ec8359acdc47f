-- +goose Up

-- Searches: the beginnings of words in any text of any field. `simple` keeps words as they are.
CREATE INDEX published_by_text ON published USING gin (jsonb_to_tsvector('simple', fields, '["string"]'));
-- Orders and ranges by the day on which something was written.
CREATE INDEX published_by_creation ON published (environment, kind, created_at, id);
-- Syncs of one kind, and of one content type.
CREATE INDEX published_kind_by_seq ON published (environment, kind, seq);
CREATE INDEX published_type_by_seq ON published (environment, kind, content_type, seq);

-- +goose Down
DROP INDEX published_by_text, published_by_creation, published_kind_by_seq, published_type_by_seq;
