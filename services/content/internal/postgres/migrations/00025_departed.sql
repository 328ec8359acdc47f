-- +goose NO TRANSACTION
-- +goose Up

-- Members whose accounts were deleted, by the SHA-256 of their uid (package erasure). It takes the place of search_forgotten.
CREATE TABLE IF NOT EXISTS departed (
    member      bytea       PRIMARY KEY,
    departed_at timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS departed_at ON departed (departed_at);

-- The release before reads and writes search_forgotten: a row of either table is in both until a later release drops that one.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION note_departed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO departed (member, departed_at) VALUES (NEW.member, NEW.forgotten_at) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION note_forgotten() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO search_forgotten (member, forgotten_at) VALUES (NEW.member, NEW.departed_at) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE OR REPLACE TRIGGER search_forgotten_departed AFTER INSERT ON search_forgotten FOR EACH ROW EXECUTE FUNCTION note_departed();
CREATE OR REPLACE TRIGGER departed_search_forgotten AFTER INSERT ON departed FOR EACH ROW EXECUTE FUNCTION note_forgotten();

-- Deletions of 90 days. Each statement is a transaction: the copy holds no lock that another program waits for.
INSERT INTO departed (member, departed_at) SELECT member, forgotten_at FROM search_forgotten ON CONFLICT DO NOTHING;

-- +goose Down
DROP TRIGGER search_forgotten_departed ON search_forgotten;
DROP TABLE departed;
DROP FUNCTION note_departed, note_forgotten;
