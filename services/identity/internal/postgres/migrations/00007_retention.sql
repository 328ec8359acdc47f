-- +goose Up

-- What goes with an account or a grant is found without looking at every request.
CREATE INDEX auth_requests_uid ON auth_requests (uid);
CREATE INDEX auth_requests_grant ON auth_requests (grant_id) WHERE grant_id IS NOT NULL;

-- +goose Down
DROP INDEX auth_requests_grant, auth_requests_uid;
