-- +goose Up

-- A member's basket: one each, made when the first thing is put into it.
CREATE TABLE baskets (
    id  uuid PRIMARY KEY,
    uid uuid NOT NULL,
    CONSTRAINT baskets_one_a_member UNIQUE (uid)
);

-- One product in one size. Name and price are the catalogue's.
CREATE TABLE lines (
    id              uuid        PRIMARY KEY,
    basket_id       uuid        NOT NULL REFERENCES baskets (id) ON DELETE CASCADE,
    product_id      text        NOT NULL,
    size            text        NOT NULL, -- empty for a product of one size
    quantity        int         NOT NULL CHECK (quantity BETWEEN 1 AND 99),
    added_at        timestamptz NOT NULL,
    saved_for_later boolean     NOT NULL DEFAULT false,
    CONSTRAINT lines_product_once UNIQUE (basket_id, product_id, size)
);

-- +goose Down
DROP TABLE lines, baskets;
