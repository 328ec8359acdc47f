-- +goose Up

-- hold_and_balance, which this made, is in ../functions/holds.sql. Every run applies it after the numbered files.
SELECT 1;

-- +goose Down
SELECT 1;
