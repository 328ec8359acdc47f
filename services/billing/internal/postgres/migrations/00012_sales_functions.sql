-- +goose Up

-- Credits that were granted for money go back where they came from when the money does: entries from a pool to
-- issued, whose cause says so.
ALTER TABLE entries
    DROP CONSTRAINT entries_accounts,
    ADD CONSTRAINT entries_accounts CHECK (
        CASE from_account
            WHEN 'issued' THEN to_account IN ('plan', 'top_up')
            WHEN 'spent' THEN to_account IN ('plan', 'top_up')
            WHEN 'expired' THEN false
            ELSE to_account IN ('spent', 'expired') OR (to_account = 'issued' AND cause LIKE 'reversal:%')
        END
        AND (from_account <> 'spent' OR cause LIKE 'refund:%'));

-- The service's own role makes orders and moves them along; it cannot rewrite or remove one, nor set a price.
REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON items FROM billing;
GRANT UPDATE (price_id, agreed, offered, checked_at) ON items TO billing;
REVOKE UPDATE, DELETE, TRUNCATE ON orders, order_lines FROM billing;
GRANT UPDATE (state, read_at, session_id, session_url, payment_id, subscription_id, paid_amount, paid_currency, period_start, completed_at,
    refunded, returned_at, address) ON orders TO billing;
REVOKE UPDATE, TRUNCATE ON webhook_events FROM billing;
GRANT UPDATE (applied_at) ON webhook_events TO billing;
REVOKE TRUNCATE ON customers, departures, provider_progress FROM billing;

-- +goose Down
-- entries_accounts stays as it is: entries may be there that it allows.
DROP FUNCTION IF EXISTS reverse_credits, take_catalogue, remove_closed_orders, remove_old_orders;
