package rpc

import (
	"encoding/base64"
	"encoding/json"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/errs"
)

var errPageToken = errs.New(errs.Invalid, errorsv1.Reason_REASON_PAGE_TOKEN_INVALID, "That page does not exist. Please start at the first one.").On("page_token")

// toPageToken encodes a cursor. The token is opaque, so that clients do not build tokens.
func toPageToken(place any) string {
	data, _ := json.Marshal(place) // of numbers, times and texts: cannot fail
	return base64.RawURLEncoding.EncodeToString(data)
}

// fromPageToken reads a place; the zero value where there is no token.
func fromPageToken[P any](token string) (place P, err error) {
	if token == "" {
		return place, nil
	}
	data, err := base64.RawURLEncoding.DecodeString(token)
	if err == nil {
		err = json.Unmarshal(data, &place)
	}
	if err != nil {
		return place, errPageToken.Because(err)
	}
	return place, nil
}
