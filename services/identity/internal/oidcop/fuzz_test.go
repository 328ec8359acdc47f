package oidcop

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/identity/internal/account"
	"serein.app/services/platform/config"
	"serein.app/services/platform/seal"
)

// FuzzWhatABrowserCarriesIsBelievedOnlyIfWeSealedIt: a cookie that names a device, and an unfinished sign-in in
// an address, are what was sealed, or nothing. One is never taken for the other, nor after its time.
func FuzzWhatABrowserCarriesIsBelievedOnlyIfWeSealedIt(f *testing.F) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	sealer, err := seal.New(config.Secret("0123456789abcdef0123456789abcdef"), "", "identity authorization request")
	require.NoError(f, err)
	devices, err := seal.New(config.Secret("0123456789abcdef0123456789abcdef"), "", "identity device")
	require.NoError(f, err)
	s := &storage{sealer: sealer, now: func() time.Time { return now }}
	p := &Provider{storage: s, devices: devices}

	uid, text := uuid.MustParse("01a1fc32-6def-7867-a724-f88c427cd082"), base64.RawURLEncoding.EncodeToString
	device := func(at time.Time) string {
		sealed, err := devices.Seal(cookieDevice, deviceRecord{UID: uid, ID: "known", At: at})
		require.NoError(f, err)
		return text(sealed)
	}
	request := func(expires time.Time) string {
		r, err := s.seal(&Request{ID: uid, ClientID: "gateway", ExpiresAt: expires})
		require.NoError(f, err)
		return r.sealed
	}
	for _, carried := range []string{
		"", "AAAA", "\x00", `"`, device(now), device(now.Add(-deviceLife)), request(now.Add(time.Hour)), request(now),
		device(now) + "=", request(now.Add(time.Hour))[1:], "\r\n" + request(now.Add(time.Hour)),
	} {
		f.Add(carried)
		f.Add(cookieDevice + "=" + carried + "; " + cookieDevice + "=" + carried)
	}
	f.Fuzz(func(t *testing.T, carried string) {
		for _, header := range []string{carried, cookieDevice + "=" + carried, cookieBrowser + "=" + carried, cookieSession + "=" + carried} {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
			r.Header.Set("Cookie", header)
			if found := p.device(r); found != (account.Device{}) {
				require.Equal(t, account.Device{UID: uid, ID: "known"}, found)
			}
			w := httptest.NewRecorder()
			secret := browser(w, r)
			require.True(t, len(secret) >= 26 && len(secret) <= 64)
			_, ok := began(r, &Request{Browser: hash("another browser's")})
			require.False(t, ok)
		}
		opened, err := s.open(carried)
		if err != nil {
			require.ErrorIs(t, err, ErrNotFound)
			return
		}
		require.Equal(t, []any{uid, "gateway"}, []any{opened.ID, opened.ClientID})
		require.True(t, now.Before(opened.ExpiresAt))
	})
}
