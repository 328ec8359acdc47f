package guest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
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

func TestEveryBitOfAnIDIsRandom(t *testing.T) {
	t.Parallel()
	var ones, zeros uuid.UUID
	for range 200 { // a bit that is random stays the same once in 10^60
		id := uuid.MustParse(guest.NewID())
		for i := range id {
			ones[i], zeros[i] = ones[i]|id[i], zeros[i]|^id[i]
		}
	}
	all := uuid.MustParse("ffffffff-ffff-ffff-ffff-ffffffffffff")
	require.Equal(t, all, ones)
	require.Equal(t, all, zeros)
}

func TestAGuestIsKnownByOneCookieOfTheRightFormOrNotAtAll(t *testing.T) {
	t.Parallel()
	id := guest.NewID()
	require.Regexp(t, `^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`, id)
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
