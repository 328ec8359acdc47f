-- +goose Up

-- What a member reads in the ledger though it changed nothing: work whose hold ended without being captured, and a renewal that
-- failed. Ended holds are removed, and the books stay, so these facts are kept beside the entries. A note stands behind the entry
-- of its position and before the next one, by its number, and moves no credit.
CREATE TYPE note_kind AS ENUM ('release', 'failed_renewal');
CREATE TABLE notes (
    uid            uuid        NOT NULL,
    position       bigint      NOT NULL, -- of the member's last entry before it; 0 for none
    number         bigint      NOT NULL CHECK (number > 0), -- 1, 2, 3, … per member, without gaps
    kind           note_kind   NOT NULL,
    cause          text        NOT NULL, -- release:<hold>, failed_renewal:<subscription>:<end of the paid period>
    plan_credits   credits     NOT NULL, -- that a release gave back
    top_up_credits credits     NOT NULL,
    balance_after  credits     NOT NULL, -- that of the entry before it
    at             timestamptz NOT NULL,
    description    text        NOT NULL,
    reference      text        NOT NULL,
    PRIMARY KEY (uid, position, number),
    CONSTRAINT notes_cause_once UNIQUE (cause),
    CONSTRAINT notes_credits CHECK ((kind = 'release') = (plan_credits + top_up_credits > 0))
);
REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON notes FROM billing;
CREATE TRIGGER notes_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON notes
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE balances ADD COLUMN note_count bigint NOT NULL DEFAULT 0; -- the number of the member's last note

-- +goose Down
DROP FUNCTION IF EXISTS note_failed_renewal, note;
ALTER TABLE balances DROP COLUMN note_count;
DROP TABLE notes;
DROP TYPE note_kind;
