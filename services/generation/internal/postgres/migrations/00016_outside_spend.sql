-- +goose Up

-- What outside writers and narrators have cost on a day (package budget), in millionths of the currency of the configured prices. The row
-- with the nil UUID has what the service's work cost together, members' work included; the other rows have what each member's cost.
CREATE TABLE outside_spend (
    day        date   NOT NULL,
    uid        uuid   NOT NULL,
    -- kind is speech or writing: each has limits in the configuration.
    kind       text   NOT NULL,
    microunits bigint NOT NULL CHECK (microunits >= 0),
    PRIMARY KEY (uid, day, kind)
);

-- Old days are removed.
CREATE INDEX outside_spend_by_day ON outside_spend (day);

-- +goose Down
DROP TABLE outside_spend;
