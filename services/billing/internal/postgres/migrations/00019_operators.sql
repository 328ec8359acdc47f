-- +goose Up

-- What operators did to a member's credits and plan: who, what, why and when. Only added to. The ledger's entries name the
-- act by their cause, operator:<key>.
CREATE TYPE act_of_operator AS ENUM ('correct_credits', 'reset_to_trial', 'end_subscription');
CREATE TABLE operator_acts (
    key     uuid            PRIMARY KEY, -- of the request: it is done once
    act     act_of_operator NOT NULL,
    uid     uuid            NOT NULL,
    actor   uuid            NOT NULL,
    amount  bigint          NOT NULL, -- of credits that was asked for
    changed bigint          NOT NULL, -- what came of it
    reason  text            NOT NULL CHECK (reason <> ''),
    at      timestamptz     NOT NULL
);
REVOKE UPDATE, DELETE, TRUNCATE ON operator_acts FROM billing;

-- +goose Down
DROP FUNCTION IF EXISTS take_credits, end_plan;
DROP TABLE operator_acts;
DROP TYPE act_of_operator;
