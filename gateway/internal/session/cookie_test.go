package session_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/gateway/internal/session"
)

func TestTheCookieIsBoundToTheHostAndHiddenFromScripts(t *testing.T) {
	t.Parallel()
	h := http.Header{}
	session.SetCookie(h, "the-id", time.Hour)
	require.Equal(t, "__Host-serein=the-id; Path=/; Max-Age=3600; HttpOnly; Secure; SameSite=Lax", h.Get("Set-Cookie"))
}

func TestTheIDComesFromExactlyOneCookie(t *testing.T) {
	t.Parallel()
	a, b := session.NewID(), session.NewID()
	for header, want := range map[string]string{
		"__Host-serein=" + a:                          a,
		"theme=dark; __Host-serein=" + a + "; x=y":    a,
		"__Host-serein=" + a + "; __Host-serein=" + b: "",
		"__Host-serein=" + a + "x":                    "",
		"__Host-serein=":                              "",
		"__host-serein=" + a:                          "",
		"serein=" + a:                                 "",
		"x=__Host-serein=" + a:                        "",
		"":                                            "",
	} {
		require.Equal(t, want, session.IDFrom(http.Header{"Cookie": {header}}), header)
	}
	require.NotEqual(t, a, b)
}
