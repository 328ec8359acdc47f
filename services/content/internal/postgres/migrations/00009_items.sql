-- +goose Up

-- What members like, and how many like each item. kind and item name an article, a meditation of the library or a member's own.
CREATE TABLE likes (
    uid      uuid        NOT NULL,
    kind     text        NOT NULL CHECK (kind IN ('article', 'meditation', 'bespoke')),
    item     text        NOT NULL,
    liked_at timestamptz NOT NULL,
    PRIMARY KEY (uid, kind, item)
);
CREATE TABLE like_counts (
    kind  text NOT NULL,
    item  text NOT NULL,
    likes int  NOT NULL,
    PRIMARY KEY (kind, item)
);

-- The trigger counts all rows of a statement together, in one order, so that concurrent statements do not deadlock.
-- +goose StatementBegin
CREATE FUNCTION count_likes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO like_counts AS c (kind, item, likes)
    SELECT kind, item, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END FROM changed GROUP BY kind, item ORDER BY kind, item
    ON CONFLICT (kind, item) DO UPDATE SET likes = c.likes + EXCLUDED.likes;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER likes_added AFTER INSERT ON likes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_likes();
CREATE TRIGGER likes_removed AFTER DELETE ON likes REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_likes();

-- What members keep in My Journey: at most 2,000 a member.
CREATE TABLE saved (
    uid      uuid        NOT NULL,
    kind     text        NOT NULL CHECK (kind IN ('article', 'meditation', 'bespoke')),
    item     text        NOT NULL,
    saved_at timestamptz NOT NULL,
    PRIMARY KEY (uid, kind, item)
);
CREATE INDEX saved_newest ON saved (uid, kind, saved_at DESC, item DESC);

-- +goose Down
DROP TABLE saved, like_counts, likes;
DROP FUNCTION count_likes;
