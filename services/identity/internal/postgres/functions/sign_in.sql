-- What a sign-in writes. Each function is one round trip and one commit. Each of its statements sees what was committed before the
-- statement began: what comes after a lock sees what the lock's last holder has written. The moment is always passed in.

-- spend_attempts counts an attempt at each of the keys, in their order, up to the first that is blocked: its place (0: none is), and until
-- when. The attempt is not counted at that one and those after it. Of two attempts side by side the later one may be counted first, so a
-- key that is not blocked holds no time of an attempt, which the earlier one would take for a block. The limits stand beside the keys; the
-- window and the pauses are in seconds.
CREATE OR REPLACE FUNCTION spend_attempts(
    p_now timestamptz, p_keys bytea[], p_free int[], p_window float8[], p_delay float8[], p_max_delay float8[], OUT place int, OUT until timestamptz
) LANGUAGE plpgsql AS $$
BEGIN
    IF cardinality(p_keys) > 1 THEN
        -- Attempts are taken back in this order too, so that no two callers wait for each other.
        PERFORM FROM throttles WHERE key = ANY (p_keys) ORDER BY key FOR UPDATE;
    END IF;
    FOR i IN 1 .. cardinality(p_keys) LOOP
        INSERT INTO throttles AS t (key, count, window_ends, blocked_until)
        VALUES (
            p_keys[i], 1, p_now + make_interval(secs => p_window[i]),
            CASE WHEN p_free[i] <= 1 THEN p_now + make_interval(secs => p_delay[i]) ELSE 'epoch' END)
        ON CONFLICT (key) DO UPDATE SET
            count = CASE WHEN t.window_ends <= p_now THEN 1 ELSE t.count + 1 END,
            blocked_until = CASE
                WHEN (CASE WHEN t.window_ends <= p_now THEN 1 ELSE t.count + 1 END) < p_free[i] THEN 'epoch'
                ELSE p_now + make_interval(secs => least(p_max_delay[i], p_delay[i]
                    * power(2, least(20, (CASE WHEN t.window_ends <= p_now THEN 1 ELSE t.count + 1 END) - p_free[i])))) END,
            window_ends = CASE WHEN t.window_ends <= p_now
                THEN p_now + make_interval(secs => p_window[i])
                ELSE greatest(t.window_ends, p_now + make_interval(secs => p_max_delay[i])) END
        WHERE t.blocked_until <= p_now;
        IF NOT FOUND THEN
            place := i;
            SELECT t.blocked_until INTO until FROM throttles AS t WHERE t.key = p_keys[i];
            RETURN;
        END IF;
    END LOOP;
    place := 0;
    until := 'epoch';
END $$;

