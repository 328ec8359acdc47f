-- +goose Up

-- Five kinds, and a row for each answer: withdrawing adds one with given = false.
-- given_at is when it was answered.
ALTER TABLE consents DROP CONSTRAINT consents_kind_check;
ALTER TABLE consents ADD CONSTRAINT consents_kind_check
    CHECK (kind IN ('age_16', 'terms', 'essentials', 'analytics', 'marketing'));
ALTER TABLE consents ADD COLUMN given boolean NOT NULL DEFAULT true;
ALTER TABLE consents ADD CONSTRAINT consents_age_stays CHECK (given OR kind <> 'age_16');
-- History is added to. Rows go only with their account.
REVOKE UPDATE, DELETE, TRUNCATE ON consents FROM identity;

-- +goose Down
GRANT UPDATE, DELETE ON consents TO identity;
DELETE FROM consents WHERE NOT given OR kind NOT IN ('age_16', 'terms');
ALTER TABLE consents DROP CONSTRAINT consents_age_stays, DROP COLUMN given, DROP CONSTRAINT consents_kind_check;
ALTER TABLE consents ADD CONSTRAINT consents_kind_check CHECK (kind IN ('age_16', 'terms'));
