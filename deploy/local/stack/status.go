package stack

import (
	"context"
	_ "embed"
	"errors"
	"html/template"
	"net/http"
	"os"
	"time"

	"github.com/jackc/pgx/v5"

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
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", statusPolicy)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		if err := statusPage.Execute(w, s.status(r.Context())); err != nil {
			http.Error(w, "the page could not be shown", http.StatusInternalServerError)
		}
	})
	mux.HandleFunc("GET /page.css", inbox.Stylesheet)
	return s.servePage(ctx, "status", inbox.OnlyLocalhost(mux))
}

// narrated is how many of the articles and meditations have their narration, of those that shall have one.
type narrated struct{ Done, All int }

// narratedTime bounds the question to content's database: a page is shown without the figure rather than late.
const narratedTime = time.Second

func (s *Stack) narrated(ctx context.Context) (n narrated, err error) {
	ctx, cancel := context.WithTimeout(ctx, narratedTime)
	defer cancel()
	url, err := s.DatabaseURL("content")
	if err != nil {
		return n, err
	}
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return n, err
	}
	err = conn.QueryRow(ctx, "SELECT count(*) FILTER (WHERE state = 'done'), count(*) FROM narrations").Scan(&n.Done, &n.All)
	return n, errors.Join(err, conn.Close(ctx))
}

func (s *Stack) status(ctx context.Context) map[string]any {
	narrated, _ := s.narrated(ctx) // zero, which is not shown, while the database is away
	s.mu.Lock()
	defer s.mu.Unlock()
	rows := make([]row, len(s.parts))
	for i, p := range s.parts {
		rows[i] = row{Name: p.name, Address: p.address, Up: p.up()}
	}
	return map[string]any{
		"Product": s.URL(), "Inbox": s.InboxURL(), "Data": s.options.DataDir, "Parts": rows,
		"Narrated": narrated, "Since": s.started.Format("15:04:05"), "For": time.Since(s.started).Round(time.Second), "Pid": os.Getpid(),
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
