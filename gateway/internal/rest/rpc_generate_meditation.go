package rest

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	restv1 "serein.app/proto/gen/serein/rest/v1"
	"serein.app/services/platform/errs"
)

var (
	errFailed    = errs.New(errs.Internal, errorsv1.Reason_REASON_INTERNAL, "Failed to generate meditation. Please try again later.")
	errCancelled = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_CANCELED, "This meditation was cancelled.")
	errDeleted   = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_MEDITATION_DELETED, "This meditation was made and deleted. Another one needs another key.").On(idempotencyHeader)
)

const (
	// locationKey is where the answer's Location travels from the call to the HTTP answer.
	locationKey = "location"
)

// GenerateMeditation makes a meditation for the caller and waits for it, so long as callers are
// promised. The work goes on whether or not anybody waits. Once it is created it holds credits, and
// a caller who got an error would ask, and pay, again: so where its outcome, or even whether it was
// created, cannot be learnt the answer is where to look later. Errors: those of generation's CreateMeditation; INTERNAL and CANCELED
// where the work itself has ended so; TOO_MANY_REQUESTS, and nothing made, where too many wait.
func (a *API) GenerateMeditation(ctx context.Context, req *restv1.GenerateMeditationRequest) (*restv1.GenerateMeditationResponse, error) {
	if err := valid(req); err != nil {
		return nil, err
	}
	key, err := keyOf(ctx)
	if err != nil {
		return nil, err
	}
	leave, err := a.Streams.Enter(ctx, callerOf(ctx).uid) // before anything is made and charged
	if err != nil {
		return nil, a.titleBefore(ctx, req, err)
	}
	defer leave()
	names, err := a.names(ctx)
	if err != nil {
		return nil, a.titleBefore(ctx, req, err)
	}
	asked := &generationv1.CreateMeditationRequest{
		Title: req.GetTitle(), TypeId: names.id(kindType, req.GetMeditationType()), PracticeId: names.id(kindPractice, req.GetPracticeType()),
		SizeId: names.id(kindSize, req.GetDuration()), Immersive: req.GetImmersive(), IdempotencyKey: key,
		NarratorId: req.GetVoiceCode(), Language: req.GetLanguage(), KeepInside: req.GetKeepInside(),
	}
	waiting, stop := context.WithTimeout(ctx, a.Wait)
	defer stop()
	var created *generationv1.Meditation
	var failed error // of the creation; nil where the press was refused before
	err = a.Presses.Through(ctx, callerOf(ctx).key(), req.GetTitle(), func() error {
		created, failed = a.create(ctx, asked)
		return failed
	})
	if lost(failed) {
		a.Log.WarnContext(ctx, "answered without knowing whether a meditation was created", "request_id", requestID(ctx), "error", err)
		return later(ctx, "", asked.GetIdempotencyKey())
	}
	if err != nil {
		return nil, renamed(err)
	}
	a.await(waiting, created.GetId())
	return a.outcome(ctx, names, created.GetId(), asked.GetIdempotencyKey())
}

// outcome answers what became of the meditation of that id, which the request with that key has created.
func (a *API) outcome(ctx context.Context, names *names, id, key string) (*restv1.GenerateMeditationResponse, error) {
	res, err := a.Clients.Meditations.GetMeditation(ctx, &generationv1.GetMeditationRequest{Id: id, WithScript: true})
	if err != nil {
		a.Log.WarnContext(ctx, "answered without what became of the meditation", "meditation", id, "error", err)
		return later(ctx, id, key)
	}
	switch m := res.GetMeditation(); m.GetStage() { //nolint:exhaustive // everything else is still under way
	case generationv1.Stage_STAGE_READY:
		uid := callerOf(ctx).uid
		by, err := a.givenName(ctx, uid)
		if err != nil {
			return nil, err
		}
		item := a.meditation(m, names, uid, by)
		item.Content = content(res.GetScript())
		return &restv1.GenerateMeditationResponse{Id: id, Data: &restv1.GeneratedMeditation{
			Script: &restv1.Script{Title: m.GetTitle(), Content: item.GetContent()}, AudioUrl: item.GetAudioUrl(), DbItem: item,
		}}, nil
	case generationv1.Stage_STAGE_FAILED, generationv1.Stage_STAGE_REFUNDED:
		return nil, errFailed.Because(errors.New(m.GetFailureReason()))
	case generationv1.Stage_STAGE_CANCELLED:
		return nil, errCancelled
	case generationv1.Stage_STAGE_DELETED:
		return nil, errDeleted
	}
	return later(ctx, id, key)
}

