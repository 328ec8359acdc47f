package events

import (
	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/generation/internal/publication"
	"serein.app/services/platform/outbox"
)

// Narrated says that the sound of a published article or library meditation can be fetched.
func Narrated(n publication.Narration) outbox.Event {
	return outbox.Event{Aggregate: n.ID, Message: &eventsv1.ItemNarrated{
		ItemId: n.ID, Path: "narrations/" + n.ID + "/audio", DurationMs: n.Duration.Milliseconds(),
	}}
}
