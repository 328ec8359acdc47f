-- +goose Up

-- The courses that members take, and which of their days are done, by the days' ids: no date of what a member did. touched counts a
-- member's changes, so that the course of the last one comes first. turn is that of the listening (places) by which a day was last done.
CREATE TABLE course_progress (
    uid     uuid   NOT NULL,
    course  text   NOT NULL,
    done    text[] NOT NULL CHECK (cardinality(done) <= 120),
    touched bigint NOT NULL,
    turn    bigint NOT NULL,
    PRIMARY KEY (uid, course)
);

-- +goose Down
DROP TABLE course_progress;
