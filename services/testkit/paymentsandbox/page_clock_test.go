package paymentsandbox

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSomebodyLetsTimePassOnAPageOfTheirOwnMachine(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	res, _ := w.browser("GET", "/", nil)
	require.Equal(t, "/sandbox", res.Header.Get("Location"))
	_, page := w.browser("GET", "/sandbox", nil)
	require.Contains(t, page, "There are none yet.")
	id, _ := w.member("month", FailsAtRenewal)
	for _, one := range []struct{ on, shown string }{
		{"day", "Renews on "}, {"week", "Renews on "}, {"month", "Not paid, tried again on "}, {"week", "Not paid"}, {"week", "Not paid<br>"},
	} {
		res, _ = w.browser("POST", "/sandbox", url.Values{"on": {one.on}})
		require.Equal(t, 303, res.StatusCode)
		res, page = w.browser("GET", res.Header.Get("Location"), nil)
		require.Contains(t, page, one.shown, one.on)
		require.Contains(t, page, `role="status"`)
		require.NotContains(t, page, "<script")
		require.Equal(t, "no-store", res.Header.Get("Cache-Control"))
	}
	require.Contains(t, page, "£19.99 each month")
	require.Contains(t, page, "amara@example.com")
	w.must("DELETE", "/v1/subscriptions/"+id)
	res, page = w.browser("POST", "/sandbox", url.Values{"on": {"century"}})
	require.Equal(t, 422, res.StatusCode)
	require.Contains(t, page, "Ended on ")
	res, _ = w.browser("POST", "/sandbox", url.Values{"on": {"day"}}, "Sec-Fetch-Site", "cross-site")
	require.Equal(t, 403, res.StatusCode)
	res, _ = w.browser("GET", "/sandbox", nil, "Host", "evil.example")
	require.Equal(t, 421, res.StatusCode)
}
