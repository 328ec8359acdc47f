-- +goose Up

-- The key of a username makes no difference between İ, ı and i, nor between the two cases of Cherokee. Keys that were made before
-- are rewritten. An account whose new key is another's already keeps its key: that member signs in by their address.
-- +goose StatementBegin
DO $$
DECLARE
    small    text := (SELECT string_agg(chr(c), '' ORDER BY c) FROM generate_series(43888, 43967) AS c);  -- U+AB70 to U+ABBF
    capitals text := (SELECT string_agg(chr(c), '' ORDER BY c) FROM generate_series(5024, 5103) AS c);    -- U+13A0 to U+13EF
    member   record;
BEGIN
    FOR member IN
        SELECT uid, replace(regexp_replace(translate(username_key, small || 'ᏸᏹᏺᏻᏼᏽ', capitals || 'ᏰᏱᏲᏳᏴᏵ'), U&'i\0307+', 'i', 'g'), 'ı', 'i') AS key
        FROM accounts WHERE username_key ~ U&'[\0131\0307\13F8-\13FD\AB70-\ABBF]' ORDER BY created_at
    LOOP
        UPDATE accounts SET username_key = member.key
        WHERE uid = member.uid AND NOT EXISTS (SELECT FROM accounts AS other WHERE other.username_key = member.key);
    END LOOP;
END $$;
-- +goose StatementEnd

-- +goose Down
-- The keys stay: with the release before, a member whose username has one of these letters signs in by their address.
