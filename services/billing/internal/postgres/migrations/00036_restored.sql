-- +goose Up

-- What has gone of an order's money can be ours again: a bank decides a dispute for us, or a refund fails. Each time is counted, so that
-- only what says so lowers a sum. The release before this one knows neither and only raises it.
ALTER TABLE orders
    ADD COLUMN disputed      minor_units NOT NULL DEFAULT 0, -- the part of what has gone that a bank took
    ADD COLUMN restored      int         NOT NULL DEFAULT 0 CHECK (restored >= 0), -- how often money that had gone was ours again
    ADD COLUMN credits_taken credits     NOT NULL DEFAULT 0, -- for what has gone; less what was given back
    ADD CONSTRAINT orders_disputed CHECK (disputed <= refunded);
UPDATE orders o SET credits_taken = coalesce((
    SELECT sum(e.amount) FROM entries e
    WHERE e.uid = o.uid AND e.reference = 'order:' || o.id AND e.to_account = 'issued' AND e.cause NOT LIKE 'reversal:referral:%'), 0)
WHERE refunded > 0;

-- By which promotion code of the provider an order was paid for less: one code is for a member so often.
ALTER TABLE orders ADD COLUMN promotion_code text NOT NULL DEFAULT '';
CREATE INDEX orders_codes_of_member ON orders (uid) WHERE promotion_code <> '';

-- When what goes by post was sent; NULL until an operator says so.
ALTER TABLE orders ADD COLUMN sent_at timestamptz, ADD CONSTRAINT orders_sent CHECK (sent_at IS NULL OR ships);
GRANT UPDATE (disputed, restored, credits_taken, promotion_code, sent_at) ON orders TO billing;

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION hold_order_to_rules() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.state <> 'open' OR NEW.session_id IS NOT NULL THEN
            RAISE EXCEPTION 'an order begins open' USING ERRCODE = 'check_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF (NEW.id, NEW.number, NEW.uid, NEW.idempotency_key, NEW.request, NEW.membership, NEW.total, NEW.delivery, NEW.ships,
            NEW.currency, NEW.vat_percent, NEW.live, NEW.created_at, NEW.expires_at)
        IS DISTINCT FROM (OLD.id, OLD.number, OLD.uid, OLD.idempotency_key, OLD.request, OLD.membership, OLD.total, OLD.delivery, OLD.ships,
            OLD.currency, OLD.vat_percent, OLD.live, OLD.created_at, OLD.expires_at)
        OR NEW.session_id IS DISTINCT FROM coalesce(OLD.session_id, NEW.session_id)
        OR NEW.payment_id IS DISTINCT FROM coalesce(OLD.payment_id, NEW.payment_id)
        OR NEW.subscription_id IS DISTINCT FROM coalesce(OLD.subscription_id, NEW.subscription_id)
        OR NEW.completed_at IS DISTINCT FROM coalesce(OLD.completed_at, NEW.completed_at)
        OR NEW.restored < OLD.restored OR NEW.refunded < OLD.refunded AND NEW.restored = OLD.restored
    THEN
        RAISE EXCEPTION 'an order keeps what it is made of' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.state <> OLD.state AND NOT (CASE OLD.state
        WHEN 'open' THEN true
        WHEN 'processing' THEN NEW.state <> 'open'
        WHEN 'closed' THEN NEW.state IN ('completed', 'returning') -- money that came all the same
        ELSE false
    END) THEN
        RAISE EXCEPTION 'an order cannot go from % to %', OLD.state, NEW.state USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd

-- A membership that ended because its money went back is open again for the rest of its period, if that money is ours again. At the
-- provider it has ended for good, so it renews no more.
ALTER TABLE subscriptions ADD COLUMN reopened boolean NOT NULL DEFAULT false;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION hold_subscription_to_rules() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    v_begins boolean := TG_OP = 'INSERT';
BEGIN
    IF TG_OP = 'UPDATE' THEN
        NEW.revision := OLD.revision + 1;
        v_begins := NEW.provider_id IS DISTINCT FROM OLD.provider_id OR (NEW.provider_id IS NULL AND NEW.starts_at > OLD.starts_at);
        IF v_begins THEN -- nothing of what was there before is left, unless it is said again
            NEW.ended_at := nullif(NEW.ended_at, OLD.ended_at);
            NEW.ended_reason := CASE WHEN NEW.ended_at IS NULL THEN '' ELSE NEW.ended_reason END;
            NEW.failed_at := nullif(NEW.failed_at, OLD.failed_at);
            NEW.next_attempt := nullif(NEW.next_attempt, OLD.next_attempt);
            NEW.notices := 0;
            NEW.reopened := false;
            NEW.due_at := nullif(NEW.due_at, OLD.due_at);
        END IF;
    END IF;
    NEW.status := CASE
        WHEN NEW.ended_at IS NOT NULL THEN 'ended'
        WHEN NEW.provider_id IS NULL THEN 'trial'
        WHEN NOT NEW.renews THEN 'cancelling'
        WHEN NEW.failed_at IS NOT NULL THEN 'grace'
        ELSE 'active' END;
    NEW.access_until := NEW.ends_at + CASE WHEN NEW.status IN ('active', 'grace') THEN interval '336 hours' ELSE interval '0' END;
    IF NEW.status = 'ended' THEN
        NEW.due_at := NULL;
    ELSIF v_begins AND NEW.due_at IS NULL THEN
        NEW.due_at := CASE WHEN NEW.provider_id IS NULL THEN greatest(NEW.ends_at - interval '48 hours', NEW.starts_at) ELSE NEW.ends_at END;
    END IF;
    IF TG_OP = 'UPDATE' AND OLD.status <> NEW.status AND (
        NOT CASE OLD.status
            WHEN 'trial' THEN NEW.status IN ('active', 'cancelling', 'ended')
            WHEN 'active' THEN NEW.status IN ('cancelling', 'grace', 'ended')
            WHEN 'cancelling' THEN NEW.status IN ('active', 'grace', 'ended')
            WHEN 'grace' THEN NEW.status IN ('active', 'cancelling', 'ended')
            WHEN 'ended' THEN NEW.status IN ('trial', 'active', 'cancelling') AND v_begins -- what is over stays over: another begins
                OR NEW.status = 'cancelling' AND OLD.ended_reason = 'refund' AND NEW.reopened -- its money is ours again
        END)
    THEN
        RAISE EXCEPTION 'a subscription cannot go from % to %', OLD.status, NEW.status USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION hold_subscription_to_rules() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    v_begins boolean := TG_OP = 'INSERT';
