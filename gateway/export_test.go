package gateway

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	"serein.app/proto/gen/serein/basket/v1/basketv1connect"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/proto/gen/serein/mail/v1/mailv1connect"
	"serein.app/services/testkit/issuer"
)

const makeExport = "/serein.web.v1.ExportService/MakeExport"

// link is a new one to the member's copy.
func (b *browser) link(t *testing.T) string {
	t.Helper()
	made := b.call(t, makeExport, "{}")
	require.Equal(t, http.StatusOK, made.StatusCode, made.body)
	url, _ := at(t, tree(t, made.body), "url").(string)
	return url
}

// unpacked is what a copy contains, by its name below the copy's folder.
func unpacked(t *testing.T, a answer) map[string]string {
	t.Helper()
	require.Equal(t, http.StatusOK, a.StatusCode, a.body)
	z, err := zip.NewReader(strings.NewReader(a.body), int64(len(a.body)))
	require.NoError(t, err)
	files := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		require.NoError(t, err)
		body, err := io.ReadAll(r)
		require.NoError(t, err, "its checksum holds")
		_, below, _ := strings.Cut(f.Name, "/")
		require.Equal(t, path.Clean(f.Name), f.Name)
		require.NotContains(t, files, below)
		files[below] = string(body)
	}
	return files
}

// below are the names of a folder's files.
func below(files map[string]string, folder string) (names []string) {
	for name := range files {
		if strings.HasPrefix(name, folder) {
			names = append(names, name)
		}
	}
	return names
}

// awkward is a title that neither a page nor a name of a file may take at its word.
const awkward = `<b>"Quiet" ../harbour</b>`

// records is a stack whose member has two meditations, one of which was lost before it was ready.
func records(t *testing.T) (*stack, *browser) {
	t.Helper()
	s := start(t, 1)
	m := meditation(mine, generationv1.Stage_STAGE_READY)
	m.Title = awkward
	s.services.give(s.uid(), m, &generationv1.Segment{Lines: []*generationv1.Line{{Text: "Welcome."}, {Text: "Sit."}}})
	s.services.give(s.uid(), meditation("0192f0c1-0000-7000-8000-0000000000a2", generationv1.Stage_STAGE_REFUNDED))
	s.services.give(someone, meditation(theirs, generationv1.Stage_STAGE_READY))
	return s, s.member(t)
}

func TestACopyHasEverythingOfAMemberAndOpensWithoutUs(t *testing.T) {
	t.Parallel()
	s, b := records(t)
	made := tree(t, b.call(t, makeExport, "{}").body)
	url, _ := made["url"].(string)
	got := b.get(t, url)
	files := unpacked(t, got)
	require.Equal(t, "application/zip", got.Header.Get("Content-Type"))
	require.Equal(t, "private, no-store", got.Header.Get("Cache-Control"))
	require.Contains(t, got.Header.Get("Content-Disposition"), made["fileName"])
	require.Equal(t, s.clock.Now().Add(24*time.Hour).UTC().Format(time.RFC3339), made["expiresAt"])
	require.Equal(t, made["bytes"], got.Header.Get("Content-Length"), "the browser shows how far it is")
	require.EqualValues(t, len(got.body), got.ContentLength)

	for name, body := range files {
		if strings.HasSuffix(name, ".json") {
			require.True(t, json.Valid([]byte(body)), name)
		}
	}
	require.Contains(t, files["data/profile.json"], s.uid())
	const name = "2025-11-13-b-quiet-harbour-b-000000a1"
	require.ElementsMatch(t, []string{"audio/" + name + ".mp3"}, below(files, "audio/"))
	require.Equal(t, sha256.Sum256(audio), sha256.Sum256([]byte(files["audio/"+name+".mp3"])), "byte for byte")
	require.Equal(t, awkward+"\n\nWelcome. Sit.\n", files["transcripts/"+name+".txt"])
	require.Contains(t, files["data/apps.json"], "serein.user.read")
	for _, line := range []string{"Slept.", "Sat by myself."} { // of both pages
		require.Contains(t, files["data/diary.json"], line)
		require.Contains(t, files["index.html"], line)
	}
	page := files["index.html"]
	require.Contains(t, page, "The &lt;Companion&gt;")
	require.Contains(t, page, "<td>openid, serein.user.read</td>")
	require.Contains(t, page, html.EscapeString(awkward))
	require.NotContains(t, page, "<script")
	require.Contains(t, page, "This one has no recording.")
	require.Contains(t, page, "The lake after rain: at 1:01, 3 November 2026")
	links := regexp.MustCompile(`(?:href|src)="([^"]+)"`).FindAllStringSubmatch(page, -1)
	require.NotEmpty(t, links)
	linked := map[string]bool{"index.html": true}
	for _, l := range links {
		require.Contains(t, files, l[1], "what the page leads to is in the copy")
		linked[l[1]] = true
	}
	for file := range files {
		require.True(t, linked[file], "%s can be reached from the page", file)
	}
	for _, body := range files {
		require.NotContains(t, body, theirs)
	}
}

