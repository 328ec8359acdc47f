package reading

import (
	"math"

	"serein.app/services/content/internal/entry"
	"serein.app/services/platform/pagetoken"
)

// Cursor is where a page of a list ended: the place and id of its last item.
type Cursor struct {
	Place int64
	ID    string
}

// First is the cursor of a list's first page.
var First = Cursor{Place: math.MaxInt64}

// Token is the cursor as a page token.
func (c Cursor) Token() string { return pagetoken.Encode(c) }

// ParseCursor parses a token that Token returned. An empty token is the first page. Error: pagetoken.ErrInvalid.
func ParseCursor(token string) (Cursor, error) {
	c, err := pagetoken.Decode(token, First)
	if err == nil && token != "" && !entry.ValidID(c.ID) {
		return First, pagetoken.ErrInvalid
	}
	return c, err
}