BEGIN
    IF TG_OP = 'UPDATE' THEN
        NEW.revision := OLD.revision + 1;
        v_begins := NEW.provider_id IS DISTINCT FROM OLD.provider_id OR (NEW.provider_id IS NULL AND NEW.starts_at > OLD.starts_at);
        IF v_begins THEN -- nothing of what was there before is left, unless it is said again
            NEW.ended_at := nullif(NEW.ended_at, OLD.ended_at);
            NEW.ended_reason := CASE WHEN NEW.ended_at IS NULL THEN '' ELSE NEW.ended_reason END;
            NEW.failed_at := nullif(NEW.failed_at, OLD.failed_at);
            NEW.next_attempt := nullif(NEW.next_attempt, OLD.next_attempt);
            NEW.notices := 0;
            NEW.due_at := nullif(NEW.due_at, OLD.due_at);
        END IF;
    END IF;
    NEW.status := CASE
        WHEN NEW.ended_at IS NOT NULL THEN 'ended'
        WHEN NEW.provider_id IS NULL THEN 'trial'
        WHEN NOT NEW.renews THEN 'cancelling'
        WHEN NEW.failed_at IS NOT NULL THEN 'grace'
        ELSE 'active' END;
    NEW.access_until := NEW.ends_at + CASE WHEN NEW.status IN ('active', 'grace') THEN interval '336 hours' ELSE interval '0' END;
    IF NEW.status = 'ended' THEN
        NEW.due_at := NULL;
    ELSIF v_begins AND NEW.due_at IS NULL THEN
        NEW.due_at := CASE WHEN NEW.provider_id IS NULL THEN greatest(NEW.ends_at - interval '48 hours', NEW.starts_at) ELSE NEW.ends_at END;
    END IF;
    IF TG_OP = 'UPDATE' AND OLD.status <> NEW.status AND (
        NOT CASE OLD.status
            WHEN 'trial' THEN NEW.status IN ('active', 'cancelling', 'ended')
            WHEN 'active' THEN NEW.status IN ('cancelling', 'grace', 'ended')
            WHEN 'cancelling' THEN NEW.status IN ('active', 'grace', 'ended')
            WHEN 'grace' THEN NEW.status IN ('active', 'cancelling', 'ended')
            WHEN 'ended' THEN NEW.status IN ('trial', 'active', 'cancelling') AND v_begins -- what is over stays over: another begins
        END)
    THEN
        RAISE EXCEPTION 'a subscription cannot go from % to %', OLD.status, NEW.status USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
ALTER TABLE subscriptions DROP COLUMN reopened;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION hold_order_to_rules() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.state <> 'open' OR NEW.session_id IS NOT NULL THEN
            RAISE EXCEPTION 'an order begins open' USING ERRCODE = 'check_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF (NEW.id, NEW.number, NEW.uid, NEW.idempotency_key, NEW.request, NEW.membership, NEW.total, NEW.delivery, NEW.ships,
            NEW.currency, NEW.vat_percent, NEW.live, NEW.created_at, NEW.expires_at)
        IS DISTINCT FROM (OLD.id, OLD.number, OLD.uid, OLD.idempotency_key, OLD.request, OLD.membership, OLD.total, OLD.delivery, OLD.ships,
            OLD.currency, OLD.vat_percent, OLD.live, OLD.created_at, OLD.expires_at)
        OR NEW.session_id IS DISTINCT FROM coalesce(OLD.session_id, NEW.session_id)
        OR NEW.payment_id IS DISTINCT FROM coalesce(OLD.payment_id, NEW.payment_id)
        OR NEW.subscription_id IS DISTINCT FROM coalesce(OLD.subscription_id, NEW.subscription_id)
        OR NEW.completed_at IS DISTINCT FROM coalesce(OLD.completed_at, NEW.completed_at)
        OR NEW.refunded < OLD.refunded
    THEN
        RAISE EXCEPTION 'an order keeps what it is made of' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.state <> OLD.state AND NOT (CASE OLD.state
        WHEN 'open' THEN true
        WHEN 'processing' THEN NEW.state <> 'open'
        WHEN 'closed' THEN NEW.state IN ('completed', 'returning') -- money that came all the same
        ELSE false
    END) THEN
        RAISE EXCEPTION 'an order cannot go from % to %', OLD.state, NEW.state USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
ALTER TABLE orders DROP COLUMN disputed, DROP COLUMN restored, DROP COLUMN credits_taken, DROP COLUMN promotion_code, DROP COLUMN sent_at;
