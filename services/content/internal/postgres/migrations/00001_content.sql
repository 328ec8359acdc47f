-- +goose Up

-- The one space's environments: master, and copies in which editors try things.
CREATE TABLE environments (
    id         text        PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9._-]{1,64}$'),
    created_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO environments (id) VALUES ('master');

CREATE TABLE locales (
    environment   text    NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
    code          text    NOT NULL CHECK (code ~ '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$'),
    name          text    NOT NULL,
    fallback_code text,
    is_default    boolean NOT NULL DEFAULT false,
    version       int     NOT NULL DEFAULT 1,
    PRIMARY KEY (environment, code),
    FOREIGN KEY (environment, fallback_code) REFERENCES locales (environment, code)
);
CREATE UNIQUE INDEX locales_one_default ON locales (environment) WHERE is_default;
INSERT INTO locales (environment, code, name, is_default) VALUES ('master', 'en-GB', 'English (United Kingdom)', true);

-- What kinds of entries there are, and which fields they have.
CREATE TABLE content_types (
    environment   text        NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
    id            text        NOT NULL CHECK (id ~ '^[A-Za-z0-9._-]{1,64}$'),
    name          text        NOT NULL,
    description   text        NOT NULL,
    display_field text        NOT NULL,
    fields        jsonb       NOT NULL, -- in their order, as the delivery API shows them
    version       int         NOT NULL DEFAULT 1,
    created_at    timestamptz NOT NULL,
    updated_at    timestamptz NOT NULL,
    seed_hash     bytea,                -- of what the editors' file said when it was last applied
    edited_at     timestamptz,          -- when an editor changed it; from then on files do not
    PRIMARY KEY (environment, id)
);

-- Entries and assets as editors have them: drafts, and what lies in the archive.
CREATE TABLE items (
    environment        text        NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
    kind               text        NOT NULL CHECK (kind IN ('Entry', 'Asset')),
    id                 text        NOT NULL CHECK (id ~ '^[A-Za-z0-9._-]{1,64}$'),
    content_type       text,
    version            int         NOT NULL, -- counts every change; each write names the version that its author saw
    published_version  int,                  -- null: an unpublished draft
    revision           int         NOT NULL, -- how often it was published
    fields             jsonb       NOT NULL, -- {field: {locale: value}}
    tags               text[]      NOT NULL,
    concepts           text[]      NOT NULL,
    created_at         timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL,
    first_published_at timestamptz,
    archived_at        timestamptz,
    seed               text,                 -- the file that it came from
    seed_hash          bytea,                -- of what that file said when it was last applied
    edited_at          timestamptz,          -- when an editor changed it; from then on files do not
    PRIMARY KEY (environment, kind, id),
    CONSTRAINT items_content_type FOREIGN KEY (environment, content_type) REFERENCES content_types (environment, id),
    CHECK ((kind = 'Entry') = (content_type IS NOT NULL)),
    CHECK (archived_at IS NULL OR published_version IS NULL)
);
CREATE INDEX items_by_type ON items (environment, content_type, updated_at DESC, id); -- assets have none

-- Numbers changes of what readers get. It is taken under one lock a transaction, so that the order of the numbers is
-- the order of the commits: a reader who has seen one has seen all below.
CREATE SEQUENCE changes AS bigint;

