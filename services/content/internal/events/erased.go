package events

import (
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
)

// Erased tells that nothing is kept of the member whose account was deleted.
func Erased(deletion string) proto.Message { return &eventsv1.ContentErased{DeletionId: deletion} }
