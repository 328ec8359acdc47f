package login

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"
	"net/url"

	"serein.app/services/platform/errs"
	"serein.app/services/platform/guard"
)

// Files under /auth/ that the pages use. Small and not hashed, so they are asked for each time.
//
//go:embed static
var static embed.FS

var pages = template.Must(template.ParseFS(static, "static/*.tmpl"))

// pagePolicy lets these pages use the two files above and nothing else.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

var staticTypes = map[string]string{
	"page.css":  "text/css; charset=utf-8",
	"signed.js": "text/javascript; charset=utf-8",
}

// Static answers GET /auth/{file}.
func Static(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	kind, ok := staticTypes[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	body, err := static.ReadFile("static/" + name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write(body) //nolint:gosec // one of the two embedded files
}

// writeDone is the popup's last page: its script notifies the opener and closes the popup.
func writeDone(w http.ResponseWriter, back returnTarget) {
	writePage(w, http.StatusOK, "done.tmpl", back)
}

// writeQuestion asks a person whom another site sent here whether they want to sign in.
func writeQuestion(w http.ResponseWriter, to string) {
	writePage(w, http.StatusOK, "question.tmpl", returnTarget{To: to})
}

// WriteFault is the plain page of a sign-in that did not work, with a way back.
func WriteFault(w http.ResponseWriter, back returnTarget, e *errs.Error) {
	writePage(w, statusOf(e.Kind), "fault.tmpl", map[string]any{
		"Sentence": e.Public, "Again": back.SignIn(), "Reason": e.Word(),
	})
}

// SignIn is the address that begins an attempt which returns there.
func (back returnTarget) SignIn() string {
	query := url.Values{}
	if back.To != "" && back.To != "/" {
		query.Set("return_to", back.To)
	}
	if back.Popup {
		query.Set("popup", "1")
	}
	return (&url.URL{Path: "/auth/sign-in", RawQuery: query.Encode()}).String()
}

// WriteTooMany is the page that refuses a request over any rate limit.
func WriteTooMany(w http.ResponseWriter, e *errs.Error) {
	w.Header().Set("Retry-After", guard.RetryAfter(e))
	writePage(w, http.StatusTooManyRequests, "busy.tmpl", map[string]any{"Sentence": e.Public})
}

func statusOf(kind errs.Kind) int {
	switch kind { //nolint:exhaustive // a sign-in fails in these ways only
	case errs.Exhausted:
		return http.StatusTooManyRequests
	case errs.Invalid:
		return http.StatusBadRequest
	case errs.Forbidden:
		return http.StatusForbidden
	case errs.Unavailable:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

func writePage(w http.ResponseWriter, status int, name string, data any) {
	var page bytes.Buffer
	if err := pages.ExecuteTemplate(&page, name, data); err != nil {
		http.Error(w, errs.ErrInternal.Public, http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", pagePolicy)
	w.WriteHeader(status)
	_, _ = w.Write(page.Bytes()) // fails only where the browser has gone
}
