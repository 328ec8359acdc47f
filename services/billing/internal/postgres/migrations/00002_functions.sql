-- +goose Up

-- The functions of credits, which this made first, are in ../functions. Every run applies them after the numbered files.
SELECT 1;

-- +goose Down
SELECT 1;
