package reading

import (
	"encoding/base64"
	"math"
	"strconv"
	"strings"

	"serein.app/services/content/internal/entry"
)

// Place is where a page of a list ended.
type Place struct {
	Place int64
	ID    string
}

// First is where a list begins.
var First = Place{Place: math.MaxInt64}

// Token is the place as a page token. It is opaque, so that clients do not build tokens.
func (p Place) Token() string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(p.Place, 36) + " " + p.ID))
}

// ParsePlace reads what Token writes, and no other spelling of it; empty is the first page. Errors: ErrPageToken.
func ParsePlace(token string) (Place, error) {
	if token == "" {
		return First, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return First, ErrPageToken.Because(err)
	}
	place, id, _ := strings.Cut(string(raw), " ")
	n, err := strconv.ParseInt(place, 36, 64)
	if p := (Place{n, id}); err == nil && entry.ValidID(id) && p.Token() == token {
		return p, nil
	}
	return First, ErrPageToken.Because(err)
}
