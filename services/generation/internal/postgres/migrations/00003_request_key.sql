-- +goose Up
ALTER TABLE meditations RENAME CONSTRAINT meditations_press TO meditations_request_once;

-- +goose Down
ALTER TABLE meditations RENAME CONSTRAINT meditations_request_once TO meditations_press;
