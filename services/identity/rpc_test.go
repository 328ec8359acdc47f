package identity_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/rpc"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	platformrpc "serein.app/services/platform/rpc"
	"serein.app/services/testkit"
)

// answering is the service's RPC over real HTTP, with its proof of caller.
type answering struct {
	*harness
	url string
}

func (b *harness) answer() *answering {
	b.t.Helper()
	handlers, err := platformrpc.NewServer(testkit.Verifier(b.t, "identity"), rpc.Policy(), testkit.Telemetry(b.t))
	require.NoError(b.t, err)
	mux := http.NewServeMux()
	mux.Handle(identityv1connect.NewInviteServiceHandler(rpc.NewInvite(b.accounts), handlers.Options()...))
	mux.Handle(identityv1connect.NewUserServiceHandler(rpc.NewUser(b.accounts), handlers.Options()...))
	mux.Handle(identityv1connect.NewConsentServiceHandler(rpc.NewConsent(b.accounts), handlers.Options()...))
	if b.provider != nil {
		mux.Handle(identityv1connect.NewSignUpServiceHandler(rpc.NewSignUp(account.Own{Service: b.accounts}, b.provider), handlers.Options()...))
		mux.Handle(identityv1connect.NewPasskeyServiceHandler(rpc.NewPasskey(b.passkeys), handlers.Options()...))
		mux.Handle(identityv1connect.NewSecondStepServiceHandler(rpc.NewSecondStep(b.second), handlers.Options()...))
		mux.Handle(identityv1connect.NewAppServiceHandler(rpc.NewApp(b.provider), handlers.Options()...))
		mux.Handle(identityv1connect.NewDeviceServiceHandler(rpc.NewDevice(b.provider), handlers.Options()...))
	}
	server := httptest.NewServer(mux)
	b.t.Cleanup(server.Close)
	return &answering{b, server.URL}
}

func (a *answering) users(as string) identityv1connect.UserServiceClient {
	return identityv1connect.NewUserServiceClient(testkit.Dialer(a.t, as).To("identity", a.url))
}

func (a *answering) consents(as string) identityv1connect.ConsentServiceClient {
	return identityv1connect.NewConsentServiceClient(testkit.Dialer(a.t, as).To("identity", a.url))
}

func (a *answering) devices(as string) identityv1connect.DeviceServiceClient {
	return identityv1connect.NewDeviceServiceClient(testkit.Dialer(a.t, as).To("identity", a.url))
}

func (a *answering) passkeyCalls(as string) identityv1connect.PasskeyServiceClient {
	return identityv1connect.NewPasskeyServiceClient(testkit.Dialer(a.t, as).To("identity", a.url))
}

func (a *answering) secondStepCalls(as string) identityv1connect.SecondStepServiceClient {
	return identityv1connect.NewSecondStepServiceClient(testkit.Dialer(a.t, as).To("identity", a.url))
}

func (a *answering) as(uid string, admin bool) context.Context {
	return auth.WithSubject(a.t.Context(), auth.Subject{UID: uid, Admin: admin})
}

func TestAProfileOverRPC(t *testing.T) {
	t.Parallel()
	a := setup(t).answer()
	amara, nils := a.member("amara"), a.member("nils")
	users := a.users("gateway")

	t.Run("is one's own, whole", func(t *testing.T) {
		t.Parallel()
		for _, uid := range []string{"", amara.UID.String()} {
			res, err := users.GetUser(a.as(amara.UID.String(), false), &identityv1.GetUserRequest{Uid: uid})
			require.NoError(t, err)
			u := res.GetUser()
			require.Equal(t, []string{amara.UID.String(), "amara", "amara@example.org", "Amara", "Lindqvist"},
				[]string{u.GetUid(), u.GetUsername(), u.GetEmail(), u.GetGivenName(), u.GetFamilyName()})
			require.False(t, u.GetAdmin())
			require.Len(t, u.GetReferralCode(), 10)
			require.Len(t, u.GetConsents(), 2)
			require.Equal(t, identityv1.ConsentKind_CONSENT_KIND_TERMS, u.GetConsents()[1].GetKind())
			require.Equal(t, shownTexts, u.GetConsents()[1].GetVersion())
			require.True(t, u.GetConsents()[1].GetGiven())
			require.NotZero(t, u.GetConsents()[1].GetTime().GetSeconds())
		}
	})

	t.Run("of another answers exactly as one that does not exist", func(t *testing.T) {
		t.Parallel()
		_, of := users.GetUser(a.as(amara.UID.String(), false), &identityv1.GetUserRequest{Uid: nils.UID.String()})
		_, nobody := users.GetUser(a.as(amara.UID.String(), false), &identityv1.GetUserRequest{Uid: newID().String()})
		require.Equal(t, errorsv1.Reason_REASON_USER_NOT_FOUND, errs.From(of).Reason)
		require.Equal(t, nobody.Error(), of.Error())
	})

	t.Run("of anybody is an admin's, by the signed proof and not by the table", func(t *testing.T) {
		t.Parallel()
		res, err := users.GetUser(a.as(amara.UID.String(), true), &identityv1.GetUserRequest{Uid: nils.UID.String()})
		require.NoError(t, err)
		require.Equal(t, "nils", res.GetUser().GetUsername())
	})

	t.Run("says who is an admin as soon as it was granted, and no longer when it was taken", func(t *testing.T) {
		t.Parallel()
		b := a.insertMember(t)
		for _, granted := range []bool{true, false} {
			_, err := a.setAdmin(b.String(), granted)
			require.NoError(t, err)
			res, err := users.GetUser(a.as(b.String(), false), &identityv1.GetUserRequest{})
			require.NoError(t, err)
			require.Equal(t, granted, res.GetUser().GetAdmin())
		}
	})

	t.Run("is the gateway's to ask for, on a member's behalf", func(t *testing.T) {
		t.Parallel()
		_, err := users.GetUser(t.Context(), &identityv1.GetUserRequest{Uid: amara.UID.String()})
		require.Equal(t, errs.Unauthenticated, errs.KindOf(err))
		_, err = a.users("billing").GetUser(a.as(amara.UID.String(), true), &identityv1.GetUserRequest{})
		require.Equal(t, errs.Forbidden, errs.KindOf(err))
	})
}

