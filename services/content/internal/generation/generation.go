// Package generation has texts narrated by the generation service, for package narrate.
package generation

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/content/internal/narrate"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/rpc"
)

// service is its name, as the audience of our proof.
const service = "generation"

// Narrator is the client.
type Narrator struct {
	client generationv1connect.NarrationServiceClient
	dialer *rpc.Dialer
	url    string
}

var _ narrate.Narrator = (*Narrator)(nil)

// New makes a client of the service at that address.
func New(d *rpc.Dialer, address string) *Narrator {
	return &Narrator{generationv1connect.NewNarrationServiceClient(d.To(service, address)), d, address}
}

// Start takes a script on.
func (n *Narrator) Start(ctx context.Context, id string, s narrate.Script) (narrate.Status, error) {
	req := &generationv1.StartNarrationRequest{Id: id, NarratorId: s.NarratorID, Immersive: s.Immersive}
	for _, p := range s.Passages {
		req.Passages = append(req.Passages, &generationv1.Passage{Sentences: p.Sentences, PauseMs: int32(p.Pause.Milliseconds())})
	}
	res, err := n.client.StartNarration(ctx, req)
	return toStatus(res.GetNarration()), refusal(err)
}

// Get answers how far it is.
func (n *Narrator) Get(ctx context.Context, id string) (narrate.Status, error) {
	res, err := n.client.GetNarration(ctx, &generationv1.GetNarrationRequest{Id: id})
	if err != nil && errs.KindOf(err) == errs.NotFound {
		return narrate.Status{}, narrate.ErrUnknown
	}
	return toStatus(res.GetNarration()), refusal(err)
}

// refusal marks what the service says about the script itself.
func refusal(err error) error {
	if err == nil {
		return nil
	}
	switch errs.KindOf(err) { //nolint:exhaustive // the rest is no answer about the script
	case errs.Invalid, errs.Conflict, errs.FailedPrecondition:
		return narrate.RefusalError{Because: err}
	}
	return err
}

// Sound gives the MP3 of what is ready.
func (n *Narrator) Sound(ctx context.Context, id string) (io.ReadCloser, error) {
	return n.file(ctx, id, "audio")
}

// Words gives the WebVTT of what is ready.
func (n *Narrator) Words(ctx context.Context, id string) (io.ReadCloser, error) {
	return n.file(ctx, id, "words")
}

func (n *Narrator) file(ctx context.Context, id, name string) (io.ReadCloser, error) {
	address, err := url.JoinPath(n.url, "/v1/narrations/", id, name)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	if err := n.dialer.Sign(req, service); err != nil {
		return nil, err
	}
	res, err := n.dialer.HTTP().Do(req)
	if err != nil {
		return nil, errs.ErrUnavailable.Because(err)
	}
	if res.StatusCode == http.StatusOK {
		return res.Body, nil
	}
	_ = res.Body.Close()
	err = fmt.Errorf("the %s of %s: %s", name, id, res.Status)
	switch res.StatusCode {
	case http.StatusNotFound:
		return nil, narrate.ErrUnknown
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusBadGateway, http.StatusServiceUnavailable:
		return nil, errs.ErrUnavailable.Because(err)
	}
	return nil, err
}

func toStatus(n *generationv1.Narration) narrate.Status {
	stages := map[generationv1.NarrationStage]narrate.Stage{
		generationv1.NarrationStage_NARRATION_STAGE_NARRATING: narrate.StageNarrating,
		generationv1.NarrationStage_NARRATION_STAGE_READY:     narrate.StageReady,
		generationv1.NarrationStage_NARRATION_STAGE_FAILED:    narrate.StageFailed,
	}
	return narrate.Status{
		Stage: stages[n.GetStage()], Done: int(n.GetPassagesDone()), Total: int(n.GetPassagesTotal()),
		Length: time.Duration(n.GetDurationMs()) * time.Millisecond, Bytes: n.GetBytes(), Reason: n.GetFailureReason(),
	}
}
