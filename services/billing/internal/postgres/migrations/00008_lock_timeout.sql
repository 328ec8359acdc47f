-- +goose Up

-- The lock timeout of settle_credits, which this set, is in ../functions/time.sql. Every run applies it after the numbered files.
SELECT 1;

-- +goose Down
SELECT 1;
