package reading

import (
	"encoding/base64"
	"math"
	"strconv"
	"strings"

	"serein.app/services/content/internal/entry"
)

// Cursor is where a page of a list ended: the place and id of its last item.
type Cursor struct {
	Place int64
	ID    string
}

// First is the cursor of a list's first page.
var First = Cursor{Place: math.MaxInt64}

// Token is the cursor as a page token. It is opaque, so that clients do not build tokens.
func (c Cursor) Token() string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(c.Place, 36) + " " + c.ID))
}

// ParseCursor parses a token that Token returned, and no other spelling of it. An empty token is the first page. Errors: ErrPageToken.
func ParseCursor(token string) (Cursor, error) {
	if token == "" {
		return First, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return First, ErrPageToken.Because(err)
	}
	place, id, _ := strings.Cut(string(raw), " ")
	n, err := strconv.ParseInt(place, 36, 64)
	if c := (Cursor{n, id}); err == nil && entry.ValidID(id) && c.Token() == token {
		return c, nil
	}
	return First, ErrPageToken.Because(err)
}
