// Package events makes the events that tell other services which articles, library meditations and membership tiers readers of
// master get. It also consumes generation's events about members' own meditations.
package events

import (
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/content/internal/entry"
	"serein.app/services/platform/outbox"
)

// Published is the event that readers get this version of the item; ok is false outside master, for
// a content type without such an event, and for an unverified meditation.
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

// Verified is the event that an editor has verified a meditation; ok is false outside master.
func Verified(i entry.Item) (e outbox.Event, ok bool) {
	return about(i, &eventsv1.StaticMeditationVerified{MeditationId: i.ID})
}

// Withdrawn is the event that readers no longer get the item; ok is false outside master, and
// for everything but meditations.
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
