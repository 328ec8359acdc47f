package generation

import (
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/stretchr/testify/require"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/services/platform/auth"
)

func TestOneProcessAnswersAndAnotherNarrates(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	cfg := h.config()
	cfg.Role = Requests
	answering, _ := h.serve(cfg, h.fakes())
	cfg.Role = Narration
	narrating, _ := h.serve(cfg, h.fakes())
	require.Eventually(t, func() bool { return h.count(`SELECT count(*) FROM workers WHERE lost_at IS NULL`) == 1 }, waitFor, 5*time.Millisecond,
		"the process that narrates is the one worker")

	ctx := auth.WithMember(t.Context(), h.member(8).String())
	created, err := client(t, "gateway", answering).CreateMeditation(ctx, createRequest())
	require.NoError(t, err)
	id := created.GetMeditation().GetId()
	require.Eventually(t, func() bool {
		found, err := client(t, "gateway", answering).GetMeditation(ctx, &generationv1.GetMeditationRequest{Id: id})
		return err == nil && found.GetMeditation().GetStage() == generationv1.Stage_STAGE_READY
	}, waitFor, 5*time.Millisecond)
	require.Equal(t, 1, h.count(`SELECT count(*) FROM workers`), "the process that answers makes none")

	_, err = client(t, "gateway", narrating).GetMeditation(ctx, &generationv1.GetMeditationRequest{Id: id})
	require.Equal(t, connect.CodeUnimplemented, connect.CodeOf(err))
}

func TestARoleIsOneOfThree(t *testing.T) {
	t.Parallel()
	for _, role := range []Role{AllRoles, Requests, Narration} {
		require.NoError(t, role.validate())
	}
	require.EqualError(t, Role("sleeper").validate(), "GENERATION_ROLE: want all, requests or narration")
}
