package rest

import (
	"encoding/json"
	"io"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"

	restv1 "serein.app/proto/gen/serein/rest/v1"
)

// leavesOut writes answers, and of a record not those parts that are away, for an empty list would say that there is nothing, nor the categories of
// saved items that have none: with its last item a category loses its key.
type leavesOut struct{ runtime.Marshaler }

// Marshal writes one answer.
func (m leavesOut) Marshal(v any) ([]byte, error) {
	written, err := m.Marshaler.Marshal(v)
	if err != nil {
		return nil, err
	}
	switch res := v.(type) {
	case *restv1.User:
		return record(written, res)
	case *restv1.UpdateUserResponse:
		user, err := m.Marshal(res.GetUpdatedUser())
		if err != nil {
			return nil, err
		}
		return json.Marshal(map[string]json.RawMessage{"updatedUser": user})
	}
	return written, nil
}

// record is a member's, less what is left out of it.
func record(object []byte, u *restv1.User) ([]byte, error) {
	object, err := without(object, u.GetAway())
	if err != nil || u.GetSavedItems() == nil {
		return object, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(object, &fields); err != nil {
		return nil, err
	}
	if fields["savedItems"], err = without(fields["savedItems"], emptyOf(u.GetSavedItems())); err != nil {
		return nil, err
	}
	return json.Marshal(fields)
}

// emptyOf are the categories without an item. That of ebooks stays as it is: there never are any.
func emptyOf(saved *restv1.SavedItems) (names []string) {
	for name, items := range map[string][]*restv1.SavedItem{"meditations": saved.GetMeditations(), "publications": saved.GetPublications()} {
		if len(items) == 0 {
			names = append(names, name)
		}
	}
	return names
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
