package web

import (
	"bytes"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/cached"
)

// bootTextsKept is how many boot blocks are kept as text, some 500 bytes each.
const bootTextsKept = 4096

// bootTexts keeps boot blocks as JSON by what they say. Between two changes of a member only the time differs, and writing
// the JSON of the rest was an eighth of what a member's page costs.
type bootTexts struct{ known *cached.Map[string, []byte] }

func newBootTexts(now func() time.Time) bootTexts {
	return bootTexts{cached.NewMap[string, []byte](bootTextsKept, now)}
}

// serverTime is the time as the boot block begins with it, in the form that protobuf's JSON has for one.
const serverTime = `{"serverTime":"2006-01-02T15:04:05.000000Z"`

// of is the answer as JSON.
func (b bootTexts) of(answer *webv1.GetSessionResponse) ([]byte, error) {
	rest, err := b.timeless(answer)
	if err != nil {
		return nil, err
	}
	text := make([]byte, 0, len(serverTime)+len(`,`)+len(rest))
	text = answer.GetServerTime().AsTime().AppendFormat(text, serverTime)
	if rest = bytes.TrimPrefix(rest, []byte("{")); len(rest) > 1 {
		text = append(text, ',')
	}
	return append(text, rest...), nil
}

// timeless is the answer without its time.
func (b bootTexts) timeless(answer *webv1.GetSessionResponse) ([]byte, error) {
	at := answer.GetServerTime()
	answer.ServerTime = nil
	defer func() { answer.ServerTime = at }()
	said, err := proto.MarshalOptions{Deterministic: true}.Marshal(answer)
	if err != nil {
		return nil, err
	}
	if text, ok := b.known.Get(string(said)); ok {
		return text, nil
	}
	text, err := protojson.Marshal(answer)
	if err == nil {
		b.known.Keep(string(said), text)
	}
	return text, err
}
