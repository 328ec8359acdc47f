// Package rpc answers mail's services: it checks a request and queues the mail, or keeps what somebody wishes.
package rpc

import (
	"context"
	"net/http"
	"time"

	"connectrpc.com/connect"
	"github.com/google/uuid"

	"serein.app/proto/gen/serein/mail/v1/mailv1connect"
	"serein.app/services/mail/internal/letters"
	"serein.app/services/mail/internal/notices"
	store "serein.app/services/mail/internal/postgres"
	"serein.app/services/platform/auth"
)

// SendScope lets a service account write letters in its own words: the scope of the gateway's REST call.
const SendScope = "serein.mail.send"

// Policy lets only identity ask for mails, and only the gateway pass on what people write and wish; all others cause mails by
// events. Letters in somebody's own words are for admins and for service accounts with their scope. What a link or a signature
// proves needs no member.
func Policy() auth.Policy {
	gateway, member := auth.Rule{Services: []string{"gateway"}}, auth.Rule{Services: []string{"gateway"}, Member: true}
	return auth.Policy{
		mailv1connect.MailServiceSendMailProcedure:           {Services: []string{"identity"}},
		mailv1connect.MailServiceSendContactMessageProcedure: gateway,

		mailv1connect.LetterServiceSendFreeLetterProcedure: {Services: []string{"gateway"}, Admin: true, Scope: SendScope},
		mailv1connect.LetterServiceSendInvitationProcedure: member,

		mailv1connect.PreferenceServiceGetPreferencesProcedure: member,
		mailv1connect.PreferenceServiceSetPreferencesProcedure: member,

		mailv1connect.DeliveryServiceDescribeUnsubscriptionProcedure: gateway,
		mailv1connect.DeliveryServiceUnsubscribeProcedure:            gateway,
		mailv1connect.DeliveryServiceReceiveNoticeProcedure:          gateway,
	}
}

// Mails takes mails for sending, and keeps who wishes none.
type Mails interface {
	Enqueue(ctx context.Context, l letters.Letter) (uuid.UUID, error)
	// EnqueueContact, EnqueueFree and EnqueueInvitation may refuse with postgres.TooManyError.
	EnqueueContact(ctx context.Context, l letters.Letter, most int) (uuid.UUID, error)
	EnqueueFree(ctx context.Context, f store.FreeLetters) (uuid.UUID, error)
	EnqueueInvitation(ctx context.Context, i store.Invitation) error
	Wishes(ctx context.Context, uid uuid.UUID) (store.Wishes, error)
	SetWishes(ctx context.Context, uid uuid.UUID, declined []letters.Kind) (store.Wishes, error)
	Decline(ctx context.Context, r letters.Reader) error
	HasDeclined(ctx context.Context, r letters.Reader) (bool, error)
	Suppress(ctx context.Context, address string, why letters.Suppression) error
}

// Links reads what stands at the end of letters.
type Links interface {
	Read(token string) (letters.Reader, error)
}

// Handler answers all of mail's services, one RPC in each file.
type Handler struct {
	mails   Mails
	links   Links
	notices *notices.Reader
	mailbox string
	// invitations of all members are sent in a day.
	invitations int
	now         func() time.Time
}

// New makes the handler; mailbox is where people write to us, invitations how many of all members are sent in a day.
func New(mails Mails, links Links, told *notices.Reader, mailbox string, invitations int, now func() time.Time) *Handler {
	return &Handler{mails, links, told, mailbox, invitations, now}
}

// Routes hands every service's path and handler to handle.
func (h *Handler) Routes(handle func(path string, h http.Handler), options ...connect.HandlerOption) {
	handle(mailv1connect.NewMailServiceHandler(h, options...))
	handle(mailv1connect.NewLetterServiceHandler(h, options...))
	handle(mailv1connect.NewPreferenceServiceHandler(h, options...))
	handle(mailv1connect.NewDeliveryServiceHandler(h, options...))
}
