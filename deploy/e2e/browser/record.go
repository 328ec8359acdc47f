package browser

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/network"
)

// record is what a tab remembers for the report of a fault.
type record struct {
	began time.Time

	mu       sync.Mutex
	steps    []*stepTaken
	console  []string
	requests map[network.RequestID]*request
	address  string
}

// stepTaken is one step of a test.
type stepTaken struct {
	what     string
	at, took time.Duration
	ended    bool
	// note says what was odd about it.
	note string
}

const (
	mostSteps    = 20
	mostMessages = 20
)

func newRecord() *record {
	return &record{began: time.Now(), requests: map[network.RequestID]*request{}}
}

// begin remembers a step until twenty others have followed.
func (r *record) begin(what string) (ended func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	taken := &stepTaken{what: head(what, 160), at: time.Since(r.began)}
	r.steps = last(append(r.steps, taken), mostSteps)
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		taken.took, taken.ended = time.Since(r.began)-taken.at, true
	}
}

// note adds to the step that is under way.
func (r *record) note(words string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.steps) > 0 {
		r.steps[len(r.steps)-1].note = " [" + head(words, 160) + "]"
	}
}

// says remembers an error of the console.
func (r *record) says(words string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.console = last(append(r.console, head(words, 300)), mostMessages)
}

// page is where the page was when it last said so.
func (r *record) page() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.address
}

// String is the report: steps, what was asked for and has no answer, and errors of the console.
func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var b strings.Builder
	for _, s := range r.steps {
		took := s.took
		if !s.ended {
			took = time.Since(r.began) - s.at
		}
		fmt.Fprintf(&b, "  %.1fs %s (%.1fs)%s\n", s.at.Seconds(), s.what, took.Seconds(), s.note)
	}
	return "last steps:\n" + tail(b.String(), 1800) +
		"requests without an answer:\n" + head(r.unanswered(), 1200) +
		"console errors:\n" + tail(lines(r.console), 900)
}

func lines(texts []string) string {
	var b strings.Builder
	for _, text := range texts {
		b.WriteString("  " + text + "\n")
	}
	return b.String()
}

// head keeps the beginning of a text that is longer than so many bytes, and tail its end.
func head(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

func tail(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return "…" + strings.ToValidUTF8(text[len(text)-most:], "")
}

// last keeps the last ones.
func last[T any](all []T, most int) []T {
	return slices.Delete(all, 0, max(0, len(all)-most))
}
