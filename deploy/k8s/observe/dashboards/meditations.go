package dashboards

import "github.com/grafana/grafana-foundation-sdk/go/units"

// meditations has the studio: how long members wait, what is made, and what fails.
func meditations() Board {
	return Board{"meditations", "Serein: meditations", []Row{
		{"What members wait for", []Panel{
			quantiles("First sound", "From the request until the first sentence can be played.", "serein_generation_first_sound_seconds"),
			gauge("Age of the queue", units.Seconds, "How long the oldest meditation has waited that nobody has begun.", "serein_generation_queue_age_seconds", "namespace"),
			gauge("Meditations at work or waiting", units.Short, "", "serein_generation_queue_pieces", "namespace"),
		}},
		{"The studio", []Panel{
			gauge("Processes", units.Short, "", "serein_generation_workers", "namespace"),
			gauge("Recorders", units.Short, "", "serein_generation_recorders", "namespace"),
			gauge("Sound made in a second", units.Seconds, "Seconds of sound that all recorders together make in a second.", "serein_generation_rate", "namespace"),
		}},
		{"What goes wrong", []Panel{
			hourly("Setbacks in an hour", "", "serein_generation_setbacks_total", "reason"),
			hourly("Requests refused in an hour", "", "serein_generation_refused_total", "reason"),
			hourly("Narrations of texts that ended, in an hour", "", "serein_generation_narrations_ended_total", "state"),
		}},
		{"Sentences spoken once", []Panel{
			rate("Sentences found", "", "serein_generation_spoken_hits_total", "job"),
			rate("Sentences spoken", "Many absent ones for days ask for a larger store.", "serein_generation_spoken_misses_total", "reason"),
			gauge("Size of the store", units.BytesIEC, "", "serein_generation_spoken_bytes", "namespace"),
		}},
		{"Writers and narrators outside", []Panel{
			hourly("Scripts in an hour", "Who wrote them, or why the built-in writer did.", "serein_generation_writer_scripts_total", "outcome"),
			rate("Calls of narrators' vendors", "", "serein_generation_outside_calls_total", "outcome"),
			hourly("Cost of narrators in an hour", "In the currency of the prices.", "serein_generation_outside_cost_total", "vendor"),
		}},
	}}
}
