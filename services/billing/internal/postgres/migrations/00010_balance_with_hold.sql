-- +goose Up

-- hold_and_balance does what hold_credits does and also answers the member's balance after the hold, which saves the caller a second call.
-- It runs with the rights of its caller. hold_credits stays for the previous release, which runs beside this one during a deployment.
-- +goose StatementBegin
CREATE FUNCTION hold_and_balance(
    p_id uuid, p_uid uuid, p_amount bigint, p_key text, p_reference text, p_description text,
    p_now timestamptz, p_expires_at timestamptz, p_events uuid[], p_payloads bytea[],
    OUT outcome text, OUT hold_id uuid, OUT plan bigint, OUT top_up bigint, OUT ends_at timestamptz,
    OUT plan_left bigint, OUT top_up_left bigint, OUT held bigint
) LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    SELECT h.outcome, h.hold_id, h.plan, h.top_up, h.ends_at INTO outcome, hold_id, plan, top_up, ends_at
    FROM hold_credits(p_id, p_uid, p_amount, p_key, p_reference, p_description, p_now, p_expires_at, p_events, p_payloads) AS h;
    SELECT b.plan_available, b.top_up_available, b.plan_held + b.top_up_held INTO plan_left, top_up_left, held
    FROM balances AS b WHERE b.uid = p_uid;
END $$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION hold_and_balance FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hold_and_balance TO billing;

-- +goose Down
DROP FUNCTION hold_and_balance;
