package postgres

import (
	"serein.app/services/generation/internal/publication"
	"serein.app/services/platform/retention"
)

// Retention is what generation removes. Work that was given up loses its script, its segments and its
// audio as soon as its hold has ended (see Tidied); its row goes later. What was finished is the
// member's, with its script and segments, for as long as they keep it: 14 days after they have marked it deleted only
// its title is left (see Purge), which stays until their account is deleted. No member has more of these than they paid for.
func Retention() []retention.Policy {
	return []retention.Policy{{
		Name: "workers", Table: "workers", Column: "lost_at", Keep: retention.Day,
		Reason: "One row a life of a process. Its work has gone to others within seconds; the pace that it had is a guide for a day.",
	}, {
		Name: "meditations given up", Table: "meditations", Column: "ended_at",
		Where: "state IN ('failed', 'cancelled', 'refunded', 'abandoned') AND settled AND tidied AND deletes_at IS NULL", Keep: 30 * retention.Day,
		Reason: "A member sees a failure for days and may ask about it for weeks, and its key answers a repeated request. A row goes only after billing knows the outcome and the audio is gone.",
	}, {
		Name: "scripts that were read and not narrated", Table: "drafts", Column: "created_at", Keep: retention.Day,
		Reason: "A member may sleep on it. One that is narrated goes at once, and so does one that its member deletes.",
	}, {
		Name: "narrations", Table: "narrations", Column: "ended_at", Where: "tidied", Keep: publication.KeptFor,
		Reason: "What content has had narrated: it keeps the sound itself, and asks again for what it has lost. The row goes once the blob store has let go of the sound.",
	}, {
		Name: "what outside writers and narrators cost", Table: "outside_spend", Column: "day", Keep: 2 * retention.Day,
		Reason: "The budget of a day asks for that day alone. The second day is for clocks and zones; what was spent before is in the metrics.",
	}}
}
