package rest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/services/platform/deadline"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/rpc"
)

const (
	// idempotencyHeader makes a repeated request one: the same key is the same meditation.
	idempotencyHeader = "Idempotency-Key"
	idempotencyKey    = "idempotency-key"
	// maxKey is the longest key, in bytes.
	maxKey = 255
	// maxEnded is how many meditations of one request and day may have failed or been cancelled
	// before the caller must send an idempotency key to get another.
	maxEnded = 8
)

// createTime bounds one try to create a meditation.
var createTime = deadline.Of(10 * time.Second)

var errTooOften = errFailed.Because(errors.New("this request has failed or been cancelled too often today; another needs an " + idempotencyHeader))

// keySpace makes UUIDs of keys; the number itself means nothing.
var keySpace = uuid.MustParse("6e1f4a52-3f0c-4a5e-9d0a-2f6c1f6d8b11")

// keyOf is the caller's idempotency key as the UUID that generation asks for; empty where the
// caller sends none.
func keyOf(ctx context.Context) (string, error) {
	md, _ := metadata.FromIncomingContext(ctx)
	sent := md.Get(idempotencyKey)
	if len(sent) == 0 || sent[0] == "" {
		return "", nil
	}
	if len(sent) > 1 || len(sent[0]) > maxKey {
		return "", rpc.ErrInvalid.On(idempotencyHeader)
	}
	if key, err := uuid.Parse(sent[0]); err == nil {
		return key.String(), nil
	}
	return uuid.NewSHA1(keySpace, []byte(sent[0])).String(), nil
}

// keyOrNew is the caller's idempotency key, or a new one: without theirs each request is another.
func keyOrNew(ctx context.Context) (string, error) {
	key, err := keyOf(ctx)
	if err != nil || key != "" {
		return key, err
	}
	return uuid.NewString(), nil
}

// keyOfDay is the key of a request without one: the same request of a member is the same meditation
// all day, in UTC. Made again it would have the same script, which comes of what is asked for and the
// day; and who repeats a request whose answer was lost is not charged twice.
func keyOfDay(asked *generationv1.CreateMeditationRequest, now time.Time) (string, error) {
	content, err := proto.MarshalOptions{Deterministic: true}.Marshal(asked)
	if err != nil {
		return "", fmt.Errorf("key of a request: %w", err)
	}
	return uuid.NewSHA1(keySpace, append([]byte(now.UTC().Format(time.DateOnly)), content...)).String(), nil
}

// itemID is the id under which something is published: the request's, or the one of its idempotency key, or else a new one.
func itemID(ctx context.Context, sent string) (string, error) {
	if sent != "" {
		id, err := uuid.Parse(sent)
		if err != nil {
			return "", rpc.ErrInvalid.On("id").Because(err)
		}
		return id.String(), nil
	}
	key, err := keyOf(ctx)
	if err != nil || key == "" {
		return uuid.NewString(), err
	}
	return uuid.NewSHA1(keySpace, []byte(callerOf(ctx).key()+" "+key)).String(), nil // ids are the whole house's, keys a caller's
}

// create makes a meditation, or finds the one that the same key made. Without a key it finds the
// day's, unless that has failed, or was cancelled or deleted: nothing is left of it that could be answered.
func (a *API) create(ctx context.Context, asked *generationv1.CreateMeditationRequest) (*generationv1.Meditation, error) {
	if asked.GetIdempotencyKey() != "" {
		return a.createOnce(ctx, asked)
	}
	key, err := keyOfDay(asked, a.Now())
	if err != nil {
		return nil, err
	}
	for n := range maxEnded {
		asked.IdempotencyKey = uuid.NewSHA1(keySpace, fmt.Append(nil, key, n)).String()
		m, err := a.createOnce(ctx, asked)
		if err != nil || !nothingLeft(m) {
			return m, err
		}
	}
	return nil, errTooOften
}

// nothingLeft says that the work has ended without a recording, or that its member wants that gone.
func nothingLeft(m *generationv1.Meditation) bool {
	s := m.GetStage()
	return s == generationv1.Stage_STAGE_FAILED || s == generationv1.Stage_STAGE_CANCELLED || s == generationv1.Stage_STAGE_REFUNDED || m.GetDeletesAt() != nil
}

// createOnce asks a second time, with the same key, where the first answer was lost.
func (a *API) createOnce(ctx context.Context, asked *generationv1.CreateMeditationRequest) (*generationv1.Meditation, error) {
	m, err := a.tryCreate(ctx, asked)
	if lost(err) && ctx.Err() == nil {
		m, err = a.tryCreate(ctx, asked)
	}
	return m, err
}

func (a *API) tryCreate(ctx context.Context, asked *generationv1.CreateMeditationRequest) (*generationv1.Meditation, error) {
	ctx, cancel := context.WithTimeout(ctx, createTime)
	defer cancel()
	created, err := a.Clients.Meditations.CreateMeditation(ctx, asked)
	a.View.Acted(callerOf(ctx).uid)
	return created.GetMeditation(), err
}

// lost says whether an error leaves open what generation did: the time was over, or the connection
// broke after it had been made. An error that generation answered is its last word.
func lost(err error) bool {
	switch errs.KindOf(err) { //nolint:exhaustive // no other kind is a lost answer's
	case errs.DeadlineExceeded:
		return true
	case errs.Unavailable, errs.Internal, errs.Canceled:
		var dial *net.OpError
		return err != nil && !connect.IsWireError(err) && (!errors.As(err, &dial) || dial.Op != "dial")
	}
	return false
}
