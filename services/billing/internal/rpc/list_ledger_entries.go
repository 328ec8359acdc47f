package rpc

import (
	"context"
	"encoding/base64"
	"math"
	"strconv"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/billing/internal/credits"
	"serein.app/services/platform/auth"
)

// defaultPage is the number of entries on a page when the caller asks for none.
const defaultPage = 50

// ListLedgerEntries pages through a member's entries, newest first. A page is never changed
// by entries that are written later.
func (h *Handler) ListLedgerEntries(ctx context.Context, req *billingv1.ListLedgerEntriesRequest) (*billingv1.ListLedgerEntriesResponse, error) {
	uid, err := parseID("uid", req.GetUid())
	if err != nil {
		return nil, err
	}
	// The policy lets in the gateway, always with a member, and service accounts with the
	// scope, which name none and may read every ledger.
	if caller, ok := auth.CallerFrom(ctx); !ok || (caller.Service == "gateway" && caller.Subject.UID != uid.String()) {
		return nil, credits.ErrLedgerNotFound
	}
	below, err := fromPageToken(req.GetPageToken())
	if err != nil {
		return nil, err
	}
	size := req.GetPageSize()
	if size == 0 {
		size = defaultPage
	}
	entries, err := h.store.Entries(ctx, uid, below, size+1)
	if err != nil {
		return nil, err
	}
	res := &billingv1.ListLedgerEntriesResponse{}
	if len(entries) > int(size) {
		entries = entries[:size]
		res.NextPageToken = toPageToken(entries[size-1].Position)
	}
	for _, e := range entries {
		res.Entries = append(res.Entries, toProtoEntry(e))
	}
	return res, nil
}

// A page token is the position of the last entry seen, opaque so that nobody builds one.
func toPageToken(position int64) string {
	return base64.RawURLEncoding.EncodeToString(strconv.AppendInt(nil, position, 36))
}

func fromPageToken(token string) (int64, error) {
	if token == "" {
		return math.MaxInt64, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return 0, credits.ErrPageToken.On("page_token").Because(err)
	}
	position, err := strconv.ParseInt(string(raw), 36, 64)
	if err != nil || position < 1 {
		return 0, credits.ErrPageToken.On("page_token").Because(err)
	}
	return position, nil
}
