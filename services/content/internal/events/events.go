// Package events tells other services what readers get of what is theirs to know: articles, meditations of the
// library and membership tiers, in the environment that readers have. And it hears which meditations members have of their own.
package events

import (
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/content/internal/entry"
	"serein.app/services/platform/outbox"
)

// Published tells that readers get the item as it is; ok is false where nobody is told.
func Published(i entry.Item, locale string) (e outbox.Event, ok bool) {
	switch i.ContentType {
	case "article":
		return about(i, &eventsv1.ArticlePublished{ArticleId: i.ID, Slug: text(i, "slug", locale), Title: text(i, "title", locale)})
	case "meditation":
		if i.Fields["verified"][locale] != true {
			return outbox.Event{}, false // admins alone hear it
		}
		return about(i, &eventsv1.StaticMeditationPublished{MeditationId: i.ID, Title: text(i, "title", locale)})
	case "membershipTier":
		return about(i, &eventsv1.MembershipTierChanged{PlanId: i.ID, Version: int64(i.PublishedVersion)})
	}
	return outbox.Event{}, false
}

// Verified tells that an editor has verified a meditation; ok is false where nobody is told.
func Verified(i entry.Item) (e outbox.Event, ok bool) {
	return about(i, &eventsv1.StaticMeditationVerified{MeditationId: i.ID})
}

// Withdrawn tells that readers get it no more; ok is false where nobody is told.
func Withdrawn(i entry.Item) (e outbox.Event, ok bool) {
	if i.ContentType == "meditation" {
		return about(i, &eventsv1.StaticMeditationDeleted{MeditationId: i.ID})
	}
	return outbox.Event{}, false
}

func about(i entry.Item, m proto.Message) (outbox.Event, bool) {
	return outbox.Event{Aggregate: i.ID, Message: m}, i.Environment == entry.Master
}

func text(i entry.Item, field, locale string) string {
	s, _ := i.Fields[field][locale].(string)
	return s
}
