-- +goose Up

-- What a membership is charged to, as it was read last: shown without asking the provider each time.
ALTER TABLE subscriptions
    ADD COLUMN card_id    text NOT NULL DEFAULT '', -- the provider's; empty until it has been read
    ADD COLUMN card_brand text NOT NULL DEFAULT '',
    ADD COLUMN card_last4 text NOT NULL DEFAULT '',
    ADD COLUMN card_given text NOT NULL DEFAULT '', -- the customer's card that billing took over last; a different one is newly given
    ADD CONSTRAINT subscriptions_card CHECK (card_id <> '' OR card_brand || card_last4 || card_given = '');

CREATE FUNCTION forget_card() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'functions/subscriptions.sql is not applied yet'; END $$;
CREATE TRIGGER subscriptions_forget_card BEFORE INSERT OR UPDATE ON subscriptions FOR EACH ROW WHEN (NEW.card_id <> '') EXECUTE FUNCTION forget_card();

-- +goose Down
DROP TRIGGER subscriptions_forget_card ON subscriptions;
DROP FUNCTION IF EXISTS forget_card;
ALTER TABLE subscriptions DROP COLUMN card_id, DROP COLUMN card_brand, DROP COLUMN card_last4, DROP COLUMN card_given;