-- Entries and assets as readers get them.
CREATE TABLE published (
    environment        text        NOT NULL,
    kind               text        NOT NULL,
    id                 text        NOT NULL,
    content_type       text,
    revision           int         NOT NULL, -- how often it was published
    version            int         NOT NULL, -- of the draft that was published
    fields             jsonb       NOT NULL,
    tags               text[]      NOT NULL,
    concepts           text[]      NOT NULL,
    created_at         timestamptz NOT NULL,
    first_published_at timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL, -- when this was published
    seq                bigint      NOT NULL,
    PRIMARY KEY (environment, kind, id),
    FOREIGN KEY (environment, kind, id) REFERENCES items (environment, kind, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX published_by_seq ON published (environment, seq);
CREATE INDEX published_by_type ON published (environment, kind, content_type, updated_at DESC, id);
CREATE INDEX published_newest ON published (environment, kind, updated_at DESC, id);
CREATE INDEX published_by_field ON published USING gin (fields jsonb_path_ops);
CREATE INDEX published_by_tag ON published USING gin (tags);
CREATE INDEX published_by_concept ON published USING gin (concepts);

-- What readers must forget. Kept as long as a sync token is good.
CREATE TABLE deletions (
    environment  text        NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
    kind         text        NOT NULL CHECK (kind IN ('Entry', 'Asset')),
    id           text        NOT NULL,
    content_type text,
    revision     int         NOT NULL,
    created_at   timestamptz NOT NULL,
    deleted_at   timestamptz NOT NULL,
    seq          bigint      NOT NULL,
    PRIMARY KEY (environment, kind, id)
);
CREATE UNIQUE INDEX deletions_by_seq ON deletions (environment, seq);
CREATE INDEX deletions_by_age ON deletions (deleted_at);

-- Which published entry points at what.
CREATE TABLE links (
    environment text NOT NULL,
    id          text NOT NULL,
    field       text NOT NULL,
    target_kind text NOT NULL CHECK (target_kind IN ('Entry', 'Asset')),
    target_id   text NOT NULL,
    from_kind   text NOT NULL DEFAULT 'Entry' CHECK (from_kind = 'Entry'),
    PRIMARY KEY (environment, id, field, target_kind, target_id),
    FOREIGN KEY (environment, from_kind, id) REFERENCES published (environment, kind, id) ON DELETE CASCADE
);
CREATE INDEX links_to ON links (environment, target_kind, target_id, field, id);

-- The audit log: who changed what, when.
CREATE TABLE revisions (
    number      bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    environment text        NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
    kind        text        NOT NULL,
    id          text        NOT NULL,
    version     int         NOT NULL,
    act         text        NOT NULL CHECK (act IN ('create', 'update', 'publish', 'unpublish', 'archive', 'unarchive', 'delete')),
    actor       text        NOT NULL, -- a uid, a service, or seed
    at          timestamptz NOT NULL,
    fields      jsonb       NOT NULL, -- as they were after the act
    superseded  boolean     NOT NULL DEFAULT false -- by a later one: what is not stays for ever
);
CREATE INDEX revisions_of_item ON revisions (environment, kind, id, number DESC);
CREATE INDEX revisions_superseded ON revisions (at) WHERE superseded;
CREATE UNIQUE INDEX revisions_last ON revisions (environment, kind, id) WHERE NOT superseded;

CREATE TABLE tags (
    environment text        NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
    id          text        NOT NULL CHECK (id ~ '^[A-Za-z0-9._-]{1,64}$'),
    name        text        NOT NULL,
    version     int         NOT NULL DEFAULT 1,
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    PRIMARY KEY (environment, id),
    CONSTRAINT tags_name_once UNIQUE (environment, name)
);

-- Taxonomy: schemes, and the concepts in them, each with broader ones.
CREATE TABLE concept_schemes (
    id         text        PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9._-]{1,64}$'),
    pref_label jsonb       NOT NULL, -- {locale: text}
    definition jsonb       NOT NULL,
    version    int         NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
);
CREATE TABLE concepts (
    id         text        PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9._-]{1,64}$'),
    scheme     text        NOT NULL REFERENCES concept_schemes (id) ON DELETE CASCADE,
    pref_label jsonb       NOT NULL,
    alt_labels jsonb       NOT NULL, -- {locale: [text]}
    definition jsonb       NOT NULL,
    top        boolean     NOT NULL, -- one of the scheme's top concepts
    version    int         NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
);
CREATE INDEX concepts_of_scheme ON concepts (scheme, id);
CREATE TABLE concept_broader (
    concept text NOT NULL REFERENCES concepts (id) ON DELETE CASCADE,
    broader text NOT NULL REFERENCES concepts (id) ON DELETE CASCADE,
    PRIMARY KEY (concept, broader),
    CHECK (concept <> broader)
);
CREATE INDEX concept_narrower ON concept_broader (broader, concept);

-- +goose Down
DROP TABLE concept_broader, concepts, concept_schemes, tags, revisions, links, deletions, published, items, content_types, locales, environments;
DROP SEQUENCE changes;
