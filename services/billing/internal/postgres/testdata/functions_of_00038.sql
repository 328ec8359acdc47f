-- The signatures of billing's functions after migration 00038, the last that stood in the numbered migrations themselves. Databases of then
-- have these. The bodies are left out: functions/ replaces them.
SET check_function_bodies = off;

CREATE OR REPLACE FUNCTION book(p_uid uuid, p_cause text, p_house account, p_at timestamp with time zone, p_description text, p_reference text, p_plan_available bigint, p_plan_held bigint, p_top_up_available bigint, p_top_up_held bigint) RETURNS void LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE OR REPLACE FUNCTION capture_hold(p_id uuid, p_uid uuid, p_now timestamp with time zone, p_event uuid, p_payload bytea) RETURNS text LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE OR REPLACE FUNCTION change_plan_credits(p_uid uuid, p_subscription text, p_returned bigint, p_given bigint, p_cause text, p_expires_at timestamp with time zone, p_description text, p_reference text, p_now timestamp with time zone, OUT outcome text, OUT amount bigint) RETURNS record LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE OR REPLACE FUNCTION emit(p_id uuid, p_subject text, p_payload bytea) RETURNS void LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE OR REPLACE FUNCTION end_hold(h holds, p_state hold_state, p_at timestamp with time zone, p_event uuid, p_payload bytea) RETURNS void LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE OR REPLACE FUNCTION end_plan(p_uid uuid, p_cause text, p_description text, p_now timestamp with time zone, OUT outcome text, OUT ended bigint) RETURNS record LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE OR REPLACE FUNCTION end_plan_credits(p_uid uuid, p_at timestamp with time zone) RETURNS void LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE OR REPLACE FUNCTION forget_card() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE OR REPLACE FUNCTION grant_credits(p_uid uuid, p_pool text, p_amount bigint, p_cause text, p_expires_at timestamp with time zone, p_description text, p_reference text, p_now timestamp with time zone) RETURNS text LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE OR REPLACE FUNCTION hold_and_balance(p_id uuid, p_uid uuid, p_amount bigint, p_key text, p_reference text, p_description text, p_now timestamp with time zone, p_expires_at timestamp with time zone, p_events uuid[], p_payloads bytea[], OUT outcome text, OUT hold_id uuid, OUT plan bigint, OUT top_up bigint, OUT ends_at timestamp with time zone, OUT plan_left bigint, OUT top_up_left bigint, OUT held bigint) RETURNS record LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE OR REPLACE FUNCTION hold_cause() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE OR REPLACE FUNCTION hold_credits(p_id uuid, p_uid uuid, p_amount bigint, p_key text, p_reference text, p_description text, p_now timestamp with time zone, p_expires_at timestamp with time zone, p_events uuid[], p_payloads bytea[], OUT outcome text, OUT hold_id uuid, OUT plan bigint, OUT top_up bigint, OUT ends_at timestamp with time zone) RETURNS record LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE OR REPLACE FUNCTION hold_discount() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE OR REPLACE FUNCTION hold_order_to_rules() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE OR REPLACE FUNCTION hold_subscription_to_rules() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE OR REPLACE FUNCTION move_plan_expiry(p_uid uuid, p_subscription text, p_expires_at timestamp with time zone, p_now timestamp with time zone) RETURNS text LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE OR REPLACE FUNCTION note(p_uid uuid, p_kind note_kind, p_cause text, p_at timestamp with time zone, p_plan bigint, p_top_up bigint, p_description text, p_reference text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE OR REPLACE FUNCTION note_act(p_uid uuid, p_kind note_kind, p_cause text, p_description text, p_now timestamp with time zone) RETURNS text LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE OR REPLACE FUNCTION note_failed_renewal(p_uid uuid, p_cause text, p_description text, p_now timestamp with time zone) RETURNS text LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE OR REPLACE FUNCTION note_grant() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE OR REPLACE FUNCTION of_subscription(p_grant text, p_subscription text) RETURNS boolean LANGUAGE sql AS $$ SELECT NULL $$;
CREATE OR REPLACE FUNCTION refund_hold(p_id uuid, p_uid uuid, p_now timestamp with time zone, p_event uuid, p_payload bytea) RETURNS text LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE OR REPLACE FUNCTION release_hold(p_id uuid, p_uid uuid, p_now timestamp with time zone, p_event uuid, p_payload bytea) RETURNS text LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE OR REPLACE FUNCTION remove_closed_orders(p_before timestamp with time zone, p_most integer) RETURNS bigint LANGUAGE sql AS $$ SELECT NULL $$;
CREATE OR REPLACE FUNCTION remove_ended_holds(p_before timestamp with time zone, p_most integer) RETURNS bigint LANGUAGE sql AS $$ SELECT NULL $$;
CREATE OR REPLACE FUNCTION remove_old_orders(p_before timestamp with time zone, p_most integer) RETURNS bigint LANGUAGE sql AS $$ SELECT NULL $$;
CREATE OR REPLACE FUNCTION require_order_sum() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE OR REPLACE FUNCTION require_trial() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE OR REPLACE FUNCTION reverse_credits(p_uid uuid, p_pool text, p_grant text, p_amount bigint, p_cause text, p_description text, p_reference text, p_now timestamp with time zone, OUT outcome text, OUT taken bigint) RETURNS record LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE OR REPLACE FUNCTION reverse_period_credits(p_uid uuid, p_subscription text, p_amount bigint, p_cause text, p_description text, p_reference text, p_now timestamp with time zone, OUT outcome text, OUT taken bigint) RETURNS record LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE OR REPLACE FUNCTION settle_credits(p_uid uuid, p_now timestamp with time zone, p_holds uuid[], p_events uuid[], p_payloads bytea[]) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE OR REPLACE FUNCTION spend_hold(p_id uuid, p_uid uuid, p_now timestamp with time zone, p_event uuid, p_payload bytea, p_enough bigint, p_grant text, p_low_events uuid[], p_lows bytea[]) RETURNS text LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE OR REPLACE FUNCTION take_catalogue(p_plans jsonb, p_items jsonb) RETURNS void LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE OR REPLACE FUNCTION take_credits(p_uid uuid, p_amount bigint, p_cause text, p_description text, p_now timestamp with time zone, OUT outcome text, OUT taken bigint) RETURNS record LANGUAGE plpgsql AS $$ BEGIN END $$;
