package dashboards

import "github.com/grafana/grafana-foundation-sdk/go/units"

// events has what services tell each other, and their background work.
func events() Board {
	return Board{"events", "Serein: events and jobs", []Row{
		{"Publishing", []Panel{
			gauge("The oldest event that waits for the broker", units.Seconds, "", "serein_outbox_oldest_age_seconds", "job"),
			gauge("Events that wait for the broker", units.Short, "", "serein_outbox_unpublished", "job"),
			gauge("How full each stream is", units.PercentUnit, "", "serein_bus_stream_fill_ratio", "job"),
		}},
		{"Handling", []Panel{
			rate("Events handled", "", "serein_bus_handled_total", "consumer"),
			gauge("Events that wait for a consumer", units.Short, "", "serein_bus_pending", "consumer"),
			hourly("Attempts that failed, in an hour", "", "serein_bus_repeated_total", "consumer"),
		}},
		{"Given up", []Panel{
			hourly("Events given up in an hour", "", "serein_bus_dead_lettered_total", "consumer"),
			hourly("Events shed in an hour", "", "serein_bus_shed_total", "job"),
			gauge("Behind, by service", units.Seconds, "How far back the gateway is certain to know every change.", "serein_gateway_view_behind_seconds", "source"),
		}},
		{"Background work", []Panel{
			hourly("Attempts at jobs that failed, in an hour", "", "serein_jobs_failed_total", "kind"),
			{"Rows past their time", units.Seconds, "", []Query{{`max by (policy) ({__name__=~"serein_.+_retention_overdue_seconds", namespace="$namespace"})`, "{{policy}}"}}},
			{"Rows removed in an hour", units.Short, "", []Query{{`sum by (policy) (increase({__name__=~"serein_.+_retention_removed_total", namespace="$namespace"}[1h]))`, "{{policy}}"}}},
		}},
	}}
}
