-- +goose Up

-- Plans with everything that their cards, the trial and the entitlements are read from. This
-- only adds: days and credits, which the release before this one reads, go with a later one.
CREATE TYPE plan_kind AS ENUM ('trial', 'member', 'generate', 'enquiry');
CREATE TYPE billing_period AS ENUM ('month', 'year');

ALTER TABLE plans
    ALTER COLUMN days DROP NOT NULL,
    ALTER COLUMN credits DROP NOT NULL,
    ADD COLUMN kind               plan_kind,
    ADD COLUMN sort_order         int     NOT NULL DEFAULT 0,  -- of the cards, lowest first
    ADD COLUMN badge              text    NOT NULL DEFAULT '', -- empty for none
    ADD COLUMN description        text    NOT NULL DEFAULT '',
    ADD COLUMN features           text[]  NOT NULL DEFAULT '{}',
    ADD COLUMN entitlements       text[]  NOT NULL DEFAULT '{}',
    ADD COLUMN trial_days         int     NOT NULL DEFAULT 0,
    ADD COLUMN invited_trial_days int     NOT NULL DEFAULT 0,  -- for who comes by an invite
    ADD COLUMN trial_credits      credits NOT NULL DEFAULT 0;

-- What one period of a plan costs and grants. No row: the plan is not sold for that period.
CREATE TABLE plan_prices (
    plan_id  text           NOT NULL REFERENCES plans (id),
    period   billing_period NOT NULL,
    amount   bigint         NOT NULL CHECK (amount > 0), -- in minor units
    currency text           NOT NULL CHECK (currency ~ '^[a-z]{3}$'), -- ISO 4217
    credits  credits        NOT NULL,
    PRIMARY KEY (plan_id, period)
);

-- The catalogue as it starts: content, which an editor changes later. A year costs ten months
-- and grants the credits of twelve, all at its beginning.
INSERT INTO plans (id, name, kind, sort_order, badge, description, features, entitlements) VALUES
    ('free-trial', 'Free trial', 'trial', 10, '',
        'The whole library, and bespoke meditations of your own. No card.',
        '{The full Meditation Library and all articles,"Bespoke meditations, voice only or immersive","My Journey, to keep what helps"}',
        '{generator,library,articles,journey}'),
    ('serein-core', 'Core', 'member', 20, '',
        'For a steady practice, most evenings of the week.',
        '{The full Meditation Library and all articles,"Bespoke meditations, voice only or immersive","My Journey, to keep what helps"}',
        '{generator,library,articles,journey,top_up}'),
    ('serein-premium', 'Premium', 'member', 30, 'Best Value',
        'For making your own often, with sound all around it.',
        '{Everything in Core,New ambient tracks as they are recorded}',
        '{generator,library,articles,journey,top_up}'),
    ('serein-generate', 'Generate', 'generate', 40, '',
        'For bespoke meditations alone, without the library.',
        '{Voice only or immersive sound,"Your own meditations, kept in My Journey"}',
        '{generator,journey,top_up}'),
    ('bespoke-journey', 'Bespoke Journey', 'enquiry', 50, 'Coming Soon',
        'Twelve weeks, written with you by a guide. Also for workplaces, schools and clinics.',
        '{}', '{}')
ON CONFLICT (id) DO UPDATE SET
    kind = excluded.kind, sort_order = excluded.sort_order, description = excluded.description,
    features = excluded.features, entitlements = excluded.entitlements;
UPDATE plans SET trial_days = 7, invited_trial_days = 14, trial_credits = 8 WHERE kind = 'trial';
INSERT INTO plan_prices (plan_id, period, amount, currency, credits) VALUES
    ('serein-core',     'month',   799, 'gbp',  20), ('serein-core',     'year',  7990, 'gbp', 240),
    ('serein-premium',  'month',  1299, 'gbp',  60), ('serein-premium',  'year', 12990, 'gbp', 720),
    ('serein-generate', 'month',   599, 'gbp',  30), ('serein-generate', 'year',  5990, 'gbp', 360);

ALTER TABLE plans
    ALTER COLUMN kind SET NOT NULL,
    ADD CONSTRAINT plans_entitlements CHECK (entitlements <@ '{generator,library,articles,journey,top_up}'),
    ADD CONSTRAINT plans_trial CHECK (
        CASE WHEN kind = 'trial' THEN trial_days > 0 AND invited_trial_days >= trial_days AND trial_credits > 0
        ELSE trial_days = 0 AND invited_trial_days = 0 AND trial_credits = 0 END);

-- There is exactly one trial: the index forbids a second, the trigger that none is left.
CREATE UNIQUE INDEX plans_one_trial ON plans (kind) WHERE kind = 'trial';
CREATE FUNCTION require_trial() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'functions/catalogue.sql is not applied yet'; END $$;
CREATE CONSTRAINT TRIGGER plans_have_a_trial AFTER UPDATE OR DELETE ON plans
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_trial();

-- As in 00003: the service's own role reads the catalogue and cannot write it.
REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON plan_prices FROM billing;

-- +goose Down
DROP TRIGGER plans_have_a_trial ON plans;
DROP FUNCTION IF EXISTS require_trial;
DROP TABLE plan_prices;
DELETE FROM plans WHERE kind <> 'trial';
ALTER TABLE plans
    DROP COLUMN kind, DROP COLUMN sort_order, DROP COLUMN badge, DROP COLUMN description, DROP COLUMN features,
    DROP COLUMN entitlements, DROP COLUMN trial_days, DROP COLUMN invited_trial_days, DROP COLUMN trial_credits,
    ALTER COLUMN days SET NOT NULL,
    ALTER COLUMN credits SET NOT NULL;
DROP TYPE billing_period, plan_kind;
