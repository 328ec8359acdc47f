package paymentsandbox

import (
	"bytes"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// control asks a control as a test in another process does.
func (w *world) control(name, key string, in object) int {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, w.url+"/sandbox/"+name, bytes.NewReader(encode(in)))
	require.NoError(w.t, err)
	req.Header.Set("Authorization", "Bearer "+key)
	res, err := http.DefaultClient.Do(req)
	require.NoError(w.t, err)
	require.NoError(w.t, res.Body.Close())
	return res.StatusCode
}

func TestControlsDoWhatTheMethodsDoForWhoHasTheKey(t *testing.T) {
	t.Parallel()
	w, to := told(t, 0)
	month := w.sold("month", allows)["id"].(string)
	w.coded("SPRING", "percent_off=10")
	asked := w.sold("")["id"].(string)
	for _, one := range []struct {
		name   string
		in     object
		status int
	}{
		{"delivery", object{"hold": true}, 200},
		{"apply", object{"session": month, "code": "NONE"}, 400},
		{"apply", object{"session": month, "code": "spring"}, 200},
		{"pay", object{"session": month, "card": Declined}, 400},
		{"pay", object{"session": month, "card": Accepted}, 200},
		{"pay", object{"session": month, "colour": "green"}, 400},
		{"pay", object{"session": asked, "card": NeedsConfirmation}, 400},
		{"confirm", object{"session": asked, "yes": true}, 200},
		{"advance", object{"milliseconds": (32 * 24 * time.Hour).Milliseconds()}, 200},
		{"refund", object{"payment": "pi_nothing"}, 404},
		{"dispute", object{"payment": "pi_nothing"}, 404},
		{"events", object{}, 200},
		{"webhook", object{"url": to.URL, "secrets": []string{testSecret}}, 200},
		{"fail", object{"kind": Down, "path": "/v1/events"}, 200},
		{"heal", object{}, 200},
		{"nothing", object{}, 404},
	} {
		require.Equal(t, one.status, w.control(one.name, testKey, one.in), one.name)
		if one.status != http.StatusNotFound {
			require.Equal(t, http.StatusUnauthorized, w.control(one.name, "", one.in), one.name)
		}
	}
	require.Equal(t, 2, count(w, "invoice.paid"))
	before := len(to.taken())
	require.Equal(t, http.StatusOK, w.control("deliver", testKey, object{"events": ids(w.Events())[:2]}))
	require.Len(t, to.taken(), before+2)
}

func TestFaultsCoverWhatTheyNameAsOftenAsTheySay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	for kind, status := range map[FaultKind]int{Conflict: 409, Busy: 429, Down: 500} {
		w.Fail(Fault{Kind: kind, Method: "POST", Path: "/v1/customers", Times: 2})
		w.must("GET", "/v1/customers")
		w.must("POST", "/v1/products", "name=Premium")
		for range 2 {
			got, _ := w.ask("POST", "/v1/customers", "")
			require.Equal(t, status, got)
		}
		w.must("POST", "/v1/customers")
	}
	w.Fail(Fault{Kind: Slow, Delay: 30 * time.Millisecond})
	began := time.Now()
	w.must("GET", "/v1/customers")
	require.GreaterOrEqual(t, time.Since(began), 30*time.Millisecond)
	w.Heal()
	customers := len(w.state.Customers.Items)
	for kind, made := range map[FaultKind]int{Away: 0, Lost: 1} {
		w.Fail(Fault{Kind: kind, Times: 1})
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.url+"/v1/customers", nil)
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer "+testKey)
		res, err := http.DefaultClient.Do(req)
		if err == nil {
			_, err = new(bytes.Buffer).ReadFrom(res.Body)
			_ = res.Body.Close()
		}
		require.Error(t, err, kind)
		w.Heal()
		now := len(w.must("GET", "/v1/customers", "limit=100")["data"].([]any))
		require.Equal(t, customers+made, now, kind)
		customers = now
	}
}
