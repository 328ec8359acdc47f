-- +goose Up

-- What finds mails that wait although they are of no use any more.
CREATE INDEX mails_queued ON mails (expires_at) WHERE state = 'queued';

-- +goose Down
DROP INDEX mails_queued;
