package paymentsandbox

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// object is a thing as Stripe shows it.
type object = map[string]any

// call is a request of the API.
type call struct {
	*params
	path string // the id in the path; empty for none
	host string // where the caller reached the sandbox
}

// endpoint answers one kind of request. The state is its own meanwhile.
type endpoint func(*call) (object, error)

// endpoints are all that is spoken.
func (s *Sandbox) endpoints() map[string]endpoint {
	return map[string]endpoint{
		"POST /v1/products":                            s.createProduct,
		"GET /v1/products/{id}":                        s.product,
		"POST /v1/products/{id}":                       s.updateProduct,
		"POST /v1/prices":                              s.createPrice,
		"GET /v1/prices":                               s.listPrices,
		"GET /v1/prices/{id}":                          s.price,
		"POST /v1/customers":                           s.createCustomer,
		"GET /v1/customers":                            s.listCustomers,
		"GET /v1/customers/search":                     s.searchCustomers,
		"GET /v1/customers/{id}":                       s.customer,
		"POST /v1/customers/{id}":                      s.updateCustomer,
		"DELETE /v1/customers/{id}":                    s.deleteCustomer,
		"POST /v1/customers/{id}/balance_transactions": s.adjustBalance,
		"GET /v1/customers/{id}/balance_transactions":  s.listAdjustments,
		"POST /v1/coupons":                             s.createCoupon,
		"GET /v1/coupons/{id}":                         s.coupon,
		"POST /v1/promotion_codes":                     s.createCode,
		"GET /v1/promotion_codes":                      s.listCodes,
		"GET /v1/promotion_codes/{id}":                 s.promotionCode,
		"POST /v1/promotion_codes/{id}":                s.updateCode,
		"POST /v1/checkout/sessions":                   s.createSession,
		"GET /v1/checkout/sessions":                    s.listSessions,
		"GET /v1/checkout/sessions/{id}":               s.session,
		"GET /v1/checkout/sessions/{id}/line_items":    s.listLines,
		"POST /v1/checkout/sessions/{id}/expire":       s.expireSession,
		"GET /v1/subscriptions":                        s.listSubscriptions,
		"GET /v1/subscriptions/{id}":                   s.subscription,
		"POST /v1/subscriptions/{id}":                  s.updateSubscription,
		"DELETE /v1/subscriptions/{id}":                s.cancelSubscription,
		"GET /v1/invoices":                             s.listInvoices,
		"POST /v1/invoices/create_preview":             s.previewInvoice,
		"GET /v1/invoices/{id}":                        s.invoice,
		"POST /v1/invoices/{id}/pay":                   s.payInvoice,
		"GET /v1/payment_methods/{id}":                 s.paymentMethod,
		"GET /v1/payment_intents/{id}":                 s.payment,
		"GET /v1/charges/{id}":                         s.charge,
		"POST /v1/refunds":                             s.createRefund,
		"GET /v1/refunds":                              s.listRefunds,
		"GET /v1/disputes/{id}":                        s.dispute,
		"GET /v1/disputes":                             s.listDisputes,
		"POST /v1/billing_portal/sessions":             s.createPortal,
		"GET /v1/events":                               s.listEvents,
		"GET /v1/events/{id}":                          s.event,
	}
}

func (s *Sandbox) handler() http.Handler {
	mux := http.NewServeMux()
	for pattern, answers := range s.endpoints() {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { s.api(w, r, answers) })
	}
	mux.HandleFunc("/v1/", func(w http.ResponseWriter, r *http.Request) {
		write(w, fail(&apiError{
			status: http.StatusNotFound, Type: invalidRequest,
			Message: "Unrecognized request URL (" + r.Method + ": " + r.URL.Path + ").", //nolint:misspell // Stripe's word
		}))
	})
	s.pages(mux)
	s.controls(mux)
	return mux
}

// maxBody of a request, in bytes.
const maxBody = 1 << 20

func (s *Sandbox) api(w http.ResponseWriter, r *http.Request, answers endpoint) {
	w.Header().Set("Request-Id", newID("req"))
	w.Header().Set("Stripe-Version", APIVersion)
	if err := s.admit(r); err != nil {
		write(w, fail(err))
		return
	}
	form, err := readForm(w, r)
	if err != nil {
		write(w, fail(invalid("", "", "The body cannot be read.")))
		return
	}
	fault := s.fault(r)
	if fault.before(w, r) {
		return
	}
	given, replayed := s.answerOnce(r, form, fault, answers)
	fault.after(w)
	if replayed {
		w.Header().Set("Idempotent-Replayed", "true")
	}
	write(w, given)
}

// admit lets in who has the key and speaks the version.
func (s *Sandbox) admit(r *http.Request) error {
	key, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		key, _, _ = r.BasicAuth()
	}
	if key != s.config.Key {
		return &apiError{status: http.StatusUnauthorized, Type: invalidRequest, Message: "Invalid API Key provided."}
	}
	if version := r.Header.Get("Stripe-Version"); version != "" && version != APIVersion {
		return invalid("", "", "Invalid Stripe API version: "+version)
	}
	return nil
}

// readForm is the body of a POST; all else sends its parameters in the address.
func readForm(w http.ResponseWriter, r *http.Request) (url.Values, error) {
	if r.Method != http.MethodPost {
		return url.ParseQuery(r.URL.RawQuery)
	}
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return nil, err
	}
	return url.ParseQuery(string(raw))
}

// answer is the status and the body of an answer, as an idempotency key repeats it.
type answer struct {
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body"`
	// Asked and At say to what it was the answer, and when.
	Asked string `json:"asked"`
	At    int64  `json:"at"`
}

// do lets an endpoint answer, with what the caller wants to see in full.
func (s *Sandbox) do(r *http.Request, form url.Values, answers endpoint) *answer {
	c := &call{params: newParams(form), path: r.PathValue("id"), host: r.Host}
	expansions := c.texts("expand")
	given, err := answers(c)
	if err == nil {
		err = s.expand(given, expansions)
	}
	if err != nil {
		return fail(err)
	}
	return &answer{Status: http.StatusOK, Body: encode(given)}
}

func fail(err error) *answer {
	var told *apiError
	if !errors.As(err, &told) {
		told = &apiError{status: http.StatusInternalServerError, Type: "api_error", Message: err.Error()}
	}
	return &answer{Status: told.status, Body: encode(object{"error": told})}
}

func encode(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // maps, texts and numbers alone
	}
	return raw
}

func write(w http.ResponseWriter, a *answer) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(a.Status)
	_, _ = w.Write(a.Body) //nolint:gosec // JSON, said to be JSON
}
