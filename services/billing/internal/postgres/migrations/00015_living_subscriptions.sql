-- +goose Up

-- What becomes of a plan after it has begun. The columns are facts; where it stands follows from them, so that the release before
-- this one, which knows none of them, cannot bring a row where it may not go.
CREATE TYPE subscription_status AS ENUM ('trial', 'active', 'cancelling', 'grace', 'ended');

ALTER TABLE subscriptions
    ADD COLUMN status         subscription_status, -- by hold_subscription_to_rules
    ADD COLUMN access_until   timestamptz,         -- likewise
    ADD COLUMN amount         minor_units NOT NULL DEFAULT 0, -- of one period; 0 for the trial, and until it has been looked up
    ADD COLUMN currency       currency_code,
    ADD COLUMN period_credits credits     NOT NULL DEFAULT 0, -- that the period which runs gave
    ADD COLUMN failed_at      timestamptz, -- when the payment of the next period failed first
    ADD COLUMN next_attempt   timestamptz, -- when it is tried again
    ADD COLUMN notices        int         NOT NULL DEFAULT 0 CHECK (notices BETWEEN 0 AND 3), -- that were given or passed over
    ADD COLUMN ended_at       timestamptz,
    ADD COLUMN ended_reason   text        NOT NULL DEFAULT '',
    ADD COLUMN due_at         timestamptz, -- when it is looked at next; NULL once it is over
    ADD COLUMN revision       bigint      NOT NULL DEFAULT 0; -- rises with every change

CREATE FUNCTION hold_subscription_to_rules() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'functions/subscriptions.sql is not applied yet'; END $$;

-- What is over tells nobody now. A membership whose first period has passed while nothing renewed it here is looked at soon.
UPDATE subscriptions SET ended_at = ends_at WHERE ends_at <= now() AND NOT renews;
UPDATE subscriptions s SET amount = l.unit_amount, currency = o.currency, period_credits = l.credits
FROM orders o JOIN order_lines l ON l.order_id = o.id AND l.kind = 'membership' WHERE o.id = s.order_id;
UPDATE subscriptions SET due_at = CASE WHEN provider_id IS NULL THEN greatest(ends_at - interval '48 hours', starts_at) ELSE ends_at END
WHERE ended_at IS NULL;
-- Each row by the rules, once; no payment is known to have failed yet.
UPDATE subscriptions SET revision = 1,
    status = CASE
        WHEN ended_at IS NOT NULL THEN 'ended'::subscription_status
        WHEN provider_id IS NULL THEN 'trial'
        WHEN NOT renews THEN 'cancelling'
        ELSE 'active' END,
    access_until = ends_at + CASE WHEN ended_at IS NULL AND renews THEN interval '336 hours' ELSE interval '0' END;
CREATE TRIGGER subscriptions_rules BEFORE INSERT OR UPDATE ON subscriptions FOR EACH ROW EXECUTE FUNCTION hold_subscription_to_rules();
ALTER TABLE subscriptions
    ALTER COLUMN status SET NOT NULL,
    ALTER COLUMN access_until SET NOT NULL,
    ADD CONSTRAINT subscriptions_failed CHECK (failed_at IS NULL OR provider_id IS NOT NULL),
    ADD CONSTRAINT subscriptions_ended CHECK ((ended_at IS NOT NULL) OR ended_reason = '');
CREATE INDEX subscriptions_due ON subscriptions (due_at, uid) WHERE due_at IS NOT NULL;
CREATE INDEX subscriptions_running ON subscriptions (uid) INCLUDE (provider_id) WHERE provider_id IS NOT NULL AND ended_at IS NULL;

-- Plan credits last as long as the access that they came with.
UPDATE balances b SET plan_expires_at = s.access_until,
    next_due = least(s.access_until, (SELECT min(h.expires_at) FROM holds h WHERE h.uid = b.uid AND h.state = 'held'))
FROM subscriptions s
WHERE s.uid = b.uid AND s.status = 'active' AND starts_with(b.plan_grant, 'subscription:' || s.provider_id || ':') AND b.plan_expires_at < s.access_until;

-- A change of plan under way, and those that were made: a key changes once.
CREATE TABLE plan_changes (
    id              uuid        NOT NULL, -- part of what the provider knows it by
    uid             uuid        NOT NULL,
    idempotency_key text        NOT NULL,
    request         bytea       NOT NULL, -- SHA-256 of what was asked for under that key
    price_id        text        NOT NULL,
    at              timestamptz NOT NULL, -- what it costs is exact for this moment
    created_at      timestamptz NOT NULL,
    done_at         timestamptz,
    PRIMARY KEY (uid, idempotency_key)
);
CREATE UNIQUE INDEX plan_changes_one_at_a_time ON plan_changes (uid) WHERE done_at IS NULL;
CREATE INDEX plan_changes_created ON plan_changes (created_at);
REVOKE UPDATE, TRUNCATE ON plan_changes FROM billing;
GRANT UPDATE (done_at) ON plan_changes TO billing;

-- The subscription that an invoice is of, where an event says so.
ALTER TABLE webhook_events ADD COLUMN subscription text NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE webhook_events DROP COLUMN subscription;
DROP TABLE plan_changes;
DROP TRIGGER subscriptions_rules ON subscriptions;
DROP FUNCTION IF EXISTS hold_subscription_to_rules;
ALTER TABLE subscriptions
    DROP COLUMN status, DROP COLUMN access_until, DROP COLUMN amount, DROP COLUMN currency, DROP COLUMN period_credits, DROP COLUMN failed_at,
    DROP COLUMN next_attempt, DROP COLUMN notices, DROP COLUMN ended_at, DROP COLUMN ended_reason, DROP COLUMN due_at, DROP COLUMN revision;
DROP TYPE subscription_status;
