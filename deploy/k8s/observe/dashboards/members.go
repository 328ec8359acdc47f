package dashboards

import "github.com/grafana/grafana-foundation-sdk/go/units"

// members has accounts, sign-in and letters.
func members() Board {
	return Board{"members", "Serein: members and letters", []Row{
		{"Accounts", []Panel{
			{"Sign-ins", units.EventsPerSecond, "By outcome.", []Query{{`sum by (outcome) (rate(serein_security_events_total{namespace="$namespace", event="sign_in"}[$__rate_interval]))`, "{{outcome}}"}}},
			{"Sign-ups and confirmations in an hour", units.Short, "", []Query{{`sum by (event, outcome) (increase(serein_security_events_total{namespace="$namespace", event=~"sign_up|confirmation"}[1h]))`, "{{event}} {{outcome}}"}}},
			{"Everything else in the security log, in an hour", units.Short, "", []Query{{`sum by (event, outcome) (increase(serein_security_events_total{namespace="$namespace", event!~"sign_in|sign_up|confirmation"}[1h]))`, "{{event}} {{outcome}}"}}},
		}},
		{"Leaving", []Panel{
			gauge("The oldest deletion of an account", units.Seconds, "", "serein_identity_deletions_oldest_age_seconds", "job"),
			gauge("Erasure, by service", units.Seconds, "How long the oldest deletion has waited for each service.", "serein_erasure_oldest_age_seconds", "job"),
			hourly("Notices of sign-outs to clients, in an hour", "", "serein_identity_logout_notices_total", "outcome"),
		}},
		{"Letters", []Panel{
			hourly("Letters that ended, in an hour", "", "serein_mail_ended_total", "outcome"),
			gauge("The oldest letter that waits", units.Seconds, "", "serein_mail_queued_oldest_seconds", "job"),
			gauge("Letters that wait", units.Short, "", "serein_mail_queued", "job"),
		}},
		{"Limits", []Panel{
			hourly("Letters beyond a limit, in an hour", "", "serein_mail_limited_total", "limit"),
			hourly("Addresses suppressed in an hour", "", "serein_mail_suppressed_total", "reason"),
			hourly("Changes of baskets refused, in an hour", "", "serein_basket_refused_total", "reason"),
		}},
	}}
}
