-- +goose Up

-- What counts the letters that people wrote to us lately.
CREATE INDEX mails_contact ON mails (created_at) WHERE template = 'contact';

-- +goose Down
DROP INDEX mails_contact;
