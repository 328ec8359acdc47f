-- +goose Up

-- The title that a member gave a meditation is private and may speak of health and mood. Billing stored it as
-- the description of holds and of their entries; services that may read the title find it by the reference.
-- The ledger stays append-only: only this migration disables the trigger, and it changes no figure.
ALTER TABLE entries DISABLE TRIGGER entries_append_only;
UPDATE entries SET description = '' WHERE cause LIKE 'hold:%' AND description <> '';
ALTER TABLE entries ENABLE TRIGGER entries_append_only;
UPDATE holds SET description = '' WHERE description <> '';

-- A refund moves credits from spent back into a pool.
ALTER TABLE entries
    DROP CONSTRAINT entries_accounts,
    ADD CONSTRAINT entries_accounts CHECK (
        CASE from_account
            WHEN 'issued' THEN to_account IN ('plan', 'top_up')
            WHEN 'spent' THEN to_account IN ('plan', 'top_up')
            WHEN 'expired' THEN false
            ELSE to_account IN ('spent', 'expired')
        END
        AND (from_account <> 'spent' OR cause LIKE 'refund:%'));

-- +goose Down
-- What was erased does not come back.
DROP FUNCTION IF EXISTS refund_hold;
