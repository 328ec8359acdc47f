package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// drain waits until everything that was accepted has ended, and counts how.
func (r *requests) drain(ctx context.Context) (map[string]int, error) {
	ends := map[string]int{}
	for id, a := range r.accepted {
		stage, err := r.await(ctx, a.member, id)
		if err != nil {
			return ends, fmt.Errorf("%s of %s has not ended: %w", id, a.member.UID, err)
		}
		ends[strings.ToLower(strings.TrimPrefix(stage.String(), "STAGE_"))]++
	}
	return ends, nil
}

// balanced looks into the books of both services once everything has ended: nothing is lost, nothing doubled, each
// hold has ended once and as its work did, and what a member has left is the trial less what was made.
func balanced(ctx context.Context, product *harness.Harness, members []*harness.Member, asked *requests) error {
	work, err := harness.SQL[map[string]string](ctx, product, "generation",
		`SELECT coalesce(jsonb_object_agg(id, state), '{}') FROM meditations WHERE state <> 'abandoned'`)
	if err != nil {
		return err
	}
	var faults []error
	for id := range asked.accepted {
		if work[id] == "" {
			faults = append(faults, fmt.Errorf("%s was accepted and is lost", id))
		}
	}
	for id := range work {
		if _, known := asked.accepted[id]; !known {
			faults = append(faults, fmt.Errorf("%s was made and nobody was told", id))
		}
	}
	if err := harness.Eventually(ctx, "the end of all holds", func(ctx context.Context) (bool, error) {
		open, err := harness.SQL[int](ctx, product, "billing", `SELECT count(*) FROM holds WHERE state = 'held'`)
		return open == 0, err
	}); err != nil {
		faults = append(faults, err)
	}
	holds, err := harness.SQL[map[string]string](ctx, product, "billing",
		`SELECT coalesce(jsonb_object_agg(idempotency_key, state), '{}') FROM holds`)
	if err != nil {
		return err
	}
	spent := map[string]int64{}
	for id, state := range work {
		want := "released"
		if state == "ready" {
			want = "captured"
			spent[asked.accepted[id].member.UID]++
		}
		if holds[id] != want && (want == "captured" || holds[id] != "expired") {
			faults = append(faults, fmt.Errorf("%s is %s and its hold %q", id, state, holds[id]))
		}
	}
	faults = append(faults, whole(ctx, product), balances(ctx, product, members, spent))
	return errors.Join(faults...)
}

// balances compares what each member has with what was made, as the member sees it and as the ledger sums it up.
func balances(ctx context.Context, product *harness.Harness, members []*harness.Member, spent map[string]int64) error {
	trial, err := product.Trial(ctx)
	if err != nil {
		return err
	}
	sums, err := harness.SQL[map[string]int64](ctx, product, "billing", `
		SELECT coalesce(jsonb_object_agg(uid, sum), '{}') FROM (SELECT uid,
			sum(CASE WHEN from_account = 'issued' THEN amount ELSE -amount END) FROM entries GROUP BY uid) AS s`)
	if err != nil {
		return err
	}
	var faults []error
	for _, m := range members {
		var credits *webv1.Credits
		if err := harness.Eventually(ctx, "the credits", func(ctx context.Context) (bool, error) {
			credits, err = m.Credits(ctx)
			return err == nil, errors.Join(err, signedIn(ctx, m, err))
		}); err != nil {
			return err
		}
		want := trial.GetTrialCredits() - spent[m.UID]
		if credits.GetPlan() != want || credits.GetHeld() != 0 || sums[m.UID] != want {
			faults = append(faults, fmt.Errorf("%s sees %v and has %d by the ledger, not %d", m.UID, credits, sums[m.UID], want))
		}
	}
	say("  %d spent of %d members' trials", total(spent), len(members))
	return errors.Join(faults...)
}

func signedIn(ctx context.Context, m *harness.Member, err error) error {
	if err == nil {
		return nil
	}
	return m.SignIn(ctx)
}

func total(by map[string]int64) (n int64) {
	for v := range maps.Values(by) {
		n += v
	}
	return n
}

// whole says that no recording has a gap: its passages are numbered without one, and sum up to what was kept.
func whole(ctx context.Context, product *harness.Harness) error {
	broken, err := harness.SQL[int](ctx, product, "generation", `
		SELECT count(*) FROM meditations m LEFT JOIN LATERAL (
			SELECT count(*) AS n, coalesce(max(index), -1) + 1 AS next, coalesce(sum(bytes), 0) AS bytes FROM segments WHERE meditation_id = m.id
		) AS s ON true
		WHERE m.state = 'ready' AND (s.n <> m.passages_total OR s.next <> s.n OR s.bytes <> m.audio_bytes)`)
	if err == nil && broken > 0 {
		err = fmt.Errorf("%d recordings have gaps", broken)
	}
	return err
}
