-- +goose Up

-- Who was given or denied a role, by whom and why. Only operators' commands write here. A row
-- stays when its account goes: it is the record of who could do what.
CREATE TABLE role_changes (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    uid        uuid NOT NULL,
    role       text NOT NULL CHECK (role = 'admin'),
    granted    boolean NOT NULL,
    changed_by text NOT NULL CHECK (changed_by <> ''),
    note       text NOT NULL,
    changed_at timestamptz NOT NULL
);
CREATE INDEX role_changes_uid ON role_changes (uid, id);
REVOKE UPDATE, DELETE, TRUNCATE ON role_changes FROM identity;

-- +goose Down
DROP TABLE role_changes;
