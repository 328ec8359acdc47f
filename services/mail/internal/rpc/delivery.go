package rpc

import (
	"context"

	mailv1 "serein.app/proto/gen/serein/mail/v1"
	"serein.app/services/mail/internal/letters"
)

var kinds = map[letters.Kind]mailv1.LetterKind{
	letters.Reminders: mailv1.LetterKind_LETTER_KIND_REMINDERS, letters.Rewards: mailv1.LetterKind_LETTER_KIND_REWARDS,
	letters.Invitations: mailv1.LetterKind_LETTER_KIND_INVITATIONS,
}

// DescribeUnsubscription says what a link would end: mail programs and virus scanners open links, so opening one ends nothing.
func (h *Handler) DescribeUnsubscription(ctx context.Context, req *mailv1.DescribeUnsubscriptionRequest) (*mailv1.DescribeUnsubscriptionResponse, error) {
	reader, err := h.links.Read(req.GetToken())
	if err != nil {
		return nil, err
	}
	ended, err := h.mails.HasDeclined(ctx, reader)
	if err != nil {
		return nil, err
	}
	return &mailv1.DescribeUnsubscriptionResponse{Kind: kinds[reader.Kind], Ended: ended}, nil
}

// Unsubscribe ends the kind of letters that a link stands for.
func (h *Handler) Unsubscribe(ctx context.Context, req *mailv1.UnsubscribeRequest) (*mailv1.UnsubscribeResponse, error) {
	reader, err := h.links.Read(req.GetToken())
	if err != nil {
		return nil, err
	}
	if err := h.mails.Decline(ctx, reader); err != nil {
		return nil, err
	}
	return &mailv1.UnsubscribeResponse{Kind: kinds[reader.Kind]}, nil
}

// ReceiveNotice ends all letters but codes to addresses without a mailbox, and most letters to readers who complained. A repeated
// notice changes nothing.
func (h *Handler) ReceiveNotice(ctx context.Context, req *mailv1.ReceiveNoticeRequest) (*mailv1.ReceiveNoticeResponse, error) {
	told, err := h.notices.Read(req.GetPayload(), req.GetSignature())
	if err != nil {
		return nil, err
	}
	for _, n := range told {
		if err := h.mails.Suppress(ctx, n.Address, n.Why); err != nil {
			return nil, err
		}
	}
	return &mailv1.ReceiveNoticeResponse{}, nil
}
