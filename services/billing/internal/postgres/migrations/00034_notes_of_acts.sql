-- +goose Up

-- An act that moves no credits is no entry of the books, and stands in the ledger all the same: what an operator wanted to take
-- where nothing was left (correction), a plan that was ended with nothing left of it (plan_end), and a reward that was taken back when
-- it had been used (reward_taken_back). Its cause is the one that its entry would have had, so that it leads to who did it and why;
-- no cause has both.
ALTER TYPE note_kind ADD VALUE 'correction';
ALTER TYPE note_kind ADD VALUE 'plan_end';
ALTER TYPE note_kind ADD VALUE 'reward_taken_back';

-- +goose Down
-- note_kind stays as it is: notes may be there that it allows.
DROP FUNCTION IF EXISTS note_act;
