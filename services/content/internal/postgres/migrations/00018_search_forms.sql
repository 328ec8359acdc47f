-- +goose Up

-- Of which release an item's terms are: those of an older one are made again, item by item. All that are there are of the first.
ALTER TABLE search_items ADD COLUMN form int NOT NULL DEFAULT 1;
CREATE INDEX search_items_by_form ON search_items (form, number);

-- +goose Down
DROP INDEX search_items_by_form;
ALTER TABLE search_items DROP COLUMN form;
