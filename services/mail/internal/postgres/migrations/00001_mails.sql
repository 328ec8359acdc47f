-- +goose Up

CREATE TYPE mail_state AS ENUM ('queued', 'sent', 'failed');

-- Every mail, one row, one recipient.
CREATE TABLE mails (
    id              uuid        PRIMARY KEY,
    idempotency_key text        NOT NULL,
    uid             text        NOT NULL,
    recipient       text        NOT NULL,
    template        text        NOT NULL,
    data            jsonb,      -- names and codes; erased when the mail is sent or given up
    state           mail_state  NOT NULL DEFAULT 'queued',
    reason          text        NOT NULL DEFAULT '', -- why it failed: expired, rejected, exhausted
    created_at      timestamptz NOT NULL,
    expires_at      timestamptz NOT NULL, -- of no use after this, so never sent
    ended_at        timestamptz,
    -- Set while a server is being talked to. Found set at the next attempt, it means that
    -- nobody learned how the last one ended: the mail may arrive twice, with one Message-ID.
    sending_since   timestamptz,
    uncertain       int         NOT NULL DEFAULT 0, -- how often that was so
    CONSTRAINT mails_key_once UNIQUE (idempotency_key),
    CONSTRAINT mails_erased CHECK ((state = 'queued') = (data IS NOT NULL)),
    CONSTRAINT mails_ended CHECK ((state = 'queued') = (ended_at IS NULL))
);

-- +goose Down
DROP TABLE mails;
DROP TYPE mail_state;
