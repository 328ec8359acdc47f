package gateway

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/platform/errs"
)

// RFC 9110, section 10.2.3: Retry-After says when, to a browser and to a program.
func TestRFC9110AFullStudioSaysWhenToTryAgain(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	const sentence = "The studio is full. Try again in about 2 minutes."
	full := errs.New(errs.Exhausted, errorsv1.Reason_REASON_GENERATION_BUSY, sentence)
	s.services.failing(generationv1connect.MeditationServiceCreateMeditationProcedure, full.After(100*time.Second+time.Millisecond))

	screen := b.call(t, generator+"Generate", `{"idempotencyKey":"0192f0c1-0000-7000-8000-0000000000ff"}`)
	require.Equal(t, http.StatusTooManyRequests, screen.StatusCode)
	require.Equal(t, "101", screen.Header.Get("Retry-After"), "never sooner than it is true")
	require.Contains(t, screen.body, sentence)

	program := b.own(t, http.MethodPost, "/api/generateMeditation", wanted)
	require.Equal(t, sentence, program.failed(t, http.StatusTooManyRequests, "GENERATION_BUSY").Error)
	require.Equal(t, "101", program.Header.Get("Retry-After"))
}
