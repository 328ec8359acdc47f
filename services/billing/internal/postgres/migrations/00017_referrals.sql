-- +goose Up

-- Each member's mailbox as identity's keyed hash, so that billing rewards no member for inviting themselves. The row is deleted with the
-- account. The table trials keeps that the mailbox has had its trial, without saying whose mailbox it is.
CREATE TABLE mailboxes (
    uid         uuid  PRIMARY KEY,
    mailbox_key bytea NOT NULL CHECK (octet_length(mailbox_key) = 32)
);

-- The cards that a member has paid memberships with, for the same reason: the SHA-256 of the provider's fingerprint. The fingerprint is the
-- same for one card under any customer, and the card's number cannot be computed from it. They are deleted with the account.
CREATE TABLE cards (
    uid  uuid  NOT NULL,
    card bytea NOT NULL CHECK (octet_length(card) = 32),
    PRIMARY KEY (uid, card)
);

-- Who invited whom. A friend has one referral for ever, and it is decided once: by the first membership that they pay for.
CREATE TABLE referrals (
    friend           uuid        PRIMARY KEY,
    referrer         uuid        NOT NULL CHECK (referrer <> friend),
    invited_at       timestamptz NOT NULL,
    referrer_left    boolean     NOT NULL DEFAULT false, -- the account is deleted
    decided_at       timestamptz,
    order_id         uuid,                               -- which decided it
    refused          text        NOT NULL DEFAULT '' CHECK (refused IN ('', 'mailbox', 'card')), -- why nobody was rewarded
    friend_credits   credits     NOT NULL DEFAULT 0,     -- what they have of it: less what was taken back
    referrer_credits credits     NOT NULL DEFAULT 0,
    taken_back_at    timestamptz,
    CONSTRAINT referrals_order_once UNIQUE (order_id),
    CONSTRAINT referrals_decided CHECK (
        (decided_at IS NULL) = (order_id IS NULL)
        AND (decided_at IS NOT NULL AND refused = '' OR friend_credits = 0 AND referrer_credits = 0 AND taken_back_at IS NULL)
        AND (decided_at IS NOT NULL OR refused = ''))
);
CREATE INDEX referrals_of_referrer ON referrals (referrer, decided_at);

REVOKE UPDATE, TRUNCATE ON mailboxes, cards FROM billing;
REVOKE UPDATE, DELETE, TRUNCATE ON referrals FROM billing;
GRANT UPDATE (referrer_left, decided_at, order_id, refused, friend_credits, referrer_credits, taken_back_at) ON referrals TO billing;

-- +goose Down
DROP TABLE referrals, cards, mailboxes;
