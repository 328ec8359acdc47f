package gateway

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
)

// renewed are the two entries of a renewal at a moment.
func renewed(n int, at time.Time) []*billingv1.LedgerEntry {
	one := func(kind string, change int64) *billingv1.LedgerEntry {
		return &billingv1.LedgerEntry{
			Id: fmt.Sprint(kind, n), Kind: kind, Cause: "subscription", Description: "Core", Pool: billingv1.Pool_POOL_PLAN, Change: change, Time: timestamppb.New(at),
		}
	}
	return []*billingv1.LedgerEntry{one("grant", 20), one("expiry", -2)}
}

// spent is an entry for a meditation.
func spent(n int, id string, at time.Time) *billingv1.LedgerEntry {
	return &billingv1.LedgerEntry{
		Id: fmt.Sprint("spend", n), Kind: "spend", Pool: billingv1.Pool_POOL_PLAN, Change: -1, Reference: "meditation:" + id, Time: timestamppb.New(at),
	}
}

// ledger reads page after page; pages are the numbers of their rows.
func (b *browser) ledger(t *testing.T) (rows []any, pages []int) {
	t.Helper()
	for token := ""; ; {
		got := tree(t, b.call(t, membershipOf+"ListLedger", `{"pageToken":"`+token+`"}`).body)
		page, _ := got["rows"].([]any)
		rows, pages = append(rows, page...), append(pages, len(page))
		next, ok := got["nextPageToken"].(string)
		if !ok {
			return rows, pages
		}
		token = next
	}
}

func TestEveryEntryOfALedgerIsShownOnceAndAPairIsOneRowWhereverAPageEnds(t *testing.T) {
	t.Parallel()
	for first := range 2 {
		s := start(t, 1)
		var all []*billingv1.LedgerEntry
		if first == 1 { // so that a page ends between the two of a pair
			all = append(all, spent(0, mine, createdAt.AddDate(5, 0, 0)))
		}
		for n := range 25 {
			all = append(all, renewed(n, createdAt.AddDate(0, -n, 0))...)
		}
		s.services.ledgers[s.uid()] = all
		rows, pages := s.member(t).ledger(t)
		require.Len(t, rows, 25+first)
		for _, r := range rows[first:] {
			require.Equal(t, []any{"Core renewed", "18"}, []any{at(t, r, "title"), at(t, r, "change")})
		}
		require.Len(t, pages, 3)
		other, _ := s.other(t).ledger(t)
		require.Empty(t, other)
	}
}

func TestALastEntryThatBelongsToNoOtherTakesNothingFromTheNextPage(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	for _, pool := range []billingv1.Pool{billingv1.Pool_POOL_PLAN, billingv1.Pool_POOL_TOP_UP} {
		s.services.ledgers[s.uid()] = nil
		for n := range 45 {
			e := spent(n, mine, createdAt.Add(-time.Duration(n)*time.Hour))
			e.Pool = pool
			s.services.ledgers[s.uid()] = append(s.services.ledgers[s.uid()], e)
		}
		asked := s.services.asks(billingv1connect.LedgerServiceListLedgerEntriesProcedure)
		rows, pages := s.member(t).ledger(t)
		require.Len(t, rows, 45)
		require.Equal(t, []int{20, 20, 5}, pages)
		asked = s.services.asks(billingv1connect.LedgerServiceListLedgerEntriesProcedure) - asked
		require.Equal(t, map[billingv1.Pool]int{billingv1.Pool_POOL_PLAN: 3, billingv1.Pool_POOL_TOP_UP: 5}[pool], asked, "only the newer of two asks for the older")
	}
}

