package harness

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"connectrpc.com/connect"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/protobuf/proto"
)

// Refusal is why a call was refused, as the app reads it. Its zero value is no refusal.
type Refusal struct{ Code, Reason, Field, Message string }

// RefusalOf reads the refusal of a generated client's call.
func RefusalOf(err error) Refusal {
	var refused *connect.Error
	if !errors.As(err, &refused) {
		return Refusal{}
	}
	r := Refusal{Code: refused.Code().String(), Message: refused.Message()}
	for _, detail := range refused.Details() {
		if value, err := detail.Value(); err == nil {
			r.explain(value)
		}
	}
	return r
}

// RefusalIn reads the refusal in an answer.
func RefusalIn(page Page) Refusal {
	var answer struct {
		Code, Message string
		Details       []struct{ Value string }
	}
	if json.Unmarshal([]byte(page.Body), &answer) != nil {
		return Refusal{}
	}
	r := Refusal{Code: answer.Code, Message: answer.Message}
	for _, detail := range answer.Details {
		info := &errdetails.ErrorInfo{}
		raw, err := base64.RawStdEncoding.DecodeString(detail.Value)
		if err == nil && proto.Unmarshal(raw, info) == nil {
			r.explain(info)
		}
	}
	return r
}

func (r *Refusal) explain(detail proto.Message) {
	if info, ok := detail.(*errdetails.ErrorInfo); ok {
		r.Reason, r.Field = info.GetReason(), info.GetMetadata()["field"]
	}
}

// Post sends JSON to a path of the product as the app does, with header names and values in
// turn; an empty value leaves the header out.
func (b *Browser) Post(ctx context.Context, path, body string, header ...string) (Page, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, b.harness.URL()+path, strings.NewReader(body))
	if err != nil {
		return Page{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		req.Header[http.CanonicalHeaderKey(header[i])] = slices.DeleteFunc([]string{header[i+1]}, isEmpty)
	}
	return b.read(req)
}

func isEmpty(s string) bool { return s == "" }
