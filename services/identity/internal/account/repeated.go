package account

import "context"

// limitDone remembers a call of the sign-up API that was done, by what tells it from every other.
var limitDone = Limit{Name: "api-call-done", Free: 1, Window: CodeLife, Delay: CodeLife, MaxDelay: CodeLife}

// Done says whether that very call was done within CodeLife. call holds what tells it from every other: the id that
// its program gave it, or the code that it brought.
func (s *Service) Done(ctx context.Context, call string) (bool, error) {
	wait, err := s.throttle.Wait(ctx, s.key(limitDone, call), s.now())
	return wait > 0, err
}

// MarkDone remembers that a call was done, under a keyed hash, for CodeLife.
func (s *Service) MarkDone(ctx context.Context, call string) error {
	_, err := s.throttle.Spend(ctx, s.key(limitDone, call), limitDone, s.now())
	return err
}
