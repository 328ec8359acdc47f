package web

import (
	"context"
	"maps"
	"slices"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// ledgerPage is how many entries a page has. With what is held their meditations are fewer than generation answers at once.
const ledgerPage = 20

// ListLedger pages through the member's credits in plain words, the newest first. What was written together is one row, also where
// a page ends between the two. Where generation does not answer soon, meditations are shown without their titles.
func (s *Screens) ListLedger(ctx context.Context, req *webv1.ListLedgerRequest) (*webv1.ListLedgerResponse, error) {
	found, err := s.entries(ctx, req.GetPageToken(), ledgerPage)
	if err != nil {
		return nil, err
	}
	if err := s.wholePairs(ctx, found); err != nil {
		return nil, err
	}
	book := ledger{meditations: s.meditationsOf(ctx, found)}
	return &webv1.ListLedgerResponse{Rows: book.rows(found.GetEntries(), found.GetHolds()), NextPageToken: found.GetNextPageToken()}, nil
}

func (s *Screens) entries(ctx context.Context, token string, size int32) (*billingv1.ListLedgerEntriesResponse, error) {
	return s.Clients.Ledger.ListLedgerEntries(ctx, &billingv1.ListLedgerEntriesRequest{Uid: memberOf(ctx).UID, PageSize: size, PageToken: token})
}

// wholePairs takes one more entry where it belongs to the page's last.
func (s *Screens) wholePairs(ctx context.Context, page *billingv1.ListLedgerEntriesResponse) error {
	if page.GetNextPageToken() == "" || !mayGoOn(page.GetEntries()) {
		return nil
	}
	more, err := s.entries(ctx, page.GetNextPageToken(), 1)
	if err != nil {
		return err
	}
	last := page.GetEntries()[len(page.GetEntries())-1]
	if len(more.GetEntries()) == 1 && together(last, more.GetEntries()[0]) {
		page.Entries, page.NextPageToken = append(page.Entries, more.GetEntries()...), more.GetNextPageToken()
	}
	return nil
}

// meditationsOf are those that the page names, by id, in one call: nil for one that is gone, and none where generation does not
// answer soon.
func (s *Screens) meditationsOf(ctx context.Context, page *billingv1.ListLedgerEntriesResponse) map[string]*generationv1.Meditation {
	found := named(page)
	if len(found) == 0 {
		return found
	}
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	ids := slices.Sorted(maps.Keys(found))
	res, err := s.Clients.Meditations.BatchGetMeditations(ctx, &generationv1.BatchGetMeditationsRequest{Ids: ids})
	if err != nil {
		s.without(ctx, "the titles of meditations", err)
		return nil
	}
	for _, m := range res.GetMeditations() {
		found[m.GetId()] = m
	}
	return found
}

// named are the ids of the meditations that a page names, of none of which anything is known yet.
func named(page *billingv1.ListLedgerEntriesResponse) map[string]*generationv1.Meditation {
	ids := map[string]*generationv1.Meditation{}
	for _, e := range page.GetEntries() {
		ids[meditationOf(e.GetReference())] = nil
	}
	for _, h := range page.GetHolds() {
		ids[meditationOf(h.GetReference())] = nil
	}
	delete(ids, "")
	return ids
}
