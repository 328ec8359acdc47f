-- +goose Up

-- An entry goes from issued into a pool or from a pool to spent or expired. The CHECK let one go from
-- spent to expired as well. It compares by the order of account's values: issued, plan, top_up, spent,
-- expired.
ALTER TABLE entries
    DROP CONSTRAINT entries_accounts,
    ADD CONSTRAINT entries_accounts
        CHECK ((from_account = 'issued') = (to_account <= 'top_up') AND from_account < to_account AND from_account <= 'top_up');

-- +goose Down
ALTER TABLE entries
    DROP CONSTRAINT entries_accounts,
    ADD CONSTRAINT entries_accounts CHECK ((from_account = 'issued') = (to_account <= 'top_up') AND from_account < to_account);
