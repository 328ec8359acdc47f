-- +goose Up

-- Types rather than CHECK constraints wherever a type can say it: PostgreSQL parses a table's
-- CHECKs again for every statement, which took a fifth of a hold's time.
CREATE DOMAIN credits AS bigint CHECK (VALUE >= 0);
CREATE DOMAIN positive_credits AS bigint CHECK (VALUE > 0);
-- The order means something, and entries_accounts below compares by it: credits move from left to
-- right, from issued into a pool (plan or top_up), and from a pool to spent or expired.
CREATE TYPE account AS ENUM ('issued', 'plan', 'top_up', 'spent', 'expired');
CREATE TYPE hold_state AS ENUM ('held', 'captured', 'released', 'expired');

-- The plan catalogue. Code reads these fields and never branches on a plan's id or name.
CREATE TABLE plans (
    id      text    PRIMARY KEY,
    name    text    NOT NULL,
    days    int     NOT NULL CHECK (days > 0), -- how long one period lasts
    credits credits NOT NULL                   -- plan credits granted for one period
);

INSERT INTO plans (id, name, days, credits) VALUES ('free-trial', 'Free trial', 7, 8);

-- The plan a member has. One row a member: nobody ever has two plans at once.
CREATE TABLE subscriptions (
    uid       uuid        PRIMARY KEY,
    plan_id   text        NOT NULL REFERENCES plans (id),
    starts_at timestamptz NOT NULL,
    ends_at   timestamptz NOT NULL CHECK (ends_at > starts_at)
);

-- The ledger. An entry moves an amount from one account to another, so every entry, every
-- transaction (the entries of one cause) and the whole book sum to zero by their form.
-- Each entry has a member's pool on one side and a contra account (issued, spent, expired) on the other.
CREATE TABLE entries (
    uid           uuid             NOT NULL,
    position      bigint           NOT NULL, -- 1, 2, 3, … per member, without gaps
    cause         text             NOT NULL, -- trial:<uid>, hold:<id>, expiry:<grant>
    from_account  account          NOT NULL,
    to_account    account          NOT NULL,
    amount        positive_credits NOT NULL,
    balance_after credits          NOT NULL, -- both pools, holds not subtracted
    at            timestamptz      NOT NULL,
    description   text             NOT NULL,
    reference     text             NOT NULL,
    PRIMARY KEY (uid, position),
    -- One grant a cause, one spend a hold and pool, one expiry a grant.
    CONSTRAINT entries_cause_once UNIQUE (cause, from_account),
    -- Only what comes from issued goes into a pool, and nothing goes back: see the order of account.
    CONSTRAINT entries_accounts CHECK ((from_account = 'issued') = (to_account <= 'top_up') AND from_account < to_account)
);

-- The classic form of the same book: both legs of every entry.
CREATE VIEW legs AS
    SELECT uid, position, cause, from_account AS account, -amount AS change, at FROM entries
    UNION ALL
    SELECT uid, position, cause, to_account AS account, amount AS change, at FROM entries;

-- A projection of entries and holds, one row a member. Its row lock orders all changes of a
-- member's credits. No indexed column changes with a hold or a capture, so those updates
-- stay inside the page (heap-only tuples, for which the fill factor leaves room).
CREATE TABLE balances (
    uid              uuid        PRIMARY KEY,
    plan_available   credits     NOT NULL DEFAULT 0,
    plan_held        credits     NOT NULL DEFAULT 0,
    top_up_available credits     NOT NULL DEFAULT 0,
    top_up_held      credits     NOT NULL DEFAULT 0,
    entry_count      bigint      NOT NULL DEFAULT 0, -- the position of the member's last entry
    plan_grant       text,                           -- cause of the grant the plan credits are from
    plan_expires_at  timestamptz,                    -- set and cleared with plan_grant
    -- A moment no later than the next thing that time does to this row: the plan credits'
    -- expiry or a hold's. Nothing changes after it until settle_credits has run.
    next_due         timestamptz,
    changed_at       timestamptz NOT NULL
) WITH (fillfactor = 70);

CREATE INDEX balances_plan_expiry ON balances (plan_expires_at) WHERE plan_expires_at IS NOT NULL;

-- Credits set aside for work that has not finished. A hold ends exactly once.
CREATE TABLE holds (
    id              uuid        PRIMARY KEY,
    uid             uuid        NOT NULL,
    idempotency_key text        NOT NULL,
    plan_credits    credits     NOT NULL,
    top_up_credits  credits     NOT NULL,
    plan_grant      text,       -- where plan_credits came from; NULL if the hold has no plan credits
    reference       text        NOT NULL,
    description     text        NOT NULL,
    state           hold_state  NOT NULL DEFAULT 'held',
    created_at      timestamptz NOT NULL,
    expires_at      timestamptz NOT NULL,
    ended_at        timestamptz, -- NULL while held
    CONSTRAINT holds_key_once UNIQUE (idempotency_key)
);

CREATE INDEX holds_open ON holds (uid, expires_at) WHERE state = 'held';

-- +goose Down
DROP TABLE holds, balances, subscriptions, plans;
DROP VIEW legs;
DROP TABLE entries;
DROP TYPE hold_state, account;
DROP DOMAIN positive_credits, credits;