func TestACopyListsWhatIsDeletedAndHasTheSoundOfWhatCanBeRecovered(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	marked, gone := meditation(mine, generationv1.Stage_STAGE_READY), meditation("0192f0c1-0000-7000-8000-0000000000a2", generationv1.Stage_STAGE_DELETED)
	day := func(days time.Duration) time.Time { return s.clock.Now().Add(days * 24 * time.Hour).UTC() }
	marked.DeletesAt, gone.DeletesAt = timestamppb.New(day(1)), timestamppb.New(day(-1))
	s.services.give(s.uid(), marked)
	s.services.give(s.uid(), gone)
	b := s.member(t)
	files := unpacked(t, b.get(t, b.link(t)))
	require.Len(t, below(files, "audio/"), 1)
	require.Contains(t, files["index.html"], "You deleted it; it can be recovered until "+day(1).Format("2 January 2006, 15:04 UTC")+".")
	require.Contains(t, files["index.html"], "Deleted on "+day(-1).Format("2 January 2006, 15:04 UTC")+".")
	require.Contains(t, files["data/meditations.json"], "STAGE_DELETED")
}

func TestALinkIsOneDownloadOfItsMemberWithinADay(t *testing.T) {
	t.Parallel()
	s, b := records(t)
	link := b.link(t)
	visitor, other := s.gateways[0].browser(t), s.other(t)
	require.Equal(t, http.StatusUnauthorized, visitor.get(t, link).StatusCode)
	require.Equal(t, http.StatusNotFound, other.get(t, link).StatusCode)
	require.Equal(t, http.StatusNotFound, b.send(t, http.MethodHead, link, nil).StatusCode, "a look is no download")
	require.Equal(t, http.StatusNotFound, b.get(t, "/media/exports/junk").StatusCode)
	unpacked(t, b.get(t, link))
	gone := b.get(t, link)
	require.Equal(t, http.StatusNotFound, gone.StatusCode)
	require.Contains(t, gone.body, "That link has been used")

	first := b.link(t)
	second := b.link(t)
	require.Equal(t, http.StatusNotFound, b.get(t, first).StatusCode, "the newest alone")
	s.redis.FastForward(24 * time.Hour)
	require.NotEqual(t, http.StatusOK, b.get(t, second).StatusCode)
}

