package billing

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
)

var member, other, work, hold = uuid.New(), uuid.New(), uuid.New(), uuid.New()

// fakeClient notes what it is asked, and for whom.
type fakeClient struct {
	billingv1connect.CreditServiceClient
	member string
	hold   *billingv1.HoldRequest
	id     string
	ended  string
	err    error
}

func (c *fakeClient) Hold(ctx context.Context, r *billingv1.HoldRequest) (*billingv1.HoldResponse, error) {
	c.member, c.hold = auth.Member(ctx), r
	return &billingv1.HoldResponse{
		Hold: &billingv1.CreditHold{Id: c.id}, Balance: &billingv1.Balance{PlanAvailable: 3, TopUpAvailable: 1, Held: 2},
	}, c.err
}

func (c *fakeClient) Capture(ctx context.Context, r *billingv1.CaptureRequest) (*billingv1.CaptureResponse, error) {
	c.member, c.ended = auth.Member(ctx), "captured "+r.GetHoldId()
	return nil, c.err
}

func (c *fakeClient) Release(ctx context.Context, r *billingv1.ReleaseRequest) (*billingv1.ReleaseResponse, error) {
	c.member, c.ended = auth.Member(ctx), "released "+r.GetHoldId()
	return nil, c.err
}

func TestAHoldIsAskedForOnTheMembersBehalfUnderTheMeditationsID(t *testing.T) {
	t.Parallel()
	c := &fakeClient{id: hold.String()}
	m := meditation.Meditation{ID: work, UID: member, Cost: 2, Request: meditation.Request{Title: "A quiet evening"}}
	held, err := New(c).Hold(t.Context(), m)
	require.NoError(t, err)
	require.Equal(t, meditation.Hold{ID: hold, Balance: meditation.Balance{Plan: 3, TopUp: 1, Held: 2}}, held)
	require.Equal(t, member.String(), c.member)
	require.Equal(t, member.String(), c.hold.GetUid())
	require.Equal(t, work.String(), c.hold.GetIdempotencyKey(), "asking again answers the same hold")
	require.Equal(t, int64(2), c.hold.GetAmount())
	require.NotContains(t, c.hold.String(), "quiet", "the title is nobody's but the member's")
	require.Equal(t, int64(meditation.HoldTime.Seconds()), c.hold.GetTtlSeconds())
}

func (c *fakeClient) Refund(ctx context.Context, r *billingv1.RefundRequest) (*billingv1.RefundResponse, error) {
	c.member, c.ended = auth.Member(ctx), "refunded "+r.GetHoldId()
	return nil, c.err
}

func TestAHoldIsCapturedReleasedOrRefundedOnTheMembersBehalf(t *testing.T) {
	t.Parallel()
	c := &fakeClient{}
	require.NoError(t, New(c).Capture(t.Context(), member, hold))
	require.Equal(t, "captured "+hold.String(), c.ended)
	require.Equal(t, member.String(), c.member)
	require.NoError(t, New(c).Release(t.Context(), other, hold))
	require.Equal(t, "released "+hold.String(), c.ended)
	require.Equal(t, other.String(), c.member)
	require.NoError(t, New(c).Refund(t.Context(), member, hold))
	require.Equal(t, "refunded "+hold.String(), c.ended)
	require.Equal(t, member.String(), c.member)
}

func TestBillingsRefusalIsPassedOnAsItIs(t *testing.T) {
	t.Parallel()
	errHoldReleased := errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_HOLD_RELEASED, "The hold was released.")
	c := &fakeClient{err: errHoldReleased}
	_, err := New(c).Hold(t.Context(), meditation.Meditation{})
	require.ErrorIs(t, err, errHoldReleased)
	require.ErrorIs(t, New(c).Capture(t.Context(), member, hold), errHoldReleased)
	require.ErrorIs(t, New(c).Release(t.Context(), member, hold), errHoldReleased)
}

func TestAnAnswerThatNamesNoHoldIsNone(t *testing.T) {
	t.Parallel()
	_, err := New(&fakeClient{id: "the hold"}).Hold(t.Context(), meditation.Meditation{})
	require.Error(t, err)
}
