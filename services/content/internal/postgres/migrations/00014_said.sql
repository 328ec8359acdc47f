-- +goose Up

-- What was published of a content type: other words under the version of a legal text are looked for with each publishing of one.
CREATE INDEX revisions_published ON revisions (environment, content_type) WHERE kind = 'Entry' AND act = 'publish';

-- +goose Down
DROP INDEX revisions_published;
