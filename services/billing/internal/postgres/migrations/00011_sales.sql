-- +goose Up

CREATE DOMAIN minor_units AS bigint CHECK (VALUE >= 0); -- money; with each stands its currency
CREATE DOMAIN currency_code AS text CHECK (VALUE ~ '^[a-z]{3}$'); -- ISO 4217
CREATE TYPE item_kind AS ENUM ('membership', 'credit_pack', 'product');
CREATE TYPE order_state AS ENUM ('open', 'processing', 'completed', 'closed', 'returning');

-- Plans that the catalogue no longer has stay for who has them.
ALTER TABLE plans ADD COLUMN listed boolean NOT NULL DEFAULT true;

-- What is sold: a copy of content's catalogue, and whether the payment provider's price is the same.
CREATE TABLE items (
    product_id text          NOT NULL CHECK (product_id <> ''),
    size       text          NOT NULL, -- the period of a membership; empty for all else
    kind       item_kind     NOT NULL,
    name       text          NOT NULL CHECK (name <> ''),
    amount     minor_units   NOT NULL CHECK (amount > 0),
    currency   currency_code NOT NULL,
    credits    credits       NOT NULL,
    sizes      text[]        NOT NULL, -- of a product; empty if it is sold without sizes
    sold_out   text[]        NOT NULL, -- those sizes of which none is left
    none_left  boolean       NOT NULL, -- in no size
    listed     boolean       NOT NULL, -- the catalogue has it
    price_id   text,                   -- the provider's; NULL until it has been looked for
    agreed     boolean       NOT NULL DEFAULT false,
    offered    text          NOT NULL DEFAULT '', -- what the provider has where they do not agree, in words
    checked_at timestamptz,
    PRIMARY KEY (product_id, size),
    CONSTRAINT items_size CHECK ((kind = 'membership') = (size IN ('month', 'year')) AND (kind = 'membership' OR size = '')),
    CONSTRAINT items_agreed CHECK (NOT agreed OR price_id IS NOT NULL)
);

-- Who pays at the provider. One customer is one member.
CREATE TABLE customers (
    uid         uuid        PRIMARY KEY,
    customer_id text        NOT NULL,
    created_at  timestamptz NOT NULL,
    CONSTRAINT customers_one_member UNIQUE (customer_id)
);

-- One checkout is one order. What it is made of never changes; where it stands changes along orders_rules alone.
CREATE SEQUENCE order_numbers AS bigint START 10001;
CREATE TABLE orders (
    id              uuid          PRIMARY KEY,
    number          bigint        NOT NULL DEFAULT nextval('order_numbers'),
    uid             uuid          NOT NULL,
    idempotency_key text          NOT NULL,
    request         bytea         NOT NULL, -- SHA-256 of what was asked for under that key
    membership      boolean       NOT NULL,
    state           order_state   NOT NULL DEFAULT 'open',
    total           minor_units   NOT NULL CHECK (total > 0), -- with delivery
    delivery        minor_units   NOT NULL,
    ships           boolean       NOT NULL,
    currency        currency_code NOT NULL,
    vat_percent     int           NOT NULL CHECK (vat_percent BETWEEN 0 AND 100),
    live            boolean       NOT NULL,
    created_at      timestamptz   NOT NULL,
    expires_at      timestamptz   NOT NULL, -- the provider's page is closed then
    read_at         timestamptz   NOT NULL, -- when its session was last read back
    session_id      text,
    session_url     text,
    payment_id      text,
    subscription_id text,
    paid_amount     minor_units,
    paid_currency   currency_code,
    period_start    timestamptz, -- of the membership's first period, whose credits this paid for
    completed_at    timestamptz, -- or when it began to be returned
    refunded        minor_units   NOT NULL DEFAULT 0,
    returned_at     timestamptz,
    address         jsonb, -- goes with the account
    CONSTRAINT orders_number UNIQUE (number),
    CONSTRAINT orders_key_once UNIQUE (uid, idempotency_key),
    CONSTRAINT orders_session_once UNIQUE (session_id),
    CONSTRAINT orders_payment_once UNIQUE (payment_id),
    CONSTRAINT orders_subscription_once UNIQUE (subscription_id),
    CONSTRAINT orders_session CHECK ((session_id IS NULL) = (session_url IS NULL)),
    CONSTRAINT orders_delivery CHECK (delivery <= total AND (ships OR delivery = 0)),
    -- What was given was paid, in full and in the order's currency.
    CONSTRAINT orders_paid CHECK (
        CASE WHEN state IN ('completed', 'returning') THEN completed_at IS NOT NULL AND session_id IS NOT NULL
            AND payment_id IS NOT NULL AND paid_amount IS NOT NULL AND paid_amount = total
            AND paid_currency IS NOT NULL AND paid_currency = currency AND membership = (subscription_id IS NOT NULL) AND membership = (period_start IS NOT NULL)
        ELSE completed_at IS NULL AND payment_id IS NULL AND paid_amount IS NULL AND subscription_id IS NULL AND period_start IS NULL
            AND refunded = 0 AND address IS NULL END),
    CONSTRAINT orders_refunded CHECK (refunded <= total),
    CONSTRAINT orders_returned CHECK (returned_at IS NULL OR (state = 'returning' AND refunded = total))
);
CREATE INDEX orders_of_member ON orders (uid, number DESC) WHERE completed_at IS NOT NULL;
CREATE INDEX orders_waiting_of_member ON orders (uid, number) WHERE state IN ('open', 'processing');
CREATE INDEX orders_waiting ON orders (read_at, id) WHERE state IN ('open', 'processing');
CREATE INDEX orders_closed ON orders (created_at) WHERE state = 'closed';
CREATE INDEX orders_paid_by_age ON orders (created_at) WHERE completed_at IS NOT NULL;

