package inbox

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Letter is a sample of a letter.
type Letter struct {
	Name    string `json:"name"`
	To      string `json:"to"`
	Subject string `json:"subject"`
	Text    string `json:"text"`
	HTML    string `json:"html"`
}

// Letters gives samples of every letter that the product writes.
type Letters func(ctx context.Context) ([]Letter, error)

// Samples asks a mail service for its samples of letters.
func Samples(client *http.Client, mailURL string) Letters {
	return func(ctx context.Context) ([]Letter, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, mailURL+"/preview", nil)
		if err != nil {
			return nil, err
		}
		res, err := client.Do(req)
		if err != nil {
			return nil, err
		}
		defer func() { _ = res.Body.Close() }()
		if res.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("the mail service shows no letters: %s", res.Status)
		}
		var samples struct {
			Letters []Letter `json:"letters"`
		}
		return samples.Letters, json.NewDecoder(res.Body).Decode(&samples)
	}
}

func (l Letters) handle(mux *http.ServeMux) {
	mux.HandleFunc("GET /letters", l.all(func(w http.ResponseWriter, _ *http.Request, all []Letter) {
		render(w, "letters.html", all)
	}))
	mux.HandleFunc("GET /letters/{name}", l.one(func(w http.ResponseWriter, _ *http.Request, letter shown) {
		render(w, "letter.html", letter)
	}))
	mux.HandleFunc("GET /letters/{name}/body", l.one(func(w http.ResponseWriter, r *http.Request, letter shown) {
		w.Header().Set("Content-Security-Policy", mailPolicy)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(inScheme(letter.HTML, r.URL.Query().Get("scheme"))))
	}))
}

func (l Letters) all(show func(w http.ResponseWriter, r *http.Request, all []Letter)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		all, err := l(r.Context())
		if err != nil {
			http.Error(w, "The mail service isn’t answering at the moment.", http.StatusBadGateway)
			return
		}
		show(w, r, all)
	}
}

// shown is a letter between those before and after it.
type shown struct {
	Letter
	Before, After *Letter // nil at the ends
}

func (l Letters) one(show func(w http.ResponseWriter, r *http.Request, letter shown)) http.HandlerFunc {
	return l.all(func(w http.ResponseWriter, r *http.Request, all []Letter) {
		i := slices.IndexFunc(all, func(letter Letter) bool { return letter.Name == r.PathValue("name") })
		if i < 0 {
			http.NotFound(w, r)
			return
		}
		letter := shown{Letter: all[i]}
		if i > 0 {
			letter.Before = &all[i-1]
		}
		if i+1 < len(all) {
			letter.After = &all[i+1]
		}
		show(w, r, letter)
	})
}

// inScheme is a letter as a mail program shows it whose colours are light or dark, whichever the browser's are.
func inScheme(html, scheme string) string {
	media, meta := "not all", "light"
	if scheme == "dark" {
		media, meta = "all", "dark"
	}
	return strings.NewReplacer(
		"@media (prefers-color-scheme: dark)", "@media "+media,
		"color-scheme: light dark;", "color-scheme: "+meta+";", `content="light dark"`, `content="`+meta+`"`,
	).Replace(html)
}
