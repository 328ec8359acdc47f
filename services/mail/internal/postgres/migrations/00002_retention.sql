-- +goose Up

-- What finds mails that ended long ago.
CREATE INDEX mails_ended ON mails (ended_at) WHERE ended_at IS NOT NULL;

-- +goose Down
DROP INDEX mails_ended;