func TestTheLedgerNamesMeditationsAndOpenHolds(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	s.services.give(someone, meditation(theirs, generationv1.Stage_STAGE_READY))
	s.services.ledgers[s.uid()] = []*billingv1.LedgerEntry{spent(1, mine, createdAt), spent(2, theirs, createdAt.Add(-time.Hour))}
	s.services.holds = []*billingv1.OpenHold{{Time: timestamppb.New(createdAt.Add(time.Hour)), PlanCredits: 2, Reference: "meditation:" + mine}}
	b := s.member(t)
	rows, _ := b.ledger(t)
	require.Equal(t, []any{
		map[string]any{
			"id": "hold:meditation:" + mine, "time": "2026-11-03T10:00:00Z", "title": "A kind evening", "detail": "Reserved while it’s being made", "held": "2",
			"pool": "LEDGER_POOL_PLAN", "meditationId": mine,
		},
		map[string]any{
			"id": "spend1", "time": "2026-11-03T09:00:00Z", "title": "A kind evening", "detail": "Voice only, from your plan", "change": "-1",
			"pool": "LEDGER_POOL_PLAN", "meditationId": mine,
		},
		map[string]any{
			"id": "spend2", "time": "2026-11-03T08:00:00Z", "title": "A meditation", "detail": "From your plan", "change": "-1", "pool": "LEDGER_POOL_PLAN",
		},
	}, rows)
	require.Equal(t, 1, s.services.asks(generationv1connect.MeditationServiceBatchGetMeditationsProcedure), "all are asked for at once")
	require.Zero(t, s.services.asks(generationv1connect.MeditationServiceGetMeditationProcedure))

	s.services.failing(generationv1connect.MeditationServiceBatchGetMeditationsProcedure, errAway)
	rows, _ = b.ledger(t)
	require.Equal(t, []any{"A meditation", mine}, []any{at(t, rows, 1, "title"), at(t, rows, 1, "meditationId")}, "it may be there all the same")
	s.services.failing(billingv1connect.LedgerServiceListLedgerEntriesProcedure, errAway)
	require.Equal(t, "UNAVAILABLE", b.call(t, membershipOf+"ListLedger", "{}").reason(t))
}

func TestTheLongestPageOfALedgerAsksGenerationOnceAndAPageWithoutMeditationsNever(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	for n := range 45 {
		at := createdAt.Add(-time.Duration(n) * time.Hour)
		s.services.ledgers[s.uid()] = append(s.services.ledgers[s.uid()], spent(n, uuid.NewString(), at))
	}
	for range 50 { // as many as billing tells of
		s.services.holds = append(s.services.holds, &billingv1.OpenHold{Time: timestamppb.New(createdAt), PlanCredits: 1, Reference: "meditation:" + uuid.NewString()})
	}
	b := s.member(t)
	rows, pages := b.ledger(t)
	require.Len(t, rows, 45+50)
	require.Equal(t, len(pages), s.services.asks(generationv1connect.MeditationServiceBatchGetMeditationsProcedure))
	for _, r := range rows {
		require.NotContains(t, r, "meditationId", "generation knows none of them")
	}

	s.services.ledgers[s.uid()], s.services.holds = renewed(1, createdAt), nil
	b.ledger(t)
	require.Equal(t, len(pages), s.services.asks(generationv1connect.MeditationServiceBatchGetMeditationsProcedure))
}

func TestTheLedgerTellsWhatChangedNothing(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	failed := meditation(mine, generationv1.Stage_STAGE_FAILED)
	failed.Title = "Rest before the interview"
	s.services.give(s.uid(), failed)
	s.services.ledgers[s.uid()] = []*billingv1.LedgerEntry{
		{Id: "2.1", Kind: "release", Time: timestamppb.New(createdAt), BalanceAfter: 7, Pool: billingv1.Pool_POOL_PLAN, PlanCredits: 2, Reference: "meditation:" + mine},
		{Id: "1.1", Kind: "failed_renewal", Time: timestamppb.New(createdAt.Add(-time.Hour)), BalanceAfter: 7, Pool: billingv1.Pool_POOL_PLAN, Description: "Core"},
	}
	rows, _ := s.member(t).ledger(t)
	require.Equal(t, []any{
		map[string]any{
			"id": "2.1", "time": "2026-11-03T09:00:00Z", "title": "Rest before the interview", "detail": "Could not be made, so 2 were released",
			"balance": "7", "pool": "LEDGER_POOL_PLAN",
		},
		map[string]any{
			"id": "1.1", "time": "2026-11-03T08:00:00Z", "title": "Core was not renewed", "balance": "7", "pool": "LEDGER_POOL_PLAN",
			"detail": "The payment didn’t go through. Your credits haven’t changed",
		},
	}, rows)
}
