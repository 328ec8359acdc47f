package inbox

import (
	"embed"
	"encoding/json"
	"html/template"
	"net/http"
	"net/url"
	"time"
)

//go:embed page.html message.html letters.html letter.html page.css
var assets embed.FS

var pages = template.Must(template.New("").Funcs(template.FuncMap{
	"when": func(t time.Time) string { return t.Local().Format("Monday 2 January, 15:04") },
}).ParseFS(assets, "page.html", "message.html", "letters.html", "letter.html"))

// policy allows the page's own stylesheet and the framed mail. A mail's inline styles are
// allowed inside its frame, scripts nowhere.
const (
	policy     = "default-src 'none'; style-src 'self'; frame-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	mailPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; sandbox allow-popups allow-popups-to-escape-sandbox; frame-ancestors 'self'"
)

// Handler shows the box: / and /messages/{id} for people, /api/messages for programs
// (?to=ADDRESS narrows it). /letters shows samples of every letter there is, as letters gives them.
func Handler(box *Box, letters Letters) http.Handler {
	mux := http.NewServeMux()
	letters.handle(mux)
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		render(w, "page.html", box.Messages(""))
	})
	mux.HandleFunc("GET /messages/{id}", func(w http.ResponseWriter, r *http.Request) {
		m, ok := box.Message(r.PathValue("id"))
		if !ok {
			http.NotFound(w, r)
			return
		}
		render(w, "message.html", m)
	})
	mux.HandleFunc("GET /messages/{id}/body", func(w http.ResponseWriter, r *http.Request) {
		m, ok := box.Message(r.PathValue("id"))
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Security-Policy", mailPolicy)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(m.HTML))
	})
	mux.HandleFunc("GET /api/messages", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		_ = json.NewEncoder(w).Encode(map[string]any{"messages": box.Messages(r.URL.Query().Get("to"))})
	})
	mux.HandleFunc("GET /page.css", Stylesheet)
	return OnlyLocalhost(mux)
}

// OnlyLocalhost answers requests for a name that somebody else points at this machine with 421: a
// page on the web could read a developer's mails and codes through it.
func OnlyLocalhost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch (&url.URL{Host: r.Host}).Hostname() {
		case "localhost", "127.0.0.1", "::1":
			next.ServeHTTP(w, r)
		default:
			http.Error(w, http.StatusText(http.StatusMisdirectedRequest), http.StatusMisdirectedRequest)
		}
	})
}

// Stylesheet is shared with the status page.
func Stylesheet(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, assets, "page.css") }

func render(w http.ResponseWriter, name string, data any) {
	w.Header().Set("Content-Security-Policy", policy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if err := pages.ExecuteTemplate(w, name, data); err != nil {
		http.Error(w, "the page could not be shown", http.StatusInternalServerError)
	}
}
