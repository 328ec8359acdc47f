package rpc

import (
	"context"
	"encoding/base64"
	"math"
	"strconv"

	"google.golang.org/protobuf/types/known/timestamppb"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/billing/internal/credits"
	"serein.app/services/platform/auth"
)

// defaultPage is the number of entries on a page when the caller asks for none.
const defaultPage = 50

// Ledger answers LedgerService.
type Ledger struct{ store Store }

// NewLedger makes the handler.
func NewLedger(store Store) *Ledger { return &Ledger{store} }

// ListLedgerEntries pages through a member's entries, newest first. A page is never changed
// by entries that are written later.
func (l *Ledger) ListLedgerEntries(ctx context.Context, req *billingv1.ListLedgerEntriesRequest) (*billingv1.ListLedgerEntriesResponse, error) {
	uid, err := parseID("uid", req.GetUid())
	if err != nil {
		return nil, err
	}
	// The policy lets in the gateway, always with a member, and service accounts with the
	// scope, which name none and may read every ledger.
	if caller, ok := auth.CallerFrom(ctx); !ok || (caller.Service == "gateway" && caller.Member != uid.String()) {
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
	entries, err := l.store.Entries(ctx, uid, below, size+1)
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

var protoPools = map[credits.Pool]billingv1.Pool{
	credits.PlanPool: billingv1.Pool_POOL_PLAN, credits.TopUpPool: billingv1.Pool_POOL_TOP_UP,
}

func toProtoEntry(e credits.Entry) *billingv1.LedgerEntry {
	return &billingv1.LedgerEntry{
		Id: e.Cause + "/" + string(e.Pool), Time: timestamppb.New(e.At), Change: e.Change, BalanceAfter: e.BalanceAfter,
		Pool: protoPools[e.Pool], Kind: string(e.Kind), Description: e.Description, Reference: e.Reference,
	}
}
