package identity_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider/types"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"serein.app/services/identity/internal/account"
)

// replacePassword has a member choose another password in another browser, and sign out there.
func (b *harness) replacePassword(a account.Account) {
	b.t.Helper()
	m := b.signedIn(a, true)
	require.NoError(b.t, b.accounts.ChangePassword(b.t.Context(), m, goodPassword, otherPassword))
	require.NoError(b.t, b.store.EndSession(b.t.Context(), uuid.MustParse(m.SID), b.clock.Now()))
	require.Equal(b.t, a.Username, b.nextMail().GetPasswordChanged().GetUsername())
}

func TestAPasswordThatIsReplacedWhileItSignsInSignsNobodyIn(t *testing.T) {
	t.Parallel()
	for name, signedInBefore := range map[string]bool{"in another browser": false, "where its member was signed in": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t).serve()
			amara, client, br := b.member("amara"), b.rp(), b.browser()
			if signedInBefore {
				br.signIn(client, "amara")
			}
			form := br.open(client, oauth2.GenerateVerifier(), oauth2.SetAuthURLParam("prompt", "login"))
			b.work.proved = func() { b.replacePassword(amara) }
			refused := br.submit(form, "amara", goodPassword)
			require.Equal(t, http.StatusUnauthorized, refused.status, refused.body)
			require.Contains(t, refused.body, `value="amara"`, "asked again")
			require.Zero(t, b.count(`SELECT count(*) FROM sessions`))
			require.Equal(t, http.StatusFound, br.submit(refused, "amara", otherPassword).status)
		})
	}
}

func TestAPasswordThatIsReplacedWhileAProgramBringsItGivesNoTokens(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	amara := b.member("amara")
	api, _ := b.sdk()
	b.work.proved = func() { b.replacePassword(amara) }
	_, err := api.InitiateAuth(t.Context(), passwordAuth("desk", deskSecret, "amara", goodPassword))
	var refused *types.NotAuthorizedException
	require.ErrorAs(t, err, &refused)
	require.Zero(t, b.count(`SELECT count(*) FROM sessions`))
}

func TestAPasswordThatIsReplacedBeforeTheCodeBesideItIsAskedForAgain(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	amara, client := b.member("amara"), b.rp()
	phone := b.turnOn(amara)
	phone.later()
	br, asked, _ := b.atCode(client, "amara")
	b.replacePassword(amara)
	answer := br.code(asked, phone.shows(0))
	require.Equal(t, http.StatusOK, answer.status)
	require.Contains(t, answer.body, "Enter your password to sign in.")
	require.Zero(t, b.count(`SELECT count(*) FROM sessions`))
}

func TestAnOldPasswordUndoesNoDeletion(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	amara, client, br := b.member("amara"), b.rp(), b.browser()
	b.leaves(amara)
	b.nextMail() // the receipt
	keep := br.submit(br.open(client, oauth2.GenerateVerifier()), "amara", goodPassword)
	require.Equal(t, "/sign-in/keep", keep.at.Path)
	require.NoError(t, b.accounts.ForgotPassword(t.Context(), here, "amara"))
	code := b.nextMail().GetPasswordReset().GetCode()
	require.NoError(t, b.accounts.ConfirmForgotPassword(t.Context(), here, "amara", code, otherPassword))
	b.nextMail()
	answer := br.post("/sign-in/keep", keep.fields())
	require.Contains(t, answer.body, "Enter your password to sign in.")
	require.Equal(t, 1, b.count(`SELECT count(*) FROM accounts WHERE deletes_at > $1`, b.clock.Now().Add(time.Hour)))
}
