-- The plan of a member: these rules hold for raw SQL too.

-- hold_subscription_to_rules derives status and access from the facts of a row, and lets the status move along its edges alone.
-- A membership that renews keeps its access for 14 days of 24 hours after the paid period: the provider charges some time after its end,
-- and a failed payment can be mended that long. One that ended because its money went back is open again for the rest of its period, if
-- the money is ours again (reopened). The trigger is subscriptions_rules.
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

-- forget_card clears a membership's card when the membership ends or another one replaces it. The trigger is
-- subscriptions_forget_card.
CREATE OR REPLACE FUNCTION forget_card() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.provider_id IS NULL OR NEW.ended_at IS NOT NULL OR (NEW.provider_id IS DISTINCT FROM OLD.provider_id AND NEW.card_id = OLD.card_id) THEN
        NEW.card_id := '';
        NEW.card_brand := '';
        NEW.card_last4 := '';
        NEW.card_given := '';
    END IF;
    RETURN NEW;
END $$;

REVOKE EXECUTE ON FUNCTION hold_subscription_to_rules, forget_card FROM PUBLIC, billing;
