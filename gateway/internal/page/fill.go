package page

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"
	"time"

	"golang.org/x/sync/singleflight"
	"google.golang.org/protobuf/proto"

	"serein.app/services/platform/cached"
	"serein.app/services/platform/contentage"
	"serein.app/services/platform/deadline"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/rpc"
)

const (
	// fresh is how long a copy is shown without another question.
	fresh = 5 * time.Second
	// stale is how long a copy is still shown while the next is on its way. After that readers wait for the answer; if none comes, they
	// get the last good copy.
	stale = time.Minute
	// pause is how long nobody is asked for a page after no answer came.
	pause = 2 * time.Second
	// mostCopies bounds the copies; some 40 KB each. The least recently shown makes room.
	mostCopies = 1000
)

// AnswerTime bounds what a page waits for its answer.
var AnswerTime = deadline.Of(time.Second)

// copies are the filled pages as everybody gets them, by address.
type copies struct {
	log    *slog.Logger
	now    func() time.Time
	known  *cached.Map[string, *filled]
	asking singleflight.Group
	count  *counts
	// away are the RPCs, and the single addresses, that nobody is asked for before their pause is over.
	away *cached.Map[string, struct{}]
}

// filled is a page with its answer. It is never changed.
type filled struct {
	document
	path    string // its own address
	former  bool   // it was asked for by another address, which leads here; there is nothing of the page
	message proto.Message
	asked   time.Time
	asOf    time.Time // when the answer was true, where it says so
}

func newCopies(count *counts, log *slog.Logger, now func() time.Time) *copies {
	return &copies{
		count: count, log: log, now: now,
		known: cached.NewMap[string, *filled](mostCopies, now), away: cached.NewMap[string, struct{}](mostCopies, now),
	}
}

// fill answers a page that shows content to somebody who may open it: members with their own, everybody else with the shared copy. Without an
// answer and without a copy it is the frame, and the app asks for itself.
func (s *Site) fill(w http.ResponseWriter, r *http.Request, caller Caller, p *Page) {
	filter, known := p.filterIn(r.URL)
	if !known {
		s.html(w, r, caller, http.StatusOK, indexFile)
		return
	}
	q := p.question(r.URL.Path, filter)
	shown, err := s.own(r.Context(), caller, p, q)
	if shown == nil && errs.KindOf(err) != errs.NotFound {
		shown, err = s.copies.get(r.Context(), caller, q, func(a *Answer) (*filled, error) { return s.filledWith(p, q, a) })
	}
	switch {
	case shown != nil && shown.former:
		to := url.URL{Path: shown.path, RawQuery: r.URL.RawQuery}
		http.Redirect(w, r, to.String(), http.StatusMovedPermanently)
	case shown != nil:
		s.copies.date(w.Header(), shown)
		shown.send(w, r, http.StatusOK, escapeForScript(caller.Boot(r.Context())))
	case errs.KindOf(err) == errs.NotFound:
		s.notFound(w, r, caller)
	default:
		s.html(w, r, caller, http.StatusOK, indexFile)
	}
}

// date writes a page's age into the header, if the service said how old its answer is, or if the copy is due for another question.
func (c *copies) date(header http.Header, shown *filled) {
	now, asOf := c.now(), shown.asOf
	if asOf.IsZero() {
		asOf = shown.asked
	}
	age := now.Sub(asOf)
	c.count.shown(now, age)
	if !shown.asOf.IsZero() || age >= fresh {
		contentage.Set(header, age)
	}
}

// mostFilter is how long the value of a filter is at most, in bytes: that of an id.
const mostFilter = 64

// filterIn is what the address filters the page by, empty for nothing. It answers false where only the app can show it: a list
// that is searched, or filtered by more than one.
func (p *Page) filterIn(address *url.URL) (value string, known bool) {
	if address.RawQuery == "" {
		return "", true
	}
	query := address.Query()
	for _, name := range p.Template.Query {
		switch given := query[name]; {
		case len(given) == 0 || given[0] == "":
		case p.Template.Filter == nil || p.Template.Filter.Name != name || len(given) > 1 || len(given[0]) > mostFilter:
			return "", false
		default:
			value = given[0]
		}
	}
	return value, true
}

// question is what this page's answer is asked for with.
func (p *Page) question(path, filter string) Question {
	q := Question{RPC: p.Template.RPC, Request: p.Template.Request, Path: path, Filter: filter, Entitlement: p.Entitlement}
	params := p.params(path)
	if len(params) == 0 && filter == "" {
		return q
	}
	q.Request = map[string]string{}
	if filter != "" {
		name := p.Template.Filter.Name
		q.Request[name] = filter
		q.Path += "?" + url.Values{name: {filter}}.Encode()
	}
	for name, value := range p.Template.Request {
		if param, ok := strings.CutPrefix(value, ":"); ok {
			value = params[param]
		}
		q.Request[name] = value
	}
	return q
}

