package rpc

import (
	"context"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/timestamppb"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/billing/internal/credits"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/pagetoken"
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
	below, err := belowToken(req.GetPageToken())
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
		res.NextPageToken = pagetoken.Encode(entries[size-1].Place())
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

// belowToken gives the place below which a page of the ledger begins. Error: pagetoken.ErrInvalid.
func belowToken(token string) (credits.Place, error) {
	p, err := pagetoken.Decode(token, credits.Top)
	if err == nil && (min(p.Position, p.Number) < 0 || p == credits.Place{}) {
		err = pagetoken.ErrInvalid
	}
	return p, err
}
