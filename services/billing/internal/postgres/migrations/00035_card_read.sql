-- +goose Up

-- Whether the provider has been asked what a membership is charged to: where it has, and there is no card, or one without digits, it is
-- not asked again by each view. Where a card is kept it was, whatever the release before has left here.
ALTER TABLE subscriptions ADD COLUMN card_read boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE subscriptions DROP COLUMN card_read;
