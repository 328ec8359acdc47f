package calls

import (
	"context"
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/e2e/suite"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// Whatever is asked about another member's meditation, the answer is that of one that never was.
func TestAnotherMembersMeditationDoesNotExist(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	owner, id := product.Narrating(ctx, t)
	heard := suite.SegmentURL(ctx, t, owner, id, 0)
	nothing := uuid.Must(uuid.NewV7()).String()
	other, err := product.NewMember(ctx)
	require.NoError(t, err)

	for who, browser := range map[string]*harness.Browser{"another member": other.Browser, "a visitor": product.NewBrowser()} {
		for name, ask := range questions {
			there, missing := harness.RefusalOf(ask(ctx, browser, id)), harness.RefusalOf(ask(ctx, browser, nothing))
			require.NotEmpty(t, there.Reason, "%s: %s", who, name)
			require.Equal(t, missing, there, "%s: %s", who, name)
		}
		for _, path := range []string{"/audio", "/download", "/segments/0", "/segments/9999"} {
			there, missing := sound(ctx, t, browser, id+path), sound(ctx, t, browser, nothing+path)
			require.NotEqual(t, http.StatusOK, there.StatusCode)
			require.Equal(t, missing.StatusCode, there.StatusCode, "%s: %s", who, path)
			require.Equal(t, missing.Body, there.Body)
			require.Equal(t, withoutDate(missing.Header), withoutDate(there.Header))
		}
	}
	list, err := other.Journey.ListBespoke(ctx, &webv1.ListBespokeRequest{})
	require.NoError(t, err)
	require.Empty(t, list.GetMeditations())

	found, err := owner.Meditation(ctx, id)
	require.NoError(t, err)
	require.Less(t, found.GetMeditation().GetStage(), webv1.Stage_STAGE_FAILED, "nobody else has cancelled it")
	require.NotEmpty(t, suite.Body(ctx, t, owner, heard))
	suite.Cancel(ctx, t, owner, id)
}

// questions about a meditation by id.
var questions = map[string]func(context.Context, *harness.Browser, string) error{
	"get": func(ctx context.Context, b *harness.Browser, id string) error {
		_, err := b.Generator.GetMeditation(ctx, &webv1.GetMeditationRequest{Id: id})
		return err
	},
	"watch": func(ctx context.Context, b *harness.Browser, id string) error {
		stream, err := b.Generator.WatchMeditation(ctx, &webv1.WatchMeditationRequest{Id: id})
		if err != nil {
			return err
		}
		defer func() { _ = stream.Close() }()
		stream.Receive()
		return stream.Err()
	},
	"cancel": func(ctx context.Context, b *harness.Browser, id string) error {
		_, err := b.Generator.CancelMeditation(ctx, &webv1.CancelMeditationRequest{Id: id})
		return err
	},
	"mark deleted": func(ctx context.Context, b *harness.Browser, id string) error {
		_, err := b.Journey.MarkBespokeDeleted(ctx, &webv1.MarkBespokeDeletedRequest{Id: id})
		return err
	},
	"recover": func(ctx context.Context, b *harness.Browser, id string) error {
		_, err := b.Journey.RecoverBespoke(ctx, &webv1.RecoverBespokeRequest{Id: id})
		return err
	},
	"rename": func(ctx context.Context, b *harness.Browser, id string) error {
		_, err := b.Journey.RenameBespoke(ctx, &webv1.RenameBespokeRequest{Id: id, Title: "A night"})
		return err
	},
	"look for its link": func(ctx context.Context, b *harness.Browser, id string) error {
		_, err := b.Sharing.GetShare(ctx, &webv1.GetShareRequest{Id: id})
		return err
	},
	"share": func(ctx context.Context, b *harness.Browser, id string) error {
		_, err := b.Sharing.ShareMeditation(ctx, &webv1.ShareMeditationRequest{Id: id})
		return err
	},
	"end its link": func(ctx context.Context, b *harness.Browser, id string) error {
		_, err := b.Sharing.EndShare(ctx, &webv1.EndShareRequest{Id: id})
		return err
	},
}

func TestOddIdsAreMeditationsThatDoNotExist(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	other, err := product.NewMember(ctx)
	require.NoError(t, err)
	for _, id := range []string{"", "1", markup, override, "../../etc/passwd", "00000000-0000-0000-0000-000000000000"} {
		for name, ask := range questions {
			refused := harness.RefusalOf(ask(ctx, other.Browser, id))
			require.Equal(t, []string{"not_found", "MEDITATION_NOT_FOUND"}, []string{refused.Code, refused.Reason}, "%s %q", name, id)
		}
	}
}

func sound(ctx context.Context, t *testing.T, b *harness.Browser, path string) harness.Page {
	t.Helper()
	page, err := b.Get(ctx, "/media/meditations/"+path)
	require.NoError(t, err)
	return page
}

func withoutDate(header http.Header) http.Header {
	header = header.Clone()
	header.Del("Date")
	return header
}
