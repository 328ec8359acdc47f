-- +goose Up

-- Where the next search goes on to fetch what a member made before, until all of it is here. The token is generation's.
ALTER TABLE search_members ALTER COLUMN filled_at DROP NOT NULL, ADD COLUMN next_page text NOT NULL DEFAULT '';

-- +goose Down
DELETE FROM search_members WHERE filled_at IS NULL;
ALTER TABLE search_members ALTER COLUMN filled_at SET NOT NULL, DROP COLUMN next_page;
