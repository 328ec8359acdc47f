package errs_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/errs"
)

var errCard = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_TRY_AGAIN, "The card was declined.")

func TestCopiesMatchTheirDeclarationByReason(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("charge: %w", errCard.Because(errors.New("vendor said 42")).On("card"))
	require.ErrorIs(t, err, errCard)
	require.Equal(t, "card", errs.From(err).Field)
	require.Empty(t, errCard.Field, "the declaration itself never changes")
}

func TestAnUndeclaredErrorIsInternalAndKeepsItsCause(t *testing.T) {
	t.Parallel()
	cause := errors.New("disk")
	require.Equal(t, errs.Internal, errs.KindOf(cause))
	require.ErrorIs(t, errs.From(cause), cause)
	require.NotContains(t, errs.From(cause).Public, "disk")
	require.Nil(t, errs.From(nil))
}

func TestNoErrorIsOfNoKind(t *testing.T) {
	t.Parallel()
	require.Equal(t, errs.None, errs.KindOf(nil))
	require.NotContains(t, errs.Kinds, errs.None)
}

func TestEveryReasonIsAWordOfTheWireAndBack(t *testing.T) {
	t.Parallel()
	for number, name := range errorsv1.Reason_name {
		e := errs.New(errs.Internal, errorsv1.Reason(number), "A sentence.")
		require.Equal(t, strings.TrimPrefix(name, "REASON_"), e.Word())
		require.Equal(t, errorsv1.Reason(number), errs.ReasonOf(e.Word()))
	}
	require.Equal(t, errorsv1.Reason_REASON_UNSPECIFIED, errs.ReasonOf("OF_A_NEWER_PEER"))
	require.Equal(t, errorsv1.Reason_REASON_UNSPECIFIED, errs.ReasonOf(""))
}

func TestAReasonIsFoundInsideAnotherError(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("charge: %w", errCard.Because(errors.New("vendor said 42")))
	require.True(t, errs.Has(err, errCard.Reason))
	require.False(t, errs.Has(err, errorsv1.Reason_REASON_INTERNAL))
	require.False(t, errs.Has(errors.New("disk"), errorsv1.Reason_REASON_INTERNAL), "it was declared by nobody")
	require.False(t, errs.Has(nil, errorsv1.Reason_REASON_UNSPECIFIED))
}

func TestTheLogHasTheReasonAndTheCauseOnlyWhereThereIsOne(t *testing.T) {
	t.Parallel()
	require.EqualError(t, errs.ErrUnavailable, "UNAVAILABLE: "+errs.ErrUnavailable.Public)
	require.EqualError(t, errs.ErrUnavailable.Because(errors.New("no route")), "UNAVAILABLE: no route")
}
