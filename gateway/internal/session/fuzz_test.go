package session_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/gateway/internal/session"
)

// FuzzACookieHeaderNamesOneSessionOrNone: what is found has our form and is a session to net/http too; a second
// cookie of that name takes it away.
func FuzzACookieHeaderNamesOneSessionOrNone(f *testing.F) {
	id := session.NewID()
	own := session.CookieName + "=" + id
	for _, header := range []string{
		"", own, own + "; a=b", "a=b;" + own, own + "; " + own, own + ";;;", ";" + own, " " + own + " ", own + "=", session.CookieName + `="` + id + `"`,
		session.CookieName, session.CookieName + "=", strings.ToLower(own), "x=" + own, own + "\x00", own + ",b=c", session.CookieName + " =" + id, session.CookieName + "= " + id, "\xff=" + own,
	} {
		f.Add(header, "")
		f.Add(header, own)
		f.Add("", header)
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		h := http.Header{"Cookie": {first, second}}
		found := session.IDFrom(h)
		if found == "" {
			return
		}
		require.True(t, session.WellFormed(found))
		var ids []string
		for _, c := range (&http.Request{Header: h}).CookiesNamed(session.CookieName) {
			ids = append(ids, c.Value)
		}
		require.Contains(t, ids, found)
		h.Add("Cookie", session.CookieName+"="+session.NewID())
		require.Empty(t, session.IDFrom(h))
	})
}
