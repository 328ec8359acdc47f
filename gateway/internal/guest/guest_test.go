package guest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/gateway/internal/guest"
)

func TestABasketsCookieIsForThisHostAloneAndForThirtyDays(t *testing.T) {
	t.Parallel()
	h := http.Header{}
	guest.SetCookie(h, "0192f0c1-0000-4000-8000-0000000000a1")
	require.Equal(t, "__Host-basket=0192f0c1-0000-4000-8000-0000000000a1; Path=/; Max-Age=2592000; HttpOnly; Secure; SameSite=Lax", h.Get("Set-Cookie"))
	h = http.Header{}
	guest.ClearCookie(h)
	require.Equal(t, "__Host-basket=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax", h.Get("Set-Cookie"))
}

func TestAGuestIsKnownByOneCookieOfTheRightFormOrNotAtAll(t *testing.T) {
	t.Parallel()
	id := guest.NewID()
	require.Regexp(t, `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, id)
	require.NotEqual(t, id, guest.NewID())
	own := guest.CookieName + "=" + id
	for header, want := range map[string]string{
		own: id, "a=b; " + own: id, "": "", guest.CookieName + "=": "", guest.CookieName: "", own + "; " + own: "",
		strings.ToUpper(own): "", guest.CookieName + "=" + strings.ToUpper(id): "", guest.CookieName + "=x": "", "basket=" + id: "",
		own + "; " + guest.CookieName + "=": "",
	} {
		require.Equal(t, want, guest.IDFrom(http.Header{"Cookie": {header}}), header)
	}
	require.Empty(t, guest.IDFrom(nil))
}
