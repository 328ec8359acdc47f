package rpc

import (
	"context"
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/timestamppb"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/billing/internal/credits"
	"serein.app/services/platform/auth"
)

// defaultPage is the number of entries on a page when the caller asks for none.
const defaultPage = 50

// ListLedgerEntries pages through a member's ledger, newest first. A page is never changed by what
// is written later.
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
		res.NextPageToken = toPageToken(entries[size-1].Place())
	}
	for _, e := range entries {
		res.Entries = append(res.Entries, toProtoEntry(e))
	}
	if req.GetPageToken() == "" {
		res.Holds, err = h.openHolds(ctx, uid)
	}
	return res, err
}

// openHolds are what stands above the first entry: work that has not finished.
func (h *Handler) openHolds(ctx context.Context, uid uuid.UUID) ([]*billingv1.OpenHold, error) {
	holds, err := h.store.OpenHolds(ctx, uid)
	all := make([]*billingv1.OpenHold, len(holds))
	for i, hold := range holds {
		all[i] = &billingv1.OpenHold{
			Time: timestamppb.New(hold.At), PlanCredits: hold.Plan, TopUpCredits: hold.TopUp, Reference: hold.Reference,
		}
	}
	return all, err
}

// A page token is the place of the last line seen, opaque so that nobody builds one.
func toPageToken(p credits.Place) string {
	text := strconv.FormatInt(p.Position, 36)
	if p.Number > 0 {
		text += "." + strconv.FormatInt(p.Number, 36)
	}
	return base64.RawURLEncoding.EncodeToString([]byte(text))
}

func fromPageToken(token string) (credits.Place, error) {
	if token == "" {
		return credits.Top, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return credits.Place{}, credits.ErrPageToken.On("page_token").Because(err)
	}
	position, number, ok := strings.Cut(string(raw), ".")
	if !ok {
		number = "0"
	}
	var p credits.Place
	p.Position, err = strconv.ParseInt(position, 36, 64)
	if err == nil {
		p.Number, err = strconv.ParseInt(number, 36, 64)
	}
	if err != nil || toPageToken(p) != token || min(p.Position, p.Number) < 0 || p == (credits.Place{}) {
		return credits.Place{}, credits.ErrPageToken.On("page_token").Because(err)
	}
	return p, nil
}
