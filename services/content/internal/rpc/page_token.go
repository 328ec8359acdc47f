package rpc

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/errs"
)

var errPageToken = errs.New(errs.Invalid, errorsv1.Reason_REASON_PAGE_TOKEN_INVALID, "That page does not exist. Please start at the first one.").On("page_token")

// toPageToken is a place in a list, opaque so that nobody builds one.
func toPageToken(place any) string {
	data, _ := json.Marshal(place) // of numbers, times and texts: cannot fail
	return base64.RawURLEncoding.EncodeToString(data)
}

// fromPageToken reads what toPageToken writes, and no other spelling of it; first where there is no token. No text of the place has a
// zero byte, which the database does not take. Errors: errPageToken.
func fromPageToken[P any](token string, first P) (place P, err error) {
	if token == "" {
		return first, nil
	}
	data, err := base64.RawURLEncoding.DecodeString(token)
	if err == nil {
		err = json.Unmarshal(data, &place)
	}
	if err == nil && (toPageToken(place) != token || bytes.Contains(data, []byte(`\u0000`))) {
		err = errors.New("nobody was given this token")
	}
	if err != nil {
		return first, errPageToken.Because(err)
	}
	return place, nil
}
