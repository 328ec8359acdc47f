-- +goose Up

-- pending_uid: the account whose password was given to this request and that waits for its code.
-- Once it is confirmed the request goes on without the password.
ALTER TABLE auth_requests ADD COLUMN pending_uid uuid;

-- +goose Down
ALTER TABLE auth_requests DROP COLUMN pending_uid;
