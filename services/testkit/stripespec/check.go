package stripespec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stripe/stripe-mock/spec"
)

// Check answers as next does, and fails the test where a request that next took, or an answer that it gave, is not by the
// description. Paths outside /v1 are let pass.
func Check(tb testing.TB, next http.Handler) http.Handler {
	tb.Helper()
	d, err := described()
	if err != nil {
		tb.Fatal(err)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/v1/") {
			next.ServeHTTP(w, r)
			return
		}
		asked, err := io.ReadAll(r.Body)
		if err != nil {
			tb.Errorf("%s %s: %v", r.Method, r.URL.Path, err)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(asked))
		given := httptest.NewRecorder()
		defer func() {
			if cut := recover(); cut != nil {
				copyTo(w, given)
				_ = http.NewResponseController(w).Flush()
				panic(cut) // next ended the connection
			}
		}()
		next.ServeHTTP(given, r)
		if given.Code < http.StatusBadRequest {
			r.Body = io.NopCloser(bytes.NewReader(asked))
			if err := d.request(r); err != nil {
				tb.Errorf("%s %s was taken, but is not by the description: %v", r.Method, r.URL.Path, err)
			}
		}
		if err := d.answer(r, given.Code, given.Body.Bytes()); err != nil {
			tb.Errorf("the answer to %s %s is not by the description: %v", r.Method, r.URL.Path, err)
		}
		copyTo(w, given)
	})
}

func copyTo(w http.ResponseWriter, given *httptest.ResponseRecorder) {
	maps.Copy(w.Header(), given.Header())
	w.WriteHeader(given.Code)
	_, _ = w.Write(given.Body.Bytes())
}

// request asks the stub, which looks at names, types and what is required.
func (d *description) request(r *http.Request) error {
	judged := httptest.NewRecorder()
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer sk_test_123") // the stub's idea of a key is narrow
	d.stub.HandleRequest(judged, r)
	if judged.Code != http.StatusOK {
		return fmt.Errorf("%d %s", judged.Code, judged.Body)
	}
	return nil
}

func (d *description) answer(r *http.Request, status int, body []byte) error {
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return err
	}
	if status >= http.StatusBadRequest {
		return d.value("", d.spec.Components.Schemas["error"], value)
	}
	operation := d.operation(r)
	if operation == nil {
		return errors.New("no such path")
	}
	return d.value("", operation.Responses["200"].Content["application/json"].Schema, value)
}

var placeholder = regexp.MustCompile(`\{[^/]+\}`)

// operation prefers the path with the fewest placeholders: /customers/search is no customer.
func (d *description) operation(r *http.Request) (found *spec.Operation) {
	fewest := -1
	for path, verbs := range d.spec.Paths {
		operation := verbs[spec.HTTPVerb(strings.ToLower(r.Method))]
		if operation == nil {
			continue
		}
		pattern := placeholder.ReplaceAllString(string(path), "[^/]+")
		n := strings.Count(string(path), "{")
		if regexp.MustCompile("^"+pattern+"$").MatchString(r.URL.Path) && (fewest < 0 || n < fewest) {
			found, fewest = operation, n
		}
	}
	return found
}