// own is the page as the signed-in caller gets it; nil for everybody else.
func (s *Site) own(ctx context.Context, caller Caller, p *Page, q Question) (*filled, error) {
	answer, err := caller.Own(ctx, q)
	if err != nil || answer == nil {
		return nil, err
	}
	answer.own = true
	out, err := s.filledWith(p, q, answer)
	if err == nil {
		out.asked = s.copies.now()
	}
	return out, err
}

// filledWith fills the page with an answer; not where the address only leads to the page.
func (s *Site) filledWith(p *Page, q Question, a *Answer) (*filled, error) {
	if strings.Contains(p.Path, ":") && a.Path != q.Path {
		return &filled{path: a.Path, former: true}, nil
	}
	a.filter = q.Filter
	file := p.HTML
	if q.Filter != "" {
		file = p.Template.Filter.HTML
	}
	html, err := s.templates[file].fill(a, cmp.Or(a.Title, p.Title), cmp.Or(a.Description, p.Description))
	if err != nil {
		return nil, err
	}
	out := &filled{path: a.Path, message: a.Message, asOf: a.AsOf}
	// The scripts of every page are those of index.html; what an answer holds is none.
	out.policy = s.documents[indexFile].policy
	out.before, out.after, err = splitAtBoot(html)
	if !a.own {
		out.packing = new(packing)
	}
	return out, err
}

// get answers the shared copy of a page. Errors: those of Caller.Answer, where there is no copy.
func (c *copies) get(ctx context.Context, caller Caller, q Question, fill func(*Answer) (*filled, error)) (*filled, error) {
	now := c.now()
	last, _ := c.known.Get(q.Path)
	isAway := c.isAway(q)
	switch {
	case last != nil && (isAway || now.Sub(last.asked) < fresh):
		return last, nil
	case isAway:
		return nil, errNoAnswer
	}
	asked := c.asking.DoChan(q.Path, func() (any, error) { return c.safely(ctx, caller, q, last, fill) })
	if last != nil && now.Sub(last.asked) < stale {
		return last, nil
	}
	ctx, cancel := context.WithTimeout(ctx, AnswerTime)
	defer cancel()
	select {
	case result := <-asked:
		next, _ := result.Val.(*filled)
		return next, result.Err
	case <-ctx.Done():
		if last != nil {
			return last, nil
		}
		return nil, context.Cause(ctx)
	}
}

// safely is ask, in which a panic is a failure and not the end of the process: no handler is above it.
func (c *copies) safely(ctx context.Context, caller Caller, q Question, last *filled, fill func(*Answer) (*filled, error)) (next *filled, err error) {
	defer func() {
		if p := recover(); p != nil {
			c.count.failed(ctx, q.RPC, "unfilled")
			c.log.ErrorContext(ctx, "a page cannot be filled", "rpc", q.RPC, "error", fmt.Errorf("panicked: %v\n%s", p, debug.Stack()))
			next, err = last, errUnless(last, errNoAnswer)
		}
	}()
	return c.ask(ctx, caller, q, last, fill)
}

// ask requests the page again. A copy whose answer has not changed stays, and without an answer the last copy stays. Redirecting
// addresses are not copied: there are more of them than copies.
func (c *copies) ask(ctx context.Context, caller Caller, q Question, last *filled, fill func(*Answer) (*filled, error)) (*filled, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), AnswerTime)
	defer cancel()
	asked := c.now()
	answer, err := caller.Answer(ctx, q)
	if errs.KindOf(err) == errs.NotFound {
		c.known.Drop(q.Path)
		return nil, err
	}
	if err != nil {
		c.count.failed(ctx, q.RPC, "unanswered")
		c.log.WarnContext(ctx, "a page has no new answer", "rpc", q.RPC, "copy", last != nil, "error", err)
		c.away.Put(culprit(q, err), struct{}{}, c.now().Add(pause))
		return last, errUnless(last, err)
	}
	if last != nil && proto.Equal(last.message, answer.Message) && last.path == answer.Path {
		next := &filled{document: last.document, path: last.path, message: last.message, asked: asked, asOf: answer.AsOf}
		c.known.Keep(q.Path, next)
		return next, nil
	}
	next, err := fill(answer)
	if err != nil {
		c.count.failed(ctx, q.RPC, "unfilled")
		c.log.ErrorContext(ctx, "a page cannot be filled", "rpc", q.RPC, "error", err)
		return last, errUnless(last, err)
	}
	if next.former {
		c.known.Drop(q.Path)
		return next, nil
	}
	next.asked = asked
	c.known.Keep(q.Path, next)
	return next, nil
}

// isAway says whether the question waits for the end of a pause.
func (c *copies) isAway(q Question) bool {
	_, all := c.away.Get(q.RPC)
	_, page := c.away.Get(q.Path)
	return all || page
}

// culprit is what is left alone after an error: all pages of an RPC that is away, slow or busy, else this page alone. The
// pages of others go on.
func culprit(q Question, err error) string {
	switch rpc.Declared(err).Kind {
	case errs.Unavailable, errs.DeadlineExceeded, errs.Exhausted:
		return q.RPC
	default:
		return q.Path
	}
}

func errUnless(last *filled, err error) error {
	if last != nil {
		return nil
	}
	return err
}
