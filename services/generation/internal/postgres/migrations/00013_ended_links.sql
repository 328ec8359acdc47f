-- +goose Up

-- A member who asks for the account's deletion ends their links. A request that was under way at that moment may come after that, and makes
-- none: no link of the member's has a time up to this one. NULL where the deletion was never asked for.
ALTER TABLE meditation_counts ADD COLUMN links_ended_until timestamptz;

-- +goose Down
ALTER TABLE meditation_counts DROP COLUMN links_ended_until;
