// Package pagetoken turns the place where a page of a list ended into the token of the next page, and back.
//
// Tokens are opaque: clients send back what they were given and build none. A release may change a place, and its tokens with it. A
// client that holds a token of before is refused with ErrInvalid and begins at the first page.
package pagetoken

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/errs"
)

// MaxLen is the greatest length of a token, in bytes. The contracts have the same limit.
const MaxLen = 200

// ErrInvalid refuses every token that Encode has not returned for a place of the same list.
var ErrInvalid = errs.New(errs.Invalid, errorsv1.Reason_REASON_PAGE_TOKEN_INVALID, "That page does not exist. Please start at the first one.").On("page_token")

// Time is a moment in a place. It has one spelling, where a time.Time has one for each zone.
type Time struct{ time.Time }

// MarshalJSON spells the moment in UTC. Error: in UTC the year is before 0 or after 9999.
func (t Time) MarshalJSON() ([]byte, error) { return t.UTC().MarshalJSON() }

// Encode gives the token of a place: a struct of numbers, texts, UUIDs and Time, whose token is not longer than MaxLen.
func Encode[T any](place T) string {
	data, _ := json.Marshal(place) // cannot fail for such a struct with times of the years 0 to 9999
	return base64.RawURLEncoding.EncodeToString(data)
}

// Decode gives the place of a token that Encode returned, and first for an empty token. It refuses any other spelling of a token. A
// client can have made the token itself, so the caller checks what the place must hold. Error: ErrInvalid.
func Decode[T any](token string, first T) (T, error) {
	if token == "" {
		return first, nil
	}
	place, err := parse[T](token)
	if err != nil {
		return first, ErrInvalid.Because(err)
	}
	return place, nil
}

func parse[T any](token string) (place T, err error) {
	if len(token) > MaxLen {
		return place, fmt.Errorf("%d bytes", len(token))
	}
	data, err := base64.RawURLEncoding.DecodeString(token)
	if err == nil {
		err = json.Unmarshal(data, &place)
	}
	if err == nil && Encode(place) != token {
		err = errors.New("another spelling of the place")
	}
	return place, err
}
