package dashboards

import "github.com/grafana/grafana-foundation-sdk/go/units"

const calls = "rpc_server_call_duration_seconds"

// faults are the codes by which a call ends through a fault of ours or of a part behind us.
const faults = `rpc_response_status_code=~"INTERNAL|UNKNOWN|UNAVAILABLE|DATA_LOSS|DEADLINE_EXCEEDED"`

// overview has rate, errors and duration of all calls, and what the programs use.
func overview() Board {
	return Board{"overview", "Serein: overview", []Row{
		{"Calls", []Panel{
			rate("Calls a second", "Calls that each program answers; the gateway's are those of the app.", calls+"_count", "job"),
			{"Calls that fail", units.PercentUnit, "Share of the calls that end through a fault of ours. What a caller did wrong is not counted.", []Query{{
				`sum by (job) (rate(` + calls + `_count{namespace="$namespace", ` + faults + `}[$__rate_interval])) / sum by (job) (rate(` + calls +
					`_count{namespace="$namespace"}[$__rate_interval]))`, "{{job}}",
			}}},
			{"Duration, 19 in 20 are faster", units.Seconds, "Without streams, which last as long as somebody looks.", []Query{{
				`histogram_quantile(0.95, sum by (job, le) (rate(` + calls + `_bucket{namespace="$namespace", rpc_method!~".+/Watch.+"}[$__rate_interval])))`, "{{job}}",
			}}},
		}},
		{"The ten methods that stand out", []Panel{
			{"Called most", units.RequestsPerSecond, "", []Query{{`topk(10, sum by (rpc_method) (rate(` + calls + `_count{namespace="$namespace"}[$__rate_interval])))`, "{{rpc_method}}"}}},
			{"Failing most", units.RequestsPerSecond, "", []Query{{`topk(10, sum by (rpc_method) (rate(` + calls + `_count{namespace="$namespace", ` + faults + `}[$__rate_interval])))`, "{{rpc_method}}"}}},
			{"Slowest", units.Seconds, "By the 95th percentile, without streams.", []Query{{
				`topk(10, histogram_quantile(0.95, sum by (rpc_method, le) (rate(` + calls + `_bucket{namespace="$namespace", rpc_method!~".+/Watch.+"}[$__rate_interval]))))`, "{{rpc_method}}",
			}}},
		}},
		{"Programs", []Panel{
			{"Pods that answer", units.Short, "", []Query{{`sum by (job) (up{namespace="$namespace"})`, "{{job}}"}}},
			{"Processors", units.Short, "Processors that each program keeps busy.", []Query{{`sum by (job) (rate(process_cpu_seconds_total{namespace="$namespace"}[$__rate_interval]))`, "{{job}}"}}},
			{"Memory", units.BytesIEC, "Of the largest pod of each program.", []Query{{`max by (job) (process_resident_memory_bytes{namespace="$namespace"})`, "{{job}}"}}},
		}},
		{"Pages", []Panel{
			rate("Pages opened", "By members who have agreed to analytics, and by the pattern of the page.", "serein_gateway_pages_opened_total", "route"),
			gauge("Age of the oldest page shown", units.Seconds, "Above ten minutes content does not answer.", "serein_gateway_page_age_seconds", "pod"),
			rate("Questions that brought no new page", "", "serein_gateway_page_failures_total", "kind"),
		}},
	}}
}