// titleBefore answers the refusal of the title, or else err, which refused the request before generation saw it: a title that needs care
// is met with it in any case.
func (a *API) titleBefore(ctx context.Context, req *restv1.GenerateMeditationRequest, err error) error {
	return a.Presses.Judged(ctx, callerOf(ctx).key(), req.GetTitle(), err)
}

// later answers where the caller finds the meditation when it is ready: among all of the member's
// where its id is not known. With the key the caller may ask again for the same.
func later(ctx context.Context, id, key string) (*restv1.GenerateMeditationResponse, error) {
	location := "/api/bespokeMeditations"
	if id != "" {
		location += "?uid=" + url.QueryEscape(id)
	}
	return &restv1.GenerateMeditationResponse{Id: id}, grpc.SetHeader(ctx, metadata.Pairs(locationKey, location, idempotencyKey, key))
}

// await returns when the work has ended, or when it is time to answer without it. A stream that fails
// says nothing about the work, so it is no error.
func (a *API) await(ctx context.Context, id string) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-a.Stopping:
			cancel()
		case <-ctx.Done():
		}
	}()
	changes, err := a.Clients.Meditations.WatchMeditation(ctx, &generationv1.WatchMeditationRequest{Id: id})
	if err != nil {
		return
	}
	for changes.Receive() { // ends with the work or with ctx
	}
	_ = changes.Close()
}

// accepted answers 202 where the call says where to look later.
func accepted(ctx context.Context, w http.ResponseWriter, _ proto.Message) error {
	md, _ := runtime.ServerMetadataFromContext(ctx)
	if location := md.HeaderMD.Get(locationKey); len(location) > 0 {
		w.Header().Set("Location", location[0])
		w.Header()[idempotencyHeader] = md.HeaderMD.Get(idempotencyKey)
		w.WriteHeader(http.StatusAccepted)
	}
	return nil
}

// restFields are this contract's names of generation's and content's fields.
var restFields = map[string]string{
	"type_id": "meditationType", "practice_id": "practiceType", "size_id": "duration",
	"narrator_id": "voiceCode", "idempotency_key": idempotencyHeader, "type": "meditationType", "practice": "practiceType", "html": "formattedText",
	"generated_by": "generatedBy", "items": linesField, "plan_id": newPriceField,
}

// fieldOf names the field where generation's reason says which it is.
var fieldOf = map[errorsv1.Reason]string{
	errorsv1.Reason_REASON_UNKNOWN_TYPE: "meditationType", errorsv1.Reason_REASON_UNKNOWN_PRACTICE: "practiceType",
	errorsv1.Reason_REASON_UNKNOWN_SIZE: "duration", errorsv1.Reason_REASON_UNKNOWN_NARRATOR: "voiceCode",
	errorsv1.Reason_REASON_UNKNOWN_LANGUAGE: "language",
}

// renamed names the faulty field as the caller knows it.
func renamed(err error) error {
	var e *errs.Error
	if !errors.As(err, &e) {
		return err
	}
	if name, ok := restFields[e.Field]; ok {
		return e.On(name)
	}
	if name, ok := fieldOf[e.Reason]; ok {
		return e.On(name)
	}
	return err
}
