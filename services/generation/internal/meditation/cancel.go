package meditation

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"serein.app/services/generation/internal/recording"
)

const (
	// FreeCancellations is how many a member has within FreeWithin. FreeWithin is any 24 hours, not a calendar day:
	// in no time zone does a member get six around midnight, and no member waits longer than a day for the next.
	FreeCancellations = 3
	FreeWithin        = 24 * time.Hour
	// freeShare of the recording may be delivered before its price is due: one in that many parts.
	freeShare = 4
	// finishingTime is what a recording that ends early has at least, to be joined and paid for.
	finishingTime = 5 * time.Minute
)

// CancelTerms are what stopping the work would mean.
type CancelTerms struct {
	// Price in credits: 0, and nothing of it is left; or the whole cost, and what is narrated stays the member's.
	Price int
	// FreeLeft is how many free cancellations the member has left.
	FreeLeft int
}

// cancelTerms answers the terms for the work in its present state, for a member who has used that many free cancellations.
//
// A segment counts as delivered once it is stored and announced, whether or not the member has heard it: a member who
// fetches the segments without playing them has received them too. If nothing is delivered, the price is always 0.
func (m Meditation) cancelTerms(free int) CancelTerms {
	terms := CancelTerms{FreeLeft: max(FreeCancellations-free, 0)}
	if m.PassagesDone > 0 && (m.ReadyFor*freeShare >= m.Expected || terms.FreeLeft == 0) {
		terms.Price = m.Cost
	}
	return terms
}

// CancelTerms answers what stopping the work would mean now; nil where it cannot be stopped any more.
func (s *Service) CancelTerms(ctx context.Context, m Meditation) (*CancelTerms, error) {
	if !m.State.Cancellable() {
		return nil, nil //nolint:nilnil // there are no terms, and that is no error
	}
	free, err := s.Store.FreeCancellations(ctx, m.UID, s.Now().Add(-FreeWithin))
	if err != nil {
		return nil, err
	}
	terms := m.cancelTerms(free)
	return &terms, nil
}

// Cancel stops the work for the price that the member has accepted; ErrCancelTerms, and nothing happens,
// where another one is due by now. For nothing, the hold is released and all of it is gone at once. For the
// price, the recording ends with what is narrated and is finished like any other. What has ended, or is being
// finished, stays as it is: from there on billing may have been asked for the money.
func (s *Service) Cancel(ctx context.Context, uid, id uuid.UUID, accepted int) (Meditation, error) {
	if _, err := s.Store.Get(ctx, uid, id); err != nil {
		return Meditation{}, err
	}
	now := s.Now()
	m, err := s.Store.Cancel(ctx, uid, id, now.Add(-FreeWithin), now, now.Add(finishingTime),
		func(m Meditation, free int) (keep bool, err error) {
			terms := m.cancelTerms(free)
			if terms.Price != accepted {
				return false, ErrCancelTerms
			}
			return terms.Price > 0, nil
		})
	if errors.Is(err, ErrLost) {
		return s.Store.Get(ctx, uid, id)
	}
	if err != nil {
		return Meditation{}, err
	}
	if m.State == Cancelled {
		s.reconcileNow(ctx, m)
		s.eraseNow(ctx, m)
	}
	return m, nil
}

// Spoken is the script of a recording that has these segments and no more.
func Spoken(segments []recording.Segment) recording.Script {
	var script recording.Script
	for _, s := range segments {
		passage := recording.Passage{Pause: s.Silence}
		for _, line := range s.Lines {
			passage.Sentences = append(passage.Sentences, line.Text)
			script.Words += len(strings.Fields(line.Text))
		}
		script.Passages = append(script.Passages, passage)
	}
	return script
}

// eraseNow deletes the sound, also when the caller has left meanwhile; the sweep deletes what it cannot.
func (s *Service) eraseNow(ctx context.Context, m Meditation) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), reconcileTime)
	defer cancel()
	if err := s.Blobs.DeleteFolder(ctx, m.folder()); err != nil {
		s.Log.WarnContext(ctx, "sound will be deleted by the sweep", "meditation", m.ID, "error", err)
	}
}