func TestConsentsOverRPC(t *testing.T) {
	t.Parallel()
	a := setup(t).answer()
	member := a.insertMember(t).String()
	consents, ctx := a.consents("gateway"), a.as(member, false)
	say := func(kind identityv1.ConsentKind, given bool, version string) *identityv1.RecordConsentsRequest {
		return &identityv1.RecordConsentsRequest{Answers: []*identityv1.ConsentAnswer{{Kind: kind, Given: given, Version: version}}}
	}
	res, err := consents.GetConsents(ctx, &identityv1.GetConsentsRequest{})
	require.NoError(t, err)
	require.Empty(t, res.GetConsents(), "nothing was ever answered")

	for kind := range identityv1.ConsentKind_name {
		if kind == 0 {
			continue
		}
		version := shown
		if kind := identityv1.ConsentKind(kind); kind == identityv1.ConsentKind_CONSENT_KIND_TERMS || kind == identityv1.ConsentKind_CONSENT_KIND_AGE_16 {
			version = shownTexts
		}
		after, err := consents.RecordConsents(ctx, say(identityv1.ConsentKind(kind), true, version))
		require.NoError(t, err)
		require.Len(t, after.GetConsents(), a.count(`SELECT count(*) FROM consents`), "every kind of the contract is one of ours")
	}
	after, err := consents.RecordConsents(ctx, say(identityv1.ConsentKind_CONSENT_KIND_MARKETING, false, shown))
	require.NoError(t, err)
	res, err = consents.GetConsents(ctx, &identityv1.GetConsentsRequest{})
	require.NoError(t, err)
	require.Len(t, res.GetConsents(), 5)
	for i, c := range res.GetConsents() {
		require.Equal(t, after.GetConsents()[i].String(), c.String(), "what recording answers is what stands")
		require.Equal(t, c.GetKind() != identityv1.ConsentKind_CONSENT_KIND_MARKETING, c.GetGiven())
	}

	for name, bad := range map[string]*identityv1.RecordConsentsRequest{
		"nothing":         {},
		"no kind":         say(0, true, shown),
		"an unknown kind": say(99, true, shown),
		"no version":      say(identityv1.ConsentKind_CONSENT_KIND_TERMS, true, ""),
		"no date":         say(identityv1.ConsentKind_CONSENT_KIND_MARKETING, true, "2026-02-31"),
		"one text":        say(identityv1.ConsentKind_CONSENT_KIND_TERMS, true, shown),
		"no text's date":  say(identityv1.ConsentKind_CONSENT_KIND_TERMS, true, "terms 2026-02-31, privacy 2026-11-01"),
		"one twice": {Answers: append(say(identityv1.ConsentKind_CONSENT_KIND_TERMS, true, shownTexts).GetAnswers(),
			say(identityv1.ConsentKind_CONSENT_KIND_TERMS, false, shownTexts).GetAnswers()...)},
	} {
		_, err := consents.RecordConsents(ctx, bad)
		require.Equal(t, errs.Invalid, errs.KindOf(err), name)
	}
	_, err = consents.RecordConsents(ctx, say(identityv1.ConsentKind_CONSENT_KIND_AGE_16, false, shownTexts))
	require.Equal(t, errorsv1.Reason_REASON_CONSENT_REQUIRED, errs.From(err).Reason)
	_, err = consents.RecordConsents(t.Context(), say(identityv1.ConsentKind_CONSENT_KIND_TERMS, true, shownTexts))
	require.Equal(t, errs.Unauthenticated, errs.KindOf(err), "consents are a member's")
	_, err = a.consents("mail").GetConsents(ctx, &identityv1.GetConsentsRequest{})
	require.Equal(t, errs.Forbidden, errs.KindOf(err))
	require.Equal(t, 6, a.count(`SELECT count(*) FROM consents`))
}
