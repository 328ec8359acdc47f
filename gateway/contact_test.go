package gateway

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/proto/gen/serein/mail/v1/mailv1connect"
	"serein.app/services/platform/crowd"
	"serein.app/services/platform/errs"
)

const (
	sendMessage = "/serein.web.v1.ContactService/SendMessage"
	letterBody  = `{"name":"Zoë","email":"zoe@example.org","phone":"+44 20","message":"May I keep it?","idempotencyKey":"0192f0c1-0000-7000-8000-0000000000fe"}`
)

func TestALetterOfAVisitorReachesTheMailServiceAsItWasWritten(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	require.Equal(t, http.StatusOK, s.gateways[0].browser(t).call(t, sendMessage, letterBody).StatusCode)
	require.Len(t, s.services.letters, 1)
	got := s.services.letters[0]
	require.Equal(t, []string{"Zoë", "zoe@example.org", "+44 20", "May I keep it?", "0192f0c1-0000-7000-8000-0000000000fe"},
		[]string{got.GetName(), got.GetEmail(), got.GetPhone(), got.GetMessage(), got.GetIdempotencyKey()})
}

func TestALetterThatIsIncompleteReachesNobody(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	for what, body := range map[string]string{
		"no name":         strings.Replace(letterBody, "Zoë", "", 1),
		"no email":        strings.Replace(letterBody, "zoe@example.org", "", 1),
		"half an email":   strings.Replace(letterBody, "zoe@example.org", "zoe@example", 1),
		"no message":      strings.Replace(letterBody, "May I keep it?", "", 1),
		"a long message":  strings.Replace(letterBody, "May I keep it?", strings.Repeat("a", 5001), 1),
		"no key":          strings.Replace(letterBody, "0192f0c1-0000-7000-8000-0000000000fe", "", 1),
		"a key of no use": strings.Replace(letterBody, "0192f0c1-0000-7000-8000-0000000000fe", "again", 1),
	} {
		require.Equal(t, http.StatusBadRequest, b.call(t, sendMessage, body).StatusCode, what)
	}
	require.Empty(t, s.services.letters)
}

func TestLettersOfOneAddressAreFewAndCountedOverBothReplicas(t *testing.T) {
	t.Parallel()
	s := start(t, 2, scaled(1))
	var refused answer
	for i := range crowd.Size + 3 {
		if got := s.gateways[i%2].browser(t).call(t, sendMessage, letterBody); got.StatusCode != http.StatusOK {
			refused = got
		}
	}
	require.Len(t, s.services.letters, crowd.Size)
	require.Equal(t, http.StatusTooManyRequests, refused.StatusCode)
	require.Contains(t, refused.body, "resource_exhausted")
	require.NotEmpty(t, refused.Header.Get("Retry-After"))
}

func TestWhoeverWritesHearsWhatIsWrongWithTheirAddress(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.failing(mailv1connect.MailServiceSendContactMessageProcedure,
		errs.New(errs.Invalid, errorsv1.Reason_REASON_ADDRESS_INVALID, "That doesn’t look like an email address.").On("email"))
	got := s.gateways[0].browser(t).call(t, sendMessage, letterBody)
	require.Equal(t, http.StatusBadRequest, got.StatusCode)
	require.Equal(t, "ADDRESS_INVALID", got.reason(t))

	s.services.failing(mailv1connect.MailServiceSendContactMessageProcedure, errAway)
	require.Equal(t, http.StatusServiceUnavailable, s.gateways[0].browser(t).call(t, sendMessage, letterBody).StatusCode)
}
