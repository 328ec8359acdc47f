package stack

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"google.golang.org/protobuf/proto"

	"serein.app/services/platform/bus"
)

// consumersFile, in the data folder, lists the programs that read events beside the services. The broker admits a program that is added
// there from its next start. Without the file, the broker admits no such program.
const consumersFile = "consumers.json"

// ReportsConsumer is who reads what members spend at this machine's broker, and nothing else: the example of docs/integrate.
const ReportsConsumer = "reports"

// consumer is a further reader of events, as that file has it.
type consumer struct {
	// Name is small letters and digits; no service has it.
	Name string `json:"name"`
	// Key is the public half of its nkey. The seed is its own, and nobody here knows it.
	Key string `json:"key"`
	// Consumes are the events that it may read, by their names in proto/serein/events/v1.
	Consumes []string `json:"consumes"`
}

// member is the consumer as the broker knows it.
func (c consumer) member() (bus.Member, error) {
	m := bus.Member{Service: c.Name, Reader: true, Key: c.Key, Consumes: make([]proto.Message, len(c.Consumes))}
	for i, name := range c.Consumes {
		event, err := bus.EventNamed(name)
		if err != nil {
			return bus.Member{}, fmt.Errorf("%s consumes: %w", c.Name, err)
		}
		m.Consumes[i] = event
	}
	return m, nil
}

// readConsumers are the members that the file names.
func readConsumers(path string) ([]bus.Member, error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []consumer
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields() // a misspelt field would be a right that is missing
	if err := decoder.Decode(&all); err != nil {
		return nil, fmt.Errorf("%s: not a list of consumers: %w", path, err)
	}
	members := make([]bus.Member, len(all))
	for i, c := range all {
		if members[i], err = c.member(); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return members, nil
}
