-- +goose Up

-- A member whose row somebody holds is settled later, instead of keeping a connection until then. The other
-- functions are called with a time of the caller's.
ALTER FUNCTION settle_credits SET lock_timeout = '500ms';

-- +goose Down
ALTER FUNCTION settle_credits RESET lock_timeout;
