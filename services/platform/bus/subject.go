package bus

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
)

// Subject is where an event is published, as its contract says.
func Subject(event proto.Message) (string, error) {
	subject, _ := proto.GetExtension(event.ProtoReflect().Descriptor().Options(), eventsv1.E_Subject).(string)
	if subject == "" {
		return "", fmt.Errorf("%s is not an event: its contract names no subject", event.ProtoReflect().Descriptor().FullName())
	}
	return subject, nil
}

// Publisher is the service that publishes on a subject, or on those that a pattern matches.
func Publisher(subject string) (string, error) {
	path, ours := strings.CutPrefix(subject, "serein.")
	service, _, whole := strings.Cut(path, ".")
	if !ours || !whole || service == "" {
		return "", fmt.Errorf("%q is not serein.<service>.<aggregate>.<event>.<version>", subject)
	}
	return service, nil
}
