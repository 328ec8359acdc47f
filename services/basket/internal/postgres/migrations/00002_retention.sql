-- +goose Up

-- What finds lines that were put into a basket long ago.
CREATE INDEX lines_added ON lines (added_at);

-- +goose Down
DROP INDEX lines_added;
