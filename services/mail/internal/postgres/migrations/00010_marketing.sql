-- +goose Up

-- Who has agreed to marketing, as identity tells: of no row nobody has. told_at is when it was said, since events may come in any order.
CREATE TABLE marketing (
    uid     uuid        PRIMARY KEY,
    given   boolean     NOT NULL,
    told_at timestamptz NOT NULL
);

-- +goose Down
DROP TABLE marketing;
