// Package bare holds handlers that do what the product does with nothing around it: no session,
// limits, proofs, headers, checks or traces. They are the limits that measurements are held
// against, in the gateway's benchmarks and in deploy/load, and serve nobody else.
package bare

import (
	"context"
	"maps"
	"net"
	"net/http"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/proto/gen/serein/web/v1/webv1connect"
)

// ID is the meditation that Service answers with.
const ID = "0199f0d2-0000-7000-8000-000000000001"

// Handler answers every request with the same bytes, lines of the header and body, as net/http alone does.
func Handler(header http.Header, body []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		maps.Copy(w.Header(), header)
		_, _ = w.Write(body)
	})
}

// Echo answers GetSession through connect-go with a small message.
func Echo() http.Handler {
	_, handler := webv1connect.NewSessionServiceHandler(sessions{})
	return handler
}

type sessions struct {
	webv1connect.UnimplementedSessionServiceHandler
}

func (sessions) GetSession(context.Context, *webv1.GetSessionRequest) (*webv1.GetSessionResponse, error) {
	return &webv1.GetSessionResponse{Member: &webv1.Member{Uid: "u", GivenName: "Ada"}}, nil
}

// Service is a service behind a gateway: connect-go answering GetMeditation with one meditation.
func Service() http.Handler {
	_, handler := generationv1connect.NewMeditationServiceHandler(meditations{})
	return handler
}

type meditations struct {
	generationv1connect.UnimplementedMeditationServiceHandler
}

func (meditations) GetMeditation(context.Context, *generationv1.GetMeditationRequest) (*generationv1.GetMeditationResponse, error) {
	return &generationv1.GetMeditationResponse{Meditation: &generationv1.Meditation{
		Id: ID, Title: "A kind evening", TypeId: "gratitude", PracticeId: "zen", SizeId: "reset", NarratorName: "Wren",
		Stage: generationv1.Stage_STAGE_READY, CreatedAt: timestamppb.New(time.Unix(1_763_000_000, 0)), Cost: 1, PassagesTotal: 3,
	}}, nil
}

// hopConns are kept to the service, enough for all who call at once.
const hopConns = 256

// Hop is a gateway that forwards GetMeditation to Service at that address over HTTP/1.1.
func Hop(service string) http.Handler {
	client := &http.Client{Transport: &http.Transport{
		MaxIdleConnsPerHost: hopConns, DialContext: (&net.Dialer{}).DialContext, DisableCompression: true,
	}}
	_, handler := webv1connect.NewGeneratorServiceHandler(hop{
		meditations: generationv1connect.NewMeditationServiceClient(client, service),
	})
	return handler
}

type hop struct {
	webv1connect.UnimplementedGeneratorServiceHandler

	meditations generationv1connect.MeditationServiceClient
}

func (h hop) GetMeditation(ctx context.Context, req *webv1.GetMeditationRequest) (*webv1.GetMeditationResponse, error) {
	res, err := h.meditations.GetMeditation(ctx, &generationv1.GetMeditationRequest{Id: req.GetId()})
	if err != nil {
		return nil, err
	}
	return &webv1.GetMeditationResponse{Meditation: &webv1.Meditation{
		Id: res.GetMeditation().GetId(), Title: res.GetMeditation().GetTitle(),
	}}, nil
}
