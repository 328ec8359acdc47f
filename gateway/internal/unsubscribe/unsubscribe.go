// Package unsubscribe serves the link at the foot of a letter: a page that asks, and the button's or the mail program's request (RFC
// 8058) that ends such letters at once. Only mail knows which letters a link is for.
//
// It checks no session and requires no header of our pages: a person with the link can end those letters, and do nothing else. Opening
// the link changes nothing, since scanners of mail follow links. The link's secret is written to no log and sent to no other page.
package unsubscribe

import (
	"bytes"
	"context"
	"embed"
	"html/template"
	"log/slog"
	"net/http"
	"time"
	"unicode/utf8"

	mailv1 "serein.app/proto/gen/serein/mail/v1"
	"serein.app/proto/gen/serein/mail/v1/mailv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/deadline"
	"serein.app/services/platform/errs"
)

// Path is where the links lead.
const Path = "/unsubscribe/{token}"

const (
	// maxToken is above the longest token, in bytes.
	maxToken = 512
	// policy lets the pages use their style and send their one form.
	policy = "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)

// callTime bounds the question for what a link stands for.
var callTime = deadline.Of(5 * time.Second)

//go:embed static
var static embed.FS

var pages = template.Must(template.ParseFS(static, "static/*.tmpl"))

// words are what a kind of letters is called: "You won’t get any more …".
var words = map[mailv1.LetterKind]string{
	mailv1.LetterKind_LETTER_KIND_REMINDERS:   "emails that remind you about your trial and your credits",
	mailv1.LetterKind_LETTER_KIND_REWARDS:     "emails about what your invitations have earned",
	mailv1.LetterKind_LETTER_KIND_INVITATIONS: "invitations from friends at Serein",
}

// shown is what a page says.
type shown struct {
	// Letters are the kind's words.
	Letters string
	// Member: the letters are a member's, who can wish for them again.
	Member bool
}

// Handler answers GET and POST of Path.
type Handler struct {
	mail mailv1connect.DeliveryServiceClient
	log  *slog.Logger
}

// New makes the handler.
func New(mail mailv1connect.DeliveryServiceClient, log *slog.Logger) *Handler {
	return &Handler{mail, log}
}

// Ask shows what the link would end, with the button that ends it.
func (h *Handler) Ask(w http.ResponseWriter, r *http.Request) {
	h.answer(w, r, func(ctx context.Context, token string) (string, mailv1.LetterKind, error) {
		res, err := h.mail.DescribeUnsubscription(ctx, &mailv1.DescribeUnsubscriptionRequest{Token: token})
		if res.GetEnded() {
			return "done.tmpl", res.GetKind(), err
		}
		return "ask.tmpl", res.GetKind(), err
	})
}

// End ends the letters. What a mail program sends with its request, and the page's form, says no more than the link does.
func (h *Handler) End(w http.ResponseWriter, r *http.Request) {
	h.answer(w, r, func(ctx context.Context, token string) (string, mailv1.LetterKind, error) {
		res, err := h.mail.Unsubscribe(ctx, &mailv1.UnsubscribeRequest{Token: token})
		return "done.tmpl", res.GetKind(), err
	})
}

// answer shows the page that mail's answer leads to. Mail is asked in nobody's name.
func (h *Handler) answer(w http.ResponseWriter, r *http.Request, ask func(ctx context.Context, token string) (page string, kind mailv1.LetterKind, err error)) {
	token := r.PathValue("token")
	if len(token) > maxToken || !utf8.ValidString(token) {
		h.write(w, http.StatusNotFound, "none.tmpl", shown{})
		return
	}
	ctx, cancel := context.WithTimeout(auth.WithSubject(r.Context(), auth.Subject{}), callTime)
	defer cancel()
	page, kind, err := ask(ctx, token)
	switch kindOf := errs.KindOf(err); {
	case err == nil:
		h.write(w, http.StatusOK, page, shown{words[kind], kind != mailv1.LetterKind_LETTER_KIND_INVITATIONS})
	case kindOf == errs.Invalid, kindOf == errs.NotFound:
		h.write(w, http.StatusNotFound, "none.tmpl", shown{})
	default:
		h.log.ErrorContext(ctx, "a link of a letter could not be followed", "error", err)
		w.Header().Set("Retry-After", "60")
		h.write(w, http.StatusServiceUnavailable, "away.tmpl", shown{})
	}
}

func (h *Handler) write(w http.ResponseWriter, status int, name string, data shown) {
	if data.Letters == "" {
		data.Letters = "emails like this"
	}
	var page bytes.Buffer
	if err := pages.ExecuteTemplate(&page, name, data); err != nil {
		http.Error(w, errs.ErrInternal.Public, http.StatusInternalServerError)
		return
	}
	head := w.Header()
	head.Set("Content-Type", "text/html; charset=utf-8")
	head.Set("Content-Security-Policy", policy)
	head.Set("Referrer-Policy", "no-referrer")
	w.WriteHeader(status)
	_, _ = w.Write(page.Bytes()) // fails only where the browser has gone
}
