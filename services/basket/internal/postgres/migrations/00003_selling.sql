-- +goose Up

-- A basket is a member's or a guest's, and knows how often it has changed. Nothing was ever put into one before.
ALTER TABLE baskets RENAME COLUMN uid TO owner;
ALTER TABLE baskets DROP CONSTRAINT baskets_one_a_member;
ALTER TABLE baskets
    ADD COLUMN guest      boolean     NOT NULL DEFAULT false, -- owner is a guest's id, not a member's uid
    ADD COLUMN version    bigint      NOT NULL DEFAULT 0 CHECK (version >= 0),
    ADD COLUMN before     jsonb, -- the lines before the last change; NULL where it cannot be taken back
    ADD COLUMN changed_at timestamptz NOT NULL DEFAULT now(),
    ADD CONSTRAINT baskets_one_an_owner UNIQUE (owner, guest);

-- What finds guests who did not come back.
CREATE INDEX baskets_of_guests ON baskets (changed_at) WHERE guest;

-- A line is part of what is bought now, or saved since a moment. It keeps the rule that it follows and the price that its owner
-- saw; what is charged is the catalogue's.
ALTER TABLE lines DROP COLUMN saved_for_later;
ALTER TABLE lines
    ADD COLUMN saved_at       timestamptz,
    ADD COLUMN kind           text   NOT NULL DEFAULT 'product' CHECK (kind IN ('membership', 'pack', 'product')),
    ADD COLUMN shown_amount   bigint NOT NULL DEFAULT 0 CHECK (shown_amount >= 0),
    ADD COLUMN shown_currency text   NOT NULL DEFAULT '',
    ADD CONSTRAINT lines_once CHECK (kind = 'product' OR quantity = 1),
    -- One membership is bought at a time. Looked at when a change is whole: one takes the place of another in it.
    ADD CONSTRAINT lines_one_membership EXCLUDE (basket_id WITH =) WHERE (kind = 'membership' AND saved_at IS NULL)
        DEFERRABLE INITIALLY DEFERRED;

-- Requests that have been answered, with what came of them: a repeat changes nothing.
CREATE TABLE requests (
    basket_id uuid        NOT NULL REFERENCES baskets (id) ON DELETE CASCADE,
    id        uuid        NOT NULL,
    outcome   smallint    NOT NULL,
    at        timestamptz NOT NULL,
    PRIMARY KEY (basket_id, id)
);
CREATE INDEX requests_at ON requests (at);

-- What members have bought, as the order says it.
CREATE TABLE purchased (
    order_id     uuid        NOT NULL,
    position     int         NOT NULL,
    uid          uuid        NOT NULL,
    product_id   text        NOT NULL,
    name         text        NOT NULL,
    size         text        NOT NULL,
    quantity     int         NOT NULL CHECK (quantity >= 1),
    unit_amount  bigint      NOT NULL CHECK (unit_amount >= 0),
    currency     text        NOT NULL,
    purchased_at timestamptz NOT NULL,
    PRIMARY KEY (order_id, position)
);
CREATE INDEX purchased_of ON purchased (uid, purchased_at, order_id, position);

-- Members whose accounts were deleted, by the SHA-256 of their uid: an event of their order may come later.
CREATE TABLE departed (
    member      bytea       PRIMARY KEY,
    departed_at timestamptz NOT NULL
);
CREATE INDEX departed_at ON departed (departed_at);

-- +goose Down
DROP TABLE departed, purchased, requests;
ALTER TABLE lines DROP CONSTRAINT lines_one_membership, DROP CONSTRAINT lines_once;
ALTER TABLE lines DROP COLUMN saved_at, DROP COLUMN kind, DROP COLUMN shown_amount, DROP COLUMN shown_currency;
ALTER TABLE lines ADD COLUMN saved_for_later boolean NOT NULL DEFAULT false;
DROP INDEX baskets_of_guests;
DELETE FROM baskets WHERE guest;
ALTER TABLE baskets DROP CONSTRAINT baskets_one_an_owner;
ALTER TABLE baskets DROP COLUMN guest, DROP COLUMN version, DROP COLUMN before, DROP COLUMN changed_at;
ALTER TABLE baskets RENAME COLUMN owner TO uid;
ALTER TABLE baskets ADD CONSTRAINT baskets_one_a_member UNIQUE (uid);
