package page

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"serein.app/services/platform/deadline"
)

// beginTime bounds what a member's page waits for its first answers: without them it shows how it begins, and the app asks.
var beginTime = deadline.Of(300 * time.Millisecond)

// answersBlock ends the boot block and begins the block of answers, which the document ends.
const answersBlock = `</script><script type="application/json" id="page">`

// begun is the block that the app reads (frontend/src/data/keep-answer.ts).
type begun struct {
	Page string `json:"page"`
	// Answers, one for each of the page's questions; null for one that did not come in time.
	Answers []json.RawMessage `json:"answers"`
}

// begin answers a page with what it asks for first, in the caller's name.
func (s *Site) begin(w http.ResponseWriter, r *http.Request, caller Caller, p *Page) {
	block := escapeForScript(caller.Boot(r.Context()))
	if first, err := json.Marshal(begun{p.Path, firstAnswers(r.Context(), caller, p)}); err == nil {
		block = slices.Concat(block, []byte(answersBlock), escapeForScript(first))
	}
	s.documents[p.HTML].send(w, r, http.StatusOK, block)
}

// firstAnswers are what the caller is answered within beginTime.
func firstAnswers(ctx context.Context, caller Caller, p *Page) []json.RawMessage {
	ctx, cancel := context.WithTimeout(ctx, beginTime)
	defer cancel()
	out := make([]json.RawMessage, len(p.Answers))
	for i, ask := range p.Answers {
		answer, err := caller.Own(ctx, Question{RPC: ask.RPC, Request: ask.Request, Path: p.Path})
		if err != nil || answer == nil {
			continue
		}
		if message, err := protojson.Marshal(answer.Message); err == nil {
			out[i] = message
		}
	}
	return out
}

// checkAnswers refuses a page that begins with what answers no page, and one of somebody's own that visitors may open.
func (p *Page) checkAnswers(answers map[string]proto.Message) error {
	for _, ask := range p.Answers {
		if answers[ask.RPC] == nil || p.Access == Everyone {
			return fmt.Errorf("%s: %s: a page that %s may open cannot begin with %q", manifestFile, p.Path, p.Access, ask.RPC)
		}
	}
	return nil
}

// shows says whether the address is one of this document's: never on a page without a variant.
func (v *Variant) shows(address *url.URL) bool {
	if v == nil || address.RawQuery == "" {
		return false
	}
	given := address.Query()
	return slices.ContainsFunc(v.Query, func(name string) bool { return given.Get(name) != "" })
}
