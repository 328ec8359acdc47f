package bus

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

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

// EventNamed is an empty message of the event that the contracts call so, "CreditsSpent".
func EventNamed(name string) (proto.Message, error) {
	kind, err := protoregistry.GlobalTypes.FindMessageByName(eventsv1.File_serein_events_v1_envelope_proto.Package().Append(protoreflect.Name(name)))
	if err != nil {
		return nil, fmt.Errorf("%q is none of the events in proto/serein/events/v1", name)
	}
	return kind.New().Interface(), nil
}

// ConsumerOf names a service's consumer of an event, "<service>-<aggregate>-<event>", and gives
// the subject that it reads.
func ConsumerOf(service string, event proto.Message) (name, subject string, err error) {
	if subject, err = Subject(event); err != nil {
		return "", "", err
	}
	parts := strings.Split(subject, ".")
	if len(parts) != 5 {
		return "", "", fmt.Errorf("%q is not serein.<service>.<aggregate>.<event>.<version>", subject)
	}
	return strings.ReplaceAll(strings.Join([]string{service, parts[2], parts[3]}, "-"), "_", "-"), subject, nil
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

// StreamName is the stream of a service's events, DeadStream that of its dead letters: events of
// others that it gave up, on serein_dead.<service>.<consumer>.
func StreamName(service string) string { return "serein_" + service }

// DeadStream keeps a service's dead letters; see StreamName.
func DeadStream(service string) string { return "serein_dead_" + service }

func eventsOf(service string) string      { return "serein." + service + ".>" }
func deadLettersOf(service string) string { return "serein_dead." + service + ".>" }
