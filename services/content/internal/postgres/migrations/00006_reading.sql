-- +goose Up

-- What lists, searches and pages show of the articles and meditations that readers get of master. A card is written
-- with what was published, and goes with it.
CREATE TABLE cards (
    kind        text     NOT NULL CHECK (kind IN ('article', 'meditation')),
    id          text     NOT NULL,
    environment text     NOT NULL DEFAULT 'master' CHECK (environment = 'master'),
    item_kind   text     NOT NULL DEFAULT 'Entry' CHECK (item_kind = 'Entry'),
    slug        text     NOT NULL,
    card        jsonb    NOT NULL, -- what is shown
    lists       text[]   NOT NULL, -- in which it stands
    words       tsvector NOT NULL, -- of title and text, without case and accents
    seq         bigint   NOT NULL, -- of the change that it was made of
    form        int      NOT NULL, -- of which release: one of an earlier form is made again
    PRIMARY KEY (kind, id),
    CONSTRAINT cards_one_entry UNIQUE (environment, item_kind, id),
    FOREIGN KEY (environment, item_kind, id) REFERENCES published (environment, kind, id) ON DELETE CASCADE
);
CREATE INDEX cards_by_slug ON cards (kind, slug);
CREATE INDEX cards_by_words ON cards USING gin (words);

-- Every list that a reader can ask for, ready: its first is the one with the highest place.
CREATE TABLE listed (
    list  text   NOT NULL,
    place bigint NOT NULL,
    id    text   NOT NULL,
    kind  text   NOT NULL,
    PRIMARY KEY (list, place, id) INCLUDE (kind),
    FOREIGN KEY (kind, id) REFERENCES cards (kind, id) ON DELETE CASCADE
);
CREATE INDEX listed_of_card ON listed (kind, id);

-- How many stand in each list.
CREATE TABLE list_counts (
    list  text PRIMARY KEY,
    cards int  NOT NULL
);

-- The rows of a statement are counted together. Changes of what readers get come one after the other.
-- +goose StatementBegin
CREATE FUNCTION count_listed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO list_counts AS c (list, cards)
    SELECT list, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END FROM changed GROUP BY list ORDER BY list
    ON CONFLICT (list) DO UPDATE SET cards = c.cards + EXCLUDED.cards;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER listed_added AFTER INSERT ON listed REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_listed();
CREATE TRIGGER listed_removed AFTER DELETE ON listed REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_listed();

-- Slugs and titles that an item has had, as slugs: who comes by one of them is led to the item.
CREATE TABLE former_names (
    kind        text NOT NULL,
    name        text NOT NULL,
    id          text NOT NULL,
    environment text NOT NULL DEFAULT 'master' CHECK (environment = 'master'),
    item_kind   text NOT NULL DEFAULT 'Entry' CHECK (item_kind = 'Entry'),
    PRIMARY KEY (kind, name),
    FOREIGN KEY (environment, item_kind, id) REFERENCES items (environment, kind, id) ON DELETE CASCADE
);
CREATE INDEX former_names_of_item ON former_names (environment, item_kind, id);

-- +goose Down
DROP TABLE former_names, list_counts, listed, cards;
DROP FUNCTION count_listed;
