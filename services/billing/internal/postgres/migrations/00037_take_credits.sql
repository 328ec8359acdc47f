-- +goose Up

-- take_credits, which this changed, is in ../functions/reversals.sql. Every run applies it after the numbered files.
SELECT 1;

-- +goose Down
SELECT 1;