func TestHalfACopyIsNone(t *testing.T) {
	t.Parallel()
	s, b := records(t)
	link := b.link(t)
	for _, procedure := range []string{
		identityv1connect.UserServiceGetUserProcedure, identityv1connect.ConsentServiceGetConsentsProcedure, identityv1connect.AppServiceListAppConsentsProcedure, identityv1connect.DeviceServiceListDevicesProcedure,
		identityv1connect.PasskeyServiceListPasskeysProcedure, identityv1connect.SecondStepServiceGetSecondStepProcedure, billingv1connect.AccountServiceGetAccountProcedure, billingv1connect.ReferralServiceGetReferralsProcedure,
		billingv1connect.LedgerServiceListLedgerEntriesProcedure, billingv1connect.OrderServiceListOrdersProcedure, basketv1connect.BasketServiceGetBasketProcedure,
		contentv1connect.ItemServiceListKeptProcedure, contentv1connect.PlaceServiceExportPlacesProcedure, contentv1connect.CourseServiceExportCoursesProcedure, contentv1connect.DiaryServiceListEntriesProcedure, mailv1connect.PreferenceServiceGetPreferencesProcedure, generationv1connect.MeditationServiceListMeditationsProcedure,
	} {
		s.services.failing(procedure, errAway)
		require.Equal(t, http.StatusServiceUnavailable, b.get(t, link).StatusCode, procedure)
		s.services.failing(procedure, nil)
	}
	unpacked(t, b.get(t, link)) // the link was good all the while
}

// A recording that is lost while it is copied breaks the download off: what came is not taken for the whole.
func TestACopyThatIsCutShortIsSeenToBe(t *testing.T) {
	t.Parallel()
	s, b := records(t)
	link := b.link(t)
	s.services.mu.Lock()
	s.services.cut = true
	s.services.mu.Unlock()
	_, err := b.try(t.Context(), http.MethodGet, link, bytes.NewReader(nil))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

// stalls asks for a copy and reads no more of it than the status, which it answers.
func (r *running) stalls(t *testing.T, b *browser, link string) string {
	t.Helper()
	conn, site := r.dial(t), &url.URL{Scheme: "https", Host: r.host}
	ask := fmt.Sprintf("GET %s HTTP/1.1\r\nHost: %s\r\n", link, r.host)
	for _, c := range b.Jar.Cookies(site) {
		ask += fmt.Sprintf("Cookie: %s=%s\r\n", c.Name, c.Value)
	}
	_, err := io.WriteString(conn, ask+"\r\n")
	require.NoError(t, err)
	status := make([]byte, len("HTTP/1.1 200"))
	_, err = io.ReadFull(conn, status)
	require.NoError(t, err)
	return string(status)
}

func TestSlowReadersStopNobodysCopy(t *testing.T) {
	t.Parallel()
	s, b := records(t)
	const readers, recordings = 6, 12 // more bytes than connections hold
	for reader := range readers {
		uid := fmt.Sprintf("0192f0c1-0000-7000-8000-0000000010%02d", reader)
		for n := range recordings {
			s.services.give(uid, meditation(fmt.Sprintf("0192f0c1-0000-7000-8000-00000000%02d%02d", 20+reader, n), generationv1.Stage_STAGE_READY))
		}
		s.op.With(func(b *issuer.Behaviour) { b.Subject = uid })
		slow := s.member(t)
		require.Equal(t, "HTTP/1.1 200", s.gateways[0].stalls(t, slow, slow.link(t)))
		next := slow.link(t)
		require.Equal(t, http.StatusTooManyRequests, slow.get(t, next).StatusCode, "one at a time")
	}
	unpacked(t, b.get(t, b.link(t)))
}

func TestOnlyALinkHasACopyGathered(t *testing.T) {
	t.Parallel()
	s, b := records(t)
	b.link(t)
	s.services.failing(identityv1connect.UserServiceGetUserProcedure, errAway)
	require.Equal(t, http.StatusNotFound, b.get(t, "/media/exports/"+mine).StatusCode)
}

func TestDownloadsThatEndEarlyAreCounted(t *testing.T) {
	t.Parallel()
	s := start(t, 1, scaled(1))
	b := s.member(t)
	link := b.link(t)
	s.services.failing(identityv1connect.UserServiceGetUserProcedure, errAway)
	for range 3 {
		require.Equal(t, http.StatusServiceUnavailable, b.get(t, link).StatusCode)
	}
	require.Equal(t, http.StatusTooManyRequests, b.get(t, link).StatusCode)
	s.services.failing(identityv1connect.UserServiceGetUserProcedure, nil)
	s.clock.Move(10 * time.Minute)
	unpacked(t, b.get(t, link))
}
