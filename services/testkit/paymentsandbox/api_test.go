package paymentsandbox

import (
	"fmt"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWhatIsNotSpokenIsRefusedAsStripeDoes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	for name, one := range map[string]struct {
		method, path string
		fields       []string
		status       int
		code         any
	}{
		"an unknown path":           {"GET", "/v1/coupons", nil, 404, nil},
		"an unknown method":         {"DELETE", "/v1/events", nil, 404, nil},
		"an unknown parameter":      {"POST", "/v1/customers", []string{"colour=green"}, 400, "parameter_unknown"},
		"an unknown one inside":     {"POST", "/v1/customers", []string{"metadata[a]=b", "email[x]=y"}, 400, "parameter_invalid_string"},
		"an unknown one of a query": {"GET", "/v1/events", []string{"colour=green"}, 400, "parameter_unknown"},
		"a missing parameter":       {"POST", "/v1/products", nil, 400, "parameter_missing"},
		"no number":                 {"POST", "/v1/prices", []string{"product=x", "currency=gbp", "unit_amount=ten"}, 400, "parameter_invalid_integer"},
		"a negative amount":         {"POST", "/v1/prices", []string{"product=x", "currency=gbp", "unit_amount=-1"}, 400, "parameter_invalid_integer"},
		"too long a page":           {"GET", "/v1/events", []string{"limit=101"}, 400, "parameter_invalid_integer"},
		"an unknown thing":          {"GET", "/v1/prices/price_1", nil, 404, "resource_missing"},
		"an unknown reference":      {"POST", "/v1/refunds", []string{"payment_intent=pi_1"}, 400, "resource_missing"},
		"what cannot be expanded":   {"GET", "/v1/events", []string{"expand[0]=data.colour"}, 200, nil},
	} {
		status, answer := w.ask(one.method, one.path, "", one.fields...)
		require.Equal(t, one.status, status, name)
		if status != http.StatusOK {
			require.Equal(t, one.code, code(answer), name)
			require.NotEmpty(t, answer["error"].(object)["message"], name)
		}
	}
	customer := w.must("POST", "/v1/customers")
	status, _ := w.ask("GET", "/v1/customers/"+customer["id"].(string), "", "expand[0]=colour")
	require.Equal(t, http.StatusBadRequest, status)
}

func TestAnotherKeyAndAnotherVersionAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	for _, key := range []string{"", "sk_test_other", testKey + "x"} {
		res, _ := w.raw("GET", "/v1/events", "", key)
		require.Equal(t, http.StatusUnauthorized, res.StatusCode, key)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.url+"/v1/events", nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+testKey)
	req.Header.Set("Stripe-Version", "2020-08-27")
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusBadRequest, res.StatusCode)
}

func TestAKeyRepeatsItsFirstAnswerForADay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	first, made := w.raw("POST", "/v1/customers", "key-1", testKey, "email=a@example.com")
	again, repeated := w.raw("POST", "/v1/customers", "key-1", testKey, "email=a@example.com")
	require.Equal(t, made, repeated)
	require.Empty(t, first.Header.Get("Idempotent-Replayed"))
	require.Equal(t, "true", again.Header.Get("Idempotent-Replayed"))
	status, answer := w.ask("POST", "/v1/customers", "key-1", "email=b@example.com")
	require.Equal(t, http.StatusBadRequest, status)
	require.Equal(t, "idempotency_error", answer["error"].(object)["type"])

	w.clock.Move(keyLife - time.Second)
	_, repeated = w.ask("POST", "/v1/customers", "key-1", "email=a@example.com")
	require.Equal(t, made["id"], repeated["id"])
	w.clock.Move(time.Second)
	_, another := w.ask("POST", "/v1/customers", "key-1", "email=a@example.com")
	require.NotEqual(t, made["id"], another["id"])
	w.Advance(keyLife)
	_, third := w.ask("POST", "/v1/customers", "key-1", "email=a@example.com")
	require.NotEqual(t, another["id"], third["id"])
}

func TestACustomerIsChangedByWhatIsSentAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	at := "/v1/customers/" + w.must("POST", "/v1/customers", "email=a@example.com", "name=Amara", "metadata[uid]=u1")["id"].(string)
	w.must("POST", at, "email=b@example.com", "metadata[since]=2026")
	known := w.must("GET", at)
	require.Equal(t, []any{"b@example.com", "Amara", object{"uid": "u1", "since": "2026"}}, []any{known["email"], known["name"], known["metadata"]})
	w.must("POST", at, "name=")
	require.Nil(t, w.must("GET", at)["name"])

	w.must("DELETE", at)
	status, _ := w.ask("POST", at, "", "email=c@example.com")
	require.Equal(t, http.StatusNotFound, status)
}

func TestAKeyIsFreeWhereNothingWasBegunAndTakenWhereItWas(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	status, _ := w.ask("POST", "/v1/customers", "key-1", "colour=green")
	require.Equal(t, http.StatusBadRequest, status)
	w.Fail(Fault{Kind: Down, Times: 1})
	status, _ = w.ask("POST", "/v1/customers", "key-1", "email=a@example.com")
	require.Equal(t, http.StatusInternalServerError, status)
	status, _ = w.ask("POST", "/v1/customers", "key-1", "email=a@example.com")
	require.Equal(t, http.StatusOK, status)
	w.Fail(Fault{Kind: Broken, Times: 1})
	for range 2 {
		status, _ = w.ask("POST", "/v1/customers", "key-2", "email=a@example.com")
		require.Equal(t, http.StatusInternalServerError, status)
	}
}

func TestPagesGiveEverythingOnceTheNewestFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	for i := range 7 {
		w.must("POST", "/v1/customers", fmt.Sprintf("name=%d", i))
	}
	var names []any
	fields := []string{"limit=3"}
	for {
		answer := w.must("GET", "/v1/customers", fields...)
		page := answer["data"].([]any)
		for _, one := range page {
			names = append(names, one.(object)["name"])
		}
		if answer["has_more"] == false {
			break
		}
		fields = []string{"limit=3", "starting_after=" + page[len(page)-1].(object)["id"].(string)}
	}
	require.Equal(t, []any{"6", "5", "4", "3", "2", "1", "0"}, names)
}

func TestASearchMissesWhatIsNewForAWhile(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	w.must("POST", "/v1/customers", "metadata[uid]=uid-1")
	query := "query=metadata['uid']:'uid-1'"
	require.Empty(t, w.must("GET", "/v1/customers/search", query)["data"])
	w.clock.Move(time.Minute)
	require.Len(t, w.must("GET", "/v1/customers/search", query)["data"], 1)
}

func TestWhatHappenedSurvivesARestart(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "payments.json")
	before := newWorld(t, Config{File: file})
	made := before.sold("month")
	require.NoError(t, before.Pay(made["id"].(string), Accepted))
	paidThen := before.session(made["id"])
	_, customer := before.ask("POST", "/v1/customers", "key-1", "email=a@example.com")
	require.NoError(t, before.Close())

	after := newWorld(t, Config{File: file})
	require.Equal(t, paidThen, after.session(made["id"]))
	_, again := after.ask("POST", "/v1/customers", "key-1", "email=a@example.com")
	require.Equal(t, customer, again)
	require.Equal(t, before.Events(), after.Events())
}
