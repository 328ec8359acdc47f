// Package webhook takes what the payment provider tells, and what the server that sends our letters does, and hands it to billing
// and to mail, byte by byte: only they can say whether the signature holds. It owns how large and how frequent such a message may
// be, and what its sender hears: that it is kept, that it is none of ours, or that it should be sent again.
//
// It looks at no session and needs no header of our pages, for the senders have neither. It tells nobody why something was
// refused.
package webhook

import (
	"context"
	"log/slog"
	"net/http"
	"time"
	"unicode/utf8"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	mailv1 "serein.app/proto/gen/serein/mail/v1"
	"serein.app/proto/gen/serein/mail/v1/mailv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/deadline"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/guard"
	"serein.app/services/platform/seclog"
)

const (
	// Path is where the payment provider sends its events, MailPath where the mail provider reports bounces and complaints.
	Path     = "/webhooks/payments"
	MailPath = "/webhooks/mail"
	// SignatureHeader has the provider's signature, MailSignatureHeader the mail server's; without it nothing is read.
	SignatureHeader     = "Stripe-Signature"
	MailSignatureHeader = "Serein-Signature"
	// maxBody is far above the largest event, in bytes; maxSignature above several signatures, while a secret is replaced.
	maxBody      = 256 << 10
	maxSignature = 4 << 10
	bodyTime     = 10 * time.Second
	// forged is the outcome in the security log.
	forged = "webhook_invalid"
)

// callTime is below the time after which a sender gives up.
var callTime = deadline.Of(8 * time.Second)

// Limit is generous: one address sends all that many members cause, and again what was lost.
var Limit = guard.Limit{Name: "webhook", Count: 300, Per: time.Second, Burst: 1500}

// receive hands an event to the service that can prove it.
type receive func(ctx context.Context, payload []byte, signature string) error

// Handler answers a webhook: 200 once the event is kept, 400 for what is not the sender's, and 503 while the service cannot keep
// it, so that it comes again.
type Handler struct {
	path, header string
	receive      receive
	limit        *guard.Buckets
	log          *slog.Logger
	security     *seclog.Log
	now          func() time.Time
}

// New makes the handler of what the payment provider tells billing; limit counts by address. What is forged stands in the security
// log.
func New(billing billingv1connect.WebhookServiceClient, limit guard.Limit, log *slog.Logger, security *seclog.Log, now func() time.Time) *Handler {
	return &Handler{
		path: Path, header: SignatureHeader, limit: guard.NewBuckets(limit), log: log, security: security, now: now,
		receive: func(ctx context.Context, payload []byte, signature string) error {
			_, err := billing.ReceiveWebhook(ctx, &billingv1.ReceiveWebhookRequest{Payload: payload, Signature: signature})
			return err
		},
	}
}

// NewMail makes the handler of what the mail server tells of bounces and complaints, likewise.
func NewMail(mail mailv1connect.DeliveryServiceClient, limit guard.Limit, log *slog.Logger, security *seclog.Log, now func() time.Time) *Handler {
	return &Handler{
		path: MailPath, header: MailSignatureHeader, limit: guard.NewBuckets(limit), log: log, security: security, now: now,
		receive: func(ctx context.Context, payload []byte, signature string) error {
			_, err := mail.ReceiveNotice(ctx, &mailv1.ReceiveNoticeRequest{Payload: payload, Signature: signature})
			return err
		},
	}
}

// ServeHTTP takes one event.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if ok, after := h.limit.Allow(guard.Address(r.Context()), h.now()); !ok {
		guard.TooMany(w, after)
		return
	}
	signature := r.Header.Get(h.header)
	if signature == "" || len(signature) > maxSignature || !utf8.ValidString(signature) {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	body, err := guard.ReadBodyOf(w, r, maxBody, bodyTime)
	if err != nil || len(body) == 0 {
		w.Header().Set("Connection", "close")
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	w.WriteHeader(h.kept(r.Context(), body, signature))
}

// kept answers the status. The call is made in nobody's name.
func (h *Handler) kept(ctx context.Context, body []byte, signature string) int {
	ctx, cancel := context.WithTimeout(auth.WithSubject(ctx, auth.Subject{}), callTime)
	defer cancel()
	err := h.receive(ctx, body, signature)
	switch {
	case err == nil:
		return http.StatusOK
	case errs.KindOf(err) == errs.Invalid:
		h.security.Record(ctx, seclog.Event{Kind: seclog.Access, Outcome: forged, Address: guard.Address(ctx), Procedure: h.path})
		return http.StatusBadRequest
	}
	h.log.ErrorContext(ctx, "a webhook was not kept, and is to come again", "path", h.path, "error", err)
	return http.StatusServiceUnavailable
}
