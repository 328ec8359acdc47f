// Package preview shows all letters as somebody could get them, on a developer's machine: what was really written is erased when it
// is sent, so these are the samples that the tests agree upon.
package preview

import (
	"encoding/json"
	"net/http"

	"serein.app/services/mail/internal/letters"
)

// Letter is one of them.
type Letter struct {
	Name    string `json:"name"`
	To      string `json:"to"`
	Subject string `json:"subject"`
	Text    string `json:"text"`
	HTML    string `json:"html"`
}

// Handler answers {"letters": [Letter …]}.
func Handler(composer *letters.Composer) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		var all []Letter
		for _, s := range letters.Samples() {
			s.Letter.UID = sampleMember
			content, err := composer.Compose(s.Letter)
			if err != nil {
				http.Error(w, s.Name+" cannot be written", http.StatusInternalServerError)
				return
			}
			all = append(all, Letter{s.Name, s.Letter.To, content.Subject, content.Text, content.HTML})
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		_ = json.NewEncoder(w).Encode(map[string]any{"letters": all})
	})
}

// sampleMember is nobody's uid.
const sampleMember = "00000000-0000-4000-8000-000000000000"
