package errs_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/errs"
)

var errCard = errs.New(errs.FailedPrecondition, "CARD_DECLINED", "The card was declined.")

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
