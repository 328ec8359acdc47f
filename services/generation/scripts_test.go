package generation

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/platform/auth"
)

// paragraphs of what fakeWriter writes.
func paragraphs(id string) (all []string) {
	for i := range passages {
		all = append(all, fmt.Sprintf("%s Passage %d is calm.", id, i))
	}
	return all
}

func TestScriptsAreAnsweredWhereTheyAreAskedFor(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	url, _ := h.service(h.fakes())
	c := client(t, "gateway", url)
	uid := h.member(8)
	ctx := auth.WithMember(t.Context(), uid.String())
	var ids []string
	for range 2 {
		created, err := c.CreateMeditation(ctx, createRequest())
		require.NoError(t, err)
		ids = append(ids, created.GetMeditation().GetId())
	}
	for _, id := range ids {
		h.ended(h.start(0, time.Minute), uid, uuid.MustParse(id))
	}

	plain, err := c.ListMeditations(ctx, &generationv1.ListMeditationsRequest{})
	require.NoError(t, err)
	require.Empty(t, plain.GetScripts())
	list, err := c.ListMeditations(ctx, &generationv1.ListMeditationsRequest{WithScripts: true})
	require.NoError(t, err)
	require.Len(t, list.GetScripts(), 2)
	for i, m := range list.GetMeditations() {
		require.Equal(t, paragraphs(m.GetId()), list.GetScripts()[i].GetParagraphs(), "in the order of the meditations")
	}
	one, err := c.GetMeditation(ctx, &generationv1.GetMeditationRequest{Id: ids[0], WithScript: true})
	require.NoError(t, err)
	require.Equal(t, paragraphs(ids[0]), one.GetScript().GetParagraphs())
	one, err = c.GetMeditation(ctx, &generationv1.GetMeditationRequest{Id: ids[0]})
	require.NoError(t, err)
	require.Nil(t, one.GetScript())
}

func TestAMeditationThatIsNotWrittenYetHasAnEmptyScript(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	uid := h.member(8)
	h.create(p, uid)
	page, _, _, err := p.List(t.Context(), uid, meditation.Active, 0, "")
	require.NoError(t, err)
	scripts, err := p.Scripts(t.Context(), page...)
	require.NoError(t, err)
	require.Len(t, scripts, 1)
	require.Empty(t, scripts[0].Passages)
}

// notingWriter notes the past that it is given.
type notingWriter struct {
	fakeWriter
	pasts *[][][]string
}

func (w notingWriter) Write(ctx context.Context, m meditation.Meditation) (recording.Script, error) {
	*w.pasts = append(*w.pasts, m.Past)
	return w.fakeWriter.Write(ctx, m)
}

// The writer gets what the member was told before, and no sentence of another member.
func TestTheWriterKnowsWhatTheMemberWasToldBefore(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	pasts := [][][]string{}
	p := h.start(1, time.Minute, func(ports *meditation.Ports) { ports.Writer = notingWriter{pasts: &pasts} })
	one, other := h.member(8), h.member(8)
	var made []meditation.Meditation
	for _, uid := range []uuid.UUID{one, other, one} {
		m := h.create(p, uid)
		h.ended(p, uid, m.ID)
		made = append(made, m)
	}
	require.Len(t, pasts, 3)
	require.Empty(t, pasts[0])
	require.Empty(t, pasts[1])
	require.Len(t, pasts[2], 1)
	require.Len(t, pasts[2][0], 2*passages)
	require.Equal(t, made[0].ID.String(), pasts[2][0][0])
}