CREATE TABLE order_lines (
    order_id    uuid        NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    position    int         NOT NULL CHECK (position > 0),
    product_id  text        NOT NULL,
    size        text        NOT NULL,
    kind        item_kind   NOT NULL,
    name        text        NOT NULL,
    quantity    int         NOT NULL CHECK (quantity BETWEEN 1 AND 99),
    unit_amount minor_units NOT NULL CHECK (unit_amount > 0),
    credits     credits     NOT NULL, -- of one
    price_id    text        NOT NULL,
    PRIMARY KEY (order_id, position),
    CONSTRAINT order_lines_fixed CHECK (kind = 'product' OR quantity = 1)
);

CREATE FUNCTION hold_order_to_rules() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'functions/orders.sql is not applied yet'; END $$;
CREATE TRIGGER orders_rules BEFORE INSERT OR UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION hold_order_to_rules();

CREATE FUNCTION require_order_sum() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'functions/orders.sql is not applied yet'; END $$;
CREATE CONSTRAINT TRIGGER orders_sum AFTER INSERT ON orders
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_order_sum();
CREATE CONSTRAINT TRIGGER order_lines_sum AFTER INSERT OR UPDATE ON order_lines
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_order_sum();

-- What the provider told, each once. An event is a hint: what it is about is read before anything is done.
CREATE TABLE webhook_events (
    id          text        PRIMARY KEY,
    type        text        NOT NULL,
    object      text        NOT NULL,
    object_id   text        NOT NULL,
    payment     text        NOT NULL,
    occurred_at timestamptz NOT NULL,
    received_at timestamptz NOT NULL,
    applied_at  timestamptz,
    refused     text        NOT NULL DEFAULT '' -- why it is not acted upon: of another account, of a test
);
CREATE INDEX webhook_events_received ON webhook_events (received_at);

-- Up to when the provider's own list of events has been read.
CREATE TABLE provider_progress (
    one          boolean     PRIMARY KEY DEFAULT true CHECK (one),
    events_until timestamptz NOT NULL
);

-- Members whose account is deleted: what they pay for ends, and what is paid late is returned.
CREATE TABLE departures (
    uid         uuid        PRIMARY KEY,
    departed_at timestamptz NOT NULL,
    done_at     timestamptz
);
CREATE INDEX departures_departed ON departures (departed_at) WHERE done_at IS NOT NULL;

-- A paid subscription is the provider's; the trial is ours alone.
ALTER TABLE subscriptions
    ADD COLUMN provider_id text,
    ADD COLUMN period      billing_period,
    ADD COLUMN price_id    text,
    ADD COLUMN renews      boolean NOT NULL DEFAULT false,
    ADD COLUMN had_trial   boolean NOT NULL DEFAULT false,
    ADD COLUMN order_id    uuid,
    ADD CONSTRAINT subscriptions_provider_once UNIQUE (provider_id),
    ADD CONSTRAINT subscriptions_paid CHECK (
        (provider_id IS NULL) = (period IS NULL) AND (provider_id IS NULL) = (price_id IS NULL) AND (provider_id IS NULL) = (order_id IS NULL)
        AND (provider_id IS NOT NULL OR NOT renews));
UPDATE subscriptions SET had_trial = true WHERE plan_id IN (SELECT id FROM plans WHERE kind = 'trial');

-- +goose Down
ALTER TABLE subscriptions
    DROP COLUMN provider_id, DROP COLUMN period, DROP COLUMN price_id, DROP COLUMN renews, DROP COLUMN had_trial, DROP COLUMN order_id;
DROP TABLE departures, provider_progress, webhook_events, order_lines, orders, customers, items;
DROP SEQUENCE order_numbers;
DROP FUNCTION IF EXISTS hold_order_to_rules, require_order_sum;
ALTER TABLE plans DROP COLUMN listed;
DROP TYPE order_state, item_kind;
DROP DOMAIN currency_code, minor_units;
