package rest

import (
	"encoding/json"
	"io"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"

	restv1 "serein.app/proto/gen/serein/rest/v1"
)

// leavesOut writes answers, and of a record not those parts that are away: an empty list would say that there is nothing.
type leavesOut struct{ runtime.Marshaler }

// Marshal writes one answer.
func (m leavesOut) Marshal(v any) ([]byte, error) {
	written, err := m.Marshaler.Marshal(v)
	if err != nil {
		return nil, err
	}
	switch res := v.(type) {
	case *restv1.User:
		return without(written, res.GetAway())
	case *restv1.UpdateUserResponse:
		if len(res.GetUpdatedUser().GetAway()) == 0 {
			return written, nil
		}
		user, err := m.Marshal(res.GetUpdatedUser())
		if err != nil {
			return nil, err
		}
		return json.Marshal(map[string]json.RawMessage{"updatedUser": user})
	}
	return written, nil
}

// without is an object less those fields.
func without(object []byte, names []string) ([]byte, error) {
	if len(names) == 0 {
		return object, nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(object, &fields); err != nil {
		return nil, err
	}
	for _, name := range names {
		delete(fields, name)
	}
	return json.Marshal(fields)
}

// NewEncoder writes as Marshal does.
func (m leavesOut) NewEncoder(w io.Writer) runtime.Encoder {
	return runtime.EncoderFunc(func(v any) error {
		written, err := m.Marshal(v)
		if err != nil {
			return err
		}
		_, err = w.Write(append(written, '\n'))
		return err
	})
}
