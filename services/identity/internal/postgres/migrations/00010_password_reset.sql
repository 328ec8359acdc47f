-- +goose Up

-- What a code is for. An account has at most one live code of each kind.
ALTER TABLE codes ADD COLUMN kind text NOT NULL DEFAULT 'confirmation'
    CONSTRAINT codes_kind CHECK (kind IN ('confirmation', 'password_reset', 'address_present', 'address_new'));
DROP INDEX codes_live, codes_uid;
CREATE UNIQUE INDEX codes_live ON codes (uid, kind) WHERE used_at IS NULL AND replaced_at IS NULL;
CREATE INDEX codes_uid ON codes (uid, kind, created_at);
-- reset_required_at: an operator demands another password, and the present one lets nobody in until then.
ALTER TABLE accounts ADD COLUMN reset_required_at timestamptz;

-- +goose Down
ALTER TABLE accounts DROP COLUMN reset_required_at;
DELETE FROM codes WHERE kind <> 'confirmation';
DROP INDEX codes_live, codes_uid;
ALTER TABLE codes DROP COLUMN kind;
CREATE UNIQUE INDEX codes_live ON codes (uid) WHERE used_at IS NULL AND replaced_at IS NULL;
CREATE INDEX codes_uid ON codes (uid, created_at);