-- begin_session begins a session. It enqueues p_letter for a browser that the member does not know: not at the first sign-in of the
-- account's life, not for one with a device cookie (p_known), and not for one that has a session already and lost the answer. A member who
-- joined by a code has no cookie of the provider's, so the first browser of theirs with the name of the one that they joined with is
-- known too. It answers 'begun', or changes nothing and answers why:
--   'past'        what proved the member does not count any more, or the account is gone or to be deleted;
--   'second_step' the account asks for a code that the member has not given;
--   'crowded'     the member has p_most sessions of its sort, of which some must end first. With NULL any number will do.
CREATE OR REPLACE FUNCTION begin_session(
    p_sid uuid, p_cookie_hash bytea, p_uid uuid, p_auth_time timestamptz, p_expires_at timestamptz, p_kind text, p_device text, p_place text,
    p_by_passkey boolean, p_second_step boolean, p_browser bytea, p_password_changes bigint, p_known boolean, p_most int,
    p_letter_kind text, p_letter jsonb, p_letter_attempts int
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    v_first  timestamptz;
    v_joined text;
    v_news   boolean := false;
BEGIN
    -- A change of the password or a deletion under way comes first; one that comes later waits until the session is there, and ends it.
    SELECT signed_in_at, joined_with INTO v_first, v_joined FROM accounts
    WHERE uid = p_uid AND password_changes = p_password_changes AND confirmed_at IS NOT NULL AND deletes_at IS NULL AND reset_required_at IS NULL
    FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN 'past';
    END IF;
    IF NOT (p_by_passkey OR p_second_step) AND EXISTS (SELECT FROM authenticators WHERE uid = p_uid) THEN
        RETURN 'second_step';
    END IF;
    IF p_most <= (SELECT count(*) FROM sessions WHERE uid = p_uid AND (kind = 'other') = (p_kind = 'other')) THEN
        RETURN 'crowded';
    END IF;
    IF v_first IS NULL THEN
        UPDATE accounts SET signed_in_at = p_auth_time, joined_with = CASE WHEN p_browser IS NULL AND p_known AND p_kind <> 'other' THEN p_device END WHERE uid = p_uid;
    ELSIF NOT p_known THEN
        v_news := v_joined IS DISTINCT FROM p_device AND NOT EXISTS (SELECT FROM sessions WHERE uid = p_uid AND browser = p_browser);
    END IF;
    IF v_joined IS NOT NULL AND p_browser IS NOT NULL THEN
        UPDATE accounts SET joined_with = NULL WHERE uid = p_uid;
    END IF;
    INSERT INTO sessions (sid, cookie_hash, uid, auth_time, expires_at, began_at, used_at, ends_at, kind, device, place, by_passkey, second_step, browser)
    VALUES (p_sid, p_cookie_hash, p_uid, p_auth_time, p_expires_at, p_auth_time, p_auth_time, p_expires_at, p_kind, p_device, p_place,
        p_by_passkey, p_second_step, p_browser);
    IF v_news THEN
        -- A row as the job queue's own client makes it (a test compares them). No NOTIFY: workers look every 2 seconds, and a letter can wait.
        INSERT INTO river_job (kind, args, max_attempts) VALUES (p_letter_kind, p_letter, p_letter_attempts);
    END IF;
    RETURN 'begun';
END $$;

-- begin_grant begins a grant with its refresh token (none with a NULL hash), which ends the code of p_request; with NULL it came of none.
-- It fails with IDREU where the code is used or too old, and with IDEND where the session has ended. It locks the account first and the
-- session last, as do the statements that end sessions, so that no two callers wait for each other.
CREATE OR REPLACE FUNCTION begin_grant(
    p_request uuid, p_id uuid, p_uid uuid, p_client_id text, p_sid uuid, p_scopes text[], p_auth_time timestamptz, p_created_at timestamptz,
    p_expires_at timestamptz, p_by_passkey boolean, p_second_step boolean, p_refresh_hash bytea, p_refresh_expires_at timestamptz,
    p_session_ends_at timestamptz, p_now timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO grants (id, uid, client_id, sid, scopes, auth_time, created_at, expires_at, by_passkey, second_step)
    VALUES (p_id, p_uid, p_client_id, p_sid, p_scopes, p_auth_time, p_created_at, p_expires_at, p_by_passkey, p_second_step);
    IF p_refresh_hash IS NOT NULL THEN
        INSERT INTO refresh_tokens (hash, grant_id, expires_at) VALUES (p_refresh_hash, p_id, p_refresh_expires_at);
    END IF;
    IF p_request IS NOT NULL THEN
        -- One exchange a code: the second finds no row.
        UPDATE auth_requests SET exchanged_at = p_now, grant_id = p_id WHERE id = p_request AND exchanged_at IS NULL AND expires_at > p_now;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'the code is used or too old' USING ERRCODE = 'IDREU';
        END IF;
    END IF;
    -- It lasts as long as what came of it.
    UPDATE sessions SET ends_at = greatest(ends_at, p_session_ends_at) WHERE sid = p_sid;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the session has ended' USING ERRCODE = 'IDEND';
    END IF;
END $$;

REVOKE EXECUTE ON FUNCTION spend_attempts, begin_session, begin_grant FROM PUBLIC, identity;
GRANT EXECUTE ON FUNCTION spend_attempts, begin_session, begin_grant TO identity;
