package rest

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"

	"connectrpc.com/connect"
	"github.com/stretchr/testify/require"

	"serein.app/services/platform/errs"
	"serein.app/services/platform/rpc"
)

func TestOnlyAnAnswerThatMayBeMissingIsLost(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{
		"the time was over":     context.DeadlineExceeded,
		"the connection broke":  rpc.FromConnect(connect.NewError(connect.CodeUnavailable, io.ErrUnexpectedEOF)),
		"the stream was closed": rpc.FromConnect(connect.NewError(connect.CodeCanceled, errors.New("reset"))),
		"no answer to read":     rpc.FromConnect(connect.NewError(connect.CodeInternal, &net.OpError{Op: "read", Err: io.EOF})),
	} {
		require.True(t, lost(err), name)
	}
	for name, err := range map[string]error{
		"none":              nil,
		"nobody was there":  rpc.FromConnect(connect.NewError(connect.CodeUnavailable, &net.OpError{Op: "dial", Err: io.EOF})),
		"generation's word": rpc.FromConnect(connect.NewWireError(connect.CodeUnavailable, errors.New("billing is away"))),
		"a refusal":         errs.New(errs.Invalid, 0, "No."),
	} {
		require.False(t, lost(err), name)
	}
}
