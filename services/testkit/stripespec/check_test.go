package stripespec

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const goodPrice = `{"id":"price_1","object":"price","active":true,"billing_scheme":"per_unit","created":1,"currency":"gbp","livemode":false,` +
	`"metadata":{"a":"b"},"product":"prod_1","type":"one_time","unit_amount":100}`

func TestAnswersThatDriftAreFound(t *testing.T) {
	t.Parallel()
	d, err := described()
	require.NoError(t, err)
	r := httptest.NewRequest(http.MethodGet, "/v1/prices/price_1", nil)
	require.NoError(t, d.answer(r, http.StatusOK, []byte(goodPrice)))
	for name, change := range map[string][2]string{
		"an invented field":      {`"active"`, `"colour":"green","active"`},
		"a missing field":        {`"active":true,`, ``},
		"a wrong type":           {`"active":true`, `"active":"yes"`},
		"a fraction":             {`"unit_amount":100`, `"unit_amount":100.5`},
		"a word of none":         {`"one_time"`, `"sometimes"`},
		"null where none may be": {`"currency":"gbp"`, `"currency":null`},
		"an object for a text":   {`"currency":"gbp"`, `"currency":{}`},
		"a list for an object":   {`"metadata":{"a":"b"}`, `"metadata":[]`},
		"a number for a text":    {`"metadata":{"a":"b"}`, `"metadata":{"a":1}`},
		"another thing":          {`"product":"prod_1"`, `"product":{"id":"prod_1","object":"product"}`},
	} {
		changed := strings.Replace(goodPrice, change[0], change[1], 1)
		require.NotEqual(t, goodPrice, changed, name)
		require.True(t, json.Valid([]byte(changed)), name)
		require.Error(t, d.answer(r, http.StatusOK, []byte(changed)), name)
	}
}

func TestRequestsThatDriftAreFound(t *testing.T) {
	t.Parallel()
	d, err := described()
	require.NoError(t, err)
	for form, good := range map[string]bool{
		"email=a%40example.com&metadata[uid]=1": true, "colour=green": false, "metadata=x": false, "shipping[name]=x": false,
	} {
		r := httptest.NewRequest(http.MethodPost, "/v1/customers", strings.NewReader(form))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		require.Equal(t, good, d.request(r) == nil, form)
	}
}

func TestAnErrorAndAnEventAreHeldAgainstTheirKind(t *testing.T) {
	t.Parallel()
	d, err := described()
	require.NoError(t, err)
	r := httptest.NewRequest(http.MethodGet, "/v1/events/evt_1", nil)
	require.NoError(t, d.answer(r, http.StatusNotFound, []byte(`{"error":{"type":"invalid_request_error","message":"No."}}`)))
	require.Error(t, d.answer(r, http.StatusNotFound, []byte(`{"error":{"type":"made_up"}}`)))
	event := `{"id":"evt_1","object":"event","api_version":null,"created":1,"livemode":false,"pending_webhooks":0,"type":"price.created",` +
		`"request":null,"data":{"object":` + goodPrice + `}}`
	require.NoError(t, d.answer(r, http.StatusOK, []byte(event)))
	require.Error(t, d.answer(r, http.StatusOK, []byte(strings.Replace(event, `"active"`, `"colour":1,"active"`, 1))))
}
