package stack

import (
	"context"
	_ "embed"
	"html/template"
	"net/http"
	"os"
	"time"

	"serein.app/deploy/local/inbox"
)

//go:embed status.html
var statusHTML string

var statusPage = template.Must(template.New("status").Parse(statusHTML))

// statusPolicy: the page brings one stylesheet and nothing else.
const statusPolicy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// row is a part as the status page shows it.
type row struct {
	Name, Address string
	Up            bool
}

func (s *Stack) startStatus(ctx context.Context) (running, error) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Security-Policy", statusPolicy)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		if err := statusPage.Execute(w, s.status()); err != nil {
			http.Error(w, "the page could not be shown", http.StatusInternalServerError)
		}
	})
	mux.HandleFunc("GET /page.css", inbox.Stylesheet)
	return s.servePage(ctx, "status", inbox.OnlyLocalhost(mux))
}

func (s *Stack) status() map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	rows := make([]row, len(s.parts))
	for i, p := range s.parts {
		rows[i] = row{Name: p.name, Address: p.address, Up: p.up()}
	}
	return map[string]any{
		"Product": s.URL(), "Inbox": s.InboxURL(), "Data": s.options.DataDir, "Parts": rows,
		"Since": s.started.Format("15:04:05"), "For": time.Since(s.started).Round(time.Second), "Pid": os.Getpid(),
	}
}

func (p *part) up() bool {
	live := p.now()
	select {
	case <-live.done:
		return false
	default:
		return live.done != nil
	}
}
