-- +goose Up

-- Published rows are looked for by the time of publishing alone: what goes out again after a stream was lost,
-- and what is removed.
CREATE INDEX outbox_published ON outbox (published_at) WHERE published_at IS NOT NULL;
DROP INDEX outbox_created;

-- +goose Down
CREATE INDEX outbox_created ON outbox (created_at);
DROP INDEX outbox_published;
