-- +goose Up

-- Scripts that members read before a credit is held. A row goes in the transaction that makes its meditation work, when its member
-- deletes it, with the account, and a day after it was written.
CREATE TABLE drafts (
    id              uuid        PRIMARY KEY,
    uid             uuid        NOT NULL,
    idempotency_key uuid        NOT NULL,
    -- request is what was chosen, brief what the catalogue asked of the script on that day; both as in meditations.
    request         jsonb       NOT NULL,
    brief           jsonb       NOT NULL,
    -- passages is [{"lines": [{"text": "…"}, …], "pause_us": 0}, …] in the order of speaking.
    passages        jsonb       NOT NULL,
    revision        integer     NOT NULL DEFAULT 1 CHECK (revision >= 1),
    rewrites        integer     NOT NULL DEFAULT 0 CHECK (rewrites >= 0),
    -- taken_by is the request that is being held for it. A request that billing refuses is removed, and the draft is free again.
    taken_by        uuid        REFERENCES meditations ON DELETE SET NULL,
    created_at      timestamptz NOT NULL,
    CONSTRAINT drafts_press UNIQUE (uid, idempotency_key)
);

CREATE INDEX drafts_by_age ON drafts (created_at);
CREATE UNIQUE INDEX drafts_taken ON drafts (taken_by) WHERE taken_by IS NOT NULL;

-- +goose Down
DROP TABLE drafts;
