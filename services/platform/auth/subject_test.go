package auth

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"serein.app/services/platform/errs"
)

var words = []string{"generator", "library", "articles", "journey", "top_up"}

func anySubject() *rapid.Generator[Subject] {
	return rapid.Custom(func(r *rapid.T) Subject {
		s := Subject{UID: rapid.StringMatching(`[a-z0-9-]{0,12}`).Draw(r, "uid")}
		if s.UID != "" {
			s.Actor = rapid.SampledFrom([]string{"", "a", "reports"}).Draw(r, "actor")
			s.Admin = rapid.Bool().Draw(r, "admin")
			s.Entitlements = rapid.SliceOfDistinct(rapid.SampledFrom(words), func(w string) string { return w }).Draw(r, "words")
		}
		return s
	})
}

func same(a, b Subject) bool {
	return a.UID == b.UID && a.Actor == b.Actor && a.Admin == b.Admin && slices.Equal(a.Entitlements, b.Entitlements)
}

// Tokens are kept and used again, by signer and verifier: no two subjects may ever share one.
func TestEveryCallNamesItsOwnSubjectWhateverWasSignedBefore(t *testing.T) {
	t.Parallel()
	signer, verifier := pair(t, "billing")
	rapid.Check(t, func(r *rapid.T) {
		for range 4 {
			subject := anySubject().Draw(r, "subject")
			token, err := signer.Token("billing", subject)
			require.NoError(r, err)
			caller, err := verifier.Verify(context.Background(), "Bearer "+token)
			require.NoError(r, err)
			require.True(r, same(subject, caller.Subject), "%+v became %+v", subject, caller.Subject)
		}
	})
}

func TestRightsWithoutASubjectAreNeitherSignedNorBelieved(t *testing.T) {
	t.Parallel()
	signer, verifier := pair(t, "billing")
	for _, s := range []Subject{{Admin: true}, {Entitlements: []string{"library"}}} {
		_, err := signer.Token("billing", s)
		require.Error(t, err)
		forged := sign(t, fresh(map[string]any{"adm": s.Admin, "ent": s.Entitlements}))
		_, err = verifier.Verify(t.Context(), "Bearer "+forged)
		require.ErrorIs(t, err, ErrUnauthenticated)
	}
}

// fresh is the payload of a proof to billing that is good for a minute, with these claims.
func fresh(claims map[string]any) map[string]any {
	claims["iss"], claims["aud"], claims["exp"] = "gateway", "billing", time.Now().Add(time.Minute).Unix()
	return claims
}

// A token's list of rights is part of what it is kept by: words that run into each other must not.
func TestNoTwoListsOfEntitlementsShareAToken(t *testing.T) {
	t.Parallel()
	words := rapid.SliceOfN(rapid.StringOfN(rapid.SampledFrom([]rune{'a', '1', ':', ',', '"'}), 0, 4, -1), 0, 3)
	rapid.Check(t, func(r *rapid.T) {
		one, other := words.Draw(r, "one"), words.Draw(r, "other")
		require.Equal(r, slices.Equal(one, other), listKey(one) == listKey(other), "%q %q", one, other)
	})
}

// The cache of tokens is keyed by every field of a subject: a new field must join the key, and this test.
func TestASubjectHasNoFieldThatTheTestsDoNotDraw(t *testing.T) {
	t.Parallel()
	require.Equal(t, 4, reflect.TypeFor[Subject]().NumField())
}

// RFC 8693, section 4.1: sub is whose things they are, act.sub is who acts.
func TestAnActorIsSignedAsTheStandardSays(t *testing.T) {
	t.Parallel()
	signer, verifier := pair(t, "billing")
	token, err := signer.Token("billing", Subject{UID: "u1", Actor: "reports"})
	require.NoError(t, err)
	payload, err := base64.RawURLEncoding.DecodeString(strings.Split(token, ".")[1])
	require.NoError(t, err)
	var said map[string]any
	require.NoError(t, json.Unmarshal(payload, &said))
	require.Equal(t, "u1", said["sub"])
	require.Equal(t, map[string]any{"sub": "reports"}, said["act"])
	caller, err := verifier.Verify(t.Context(), bearer+token)
	require.NoError(t, err)
	require.Equal(t, Subject{UID: "u1", Actor: "reports"}, SubjectFrom(WithCaller(t.Context(), caller)))
	require.Equal(t, Subject{UID: "u1"}, SubjectFrom(WithMember(WithCaller(t.Context(), caller), "u1")), "who acts themselves has no actor")
}

func TestAnActorWithoutANameOrAMemberIsNeitherSignedNorBelieved(t *testing.T) {
	t.Parallel()
	signer, verifier := pair(t, "billing")
	_, err := signer.Token("billing", Subject{Actor: "reports"})
	require.Error(t, err)
	for name, claims := range map[string]map[string]any{
		"for nobody":    {"act": map[string]any{"sub": "reports"}},
		"of no name":    {"sub": "u1", "act": map[string]any{}},
		"an empty name": {"sub": "u1", "act": map[string]any{"sub": ""}},
		"of another":    {"sub": "u1", "act": map[string]any{"client_id": "reports"}},
		"a word":        {"sub": "u1", "act": "reports"},
		"a list":        {"sub": "u1", "act": []string{"reports"}},
		"a number":      {"sub": "u1", "act": map[string]any{"sub": 1}},
	} {
		_, err := verifier.Verify(t.Context(), bearer+sign(t, fresh(claims)))
		require.ErrorIs(t, err, ErrUnauthenticated, name)
	}
}

// sign signs anything with the gateway's key.
func sign(t *testing.T, payload any) string {
	t.Helper()
	private, err := seed(key('g'))
	require.NoError(t, err)
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.EdDSA, Key: private}, nil)
	require.NoError(t, err)
	data, err := json.Marshal(payload)
	require.NoError(t, err)
	signed, err := signer.Sign(data)
	require.NoError(t, err)
	token, err := signed.CompactSerialize()
	require.NoError(t, err)
	return token
}

// The service believes what a peer signed, and only while it is fresh and whole.
func TestAProofThatLivesTooLongIsRefused(t *testing.T) {
	t.Parallel()
	_, verifier := pair(t, "billing")
	good := claims{Issuer: "gateway", Audience: "billing", Subject: "u1", Admin: true, IssuedAt: time.Now().Unix(), Expires: time.Now().Add(time.Minute).Unix()}
	_, err := verifier.Verify(t.Context(), "Bearer "+sign(t, good))
	require.NoError(t, err)
	for name, change := range map[string]func(*claims){
		"an hour":          func(c *claims) { c.Expires = time.Now().Add(time.Hour).Unix() },
		"for ever":         func(c *claims) { c.Expires = 1 << 40 },
		"no end":           func(c *claims) { c.Expires = 0 },
		"ended":            func(c *claims) { c.Expires = time.Now().Add(-time.Second).Unix() },
		"nobody's":         func(c *claims) { c.Issuer = "" },
		"another's":        func(c *claims) { c.Issuer = "mail" },
		"to nobody":        func(c *claims) { c.Audience = "" },
		"to somebody else": func(c *claims) { c.Audience = "generation" },
	} {
		c := good
		change(&c)
		_, err := verifier.Verify(t.Context(), "Bearer "+sign(t, c))
		require.ErrorIs(t, err, ErrUnauthenticated, name)
	}
}

func TestAProofIsNotBelievedAfterAnyByteOfItHasChanged(t *testing.T) {
	t.Parallel()
	signer, verifier := pair(t, "billing")
	token, err := signer.Token("billing", Subject{UID: "u1", Entitlements: []string{"library"}})
	require.NoError(t, err)
	rapid.Check(t, func(r *rapid.T) {
		forged := []byte(token)
		at := rapid.IntRange(0, len(forged)-1).Draw(r, "at")
		forged[at] = rapid.SampledFrom([]byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")).Draw(r, "with")
		caller, err := verifier.Verify(context.Background(), "Bearer "+string(forged))
		if err == nil { // the last character of base64 has bits that mean nothing
			require.Equal(r, Subject{UID: "u1", Entitlements: []string{"library"}}, caller.Subject)
		}
	})
}

func TestASubjectIsPassedOn(t *testing.T) {
	t.Parallel()
	subject := Subject{UID: "u1", Admin: true, Entitlements: []string{"library"}}
	ctx := WithCaller(t.Context(), Caller{Service: "gateway", Subject: subject})
	require.Equal(t, subject, SubjectFrom(ctx))
	require.Equal(t, "u1", Member(ctx))
	require.Equal(t, Subject{UID: "u2"}, SubjectFrom(WithMember(ctx, "u2")), "these rights do not pass to another member")
	require.Equal(t, Subject{}, SubjectFrom(WithCaller(ctx, Caller{Service: "mail"})), "a call for nobody names nobody")
	require.Zero(t, SubjectFrom(t.Context()))
}

// Every rule against every caller: the table is written out, so that a change of the rule is one here.
func TestEachRuleLetsInWhoItNamesAndNobodyElse(t *testing.T) {
	t.Parallel()
	anyone := Rule{Services: []string{"gateway"}}
	member := Rule{Services: []string{"gateway"}, Member: true}
	admin := Rule{Services: []string{"gateway"}, Admin: true}
	library := Rule{Services: []string{"gateway"}, Entitlement: "library"}
	both := Rule{Services: []string{"gateway"}, Admin: true, Entitlement: "library"}
	account := Rule{Services: []string{"gateway"}, Admin: true, Scope: "a.read"}
	read := Rule{Services: []string{"gateway"}, Member: true, Delegated: true}
	rules := []Rule{anyone, member, admin, library, both, account, read}
	as := func(s Subject) Caller { return Caller{Service: "gateway", Subject: s} }
	const ok, who, no, adm, ent = "", "UNAUTHENTICATED", "FORBIDDEN", "ADMIN_REQUIRED", "SUBSCRIPTION_REQUIRED"
	for _, c := range []struct {
		name   string
		caller Caller
		want   []string // of each rule
	}{
		{"nobody", as(Subject{}), []string{ok, who, who, who, who, who, who}},
		{"a member", as(Subject{UID: "u"}), []string{ok, ok, adm, ent, adm, adm, ok}},
		{"one with another plan", as(Subject{UID: "u", Entitlements: []string{"generator"}}), []string{ok, ok, adm, ent, adm, adm, ok}},
		{"one with the library", as(Subject{UID: "u", Entitlements: []string{"generator", "library"}}), []string{ok, ok, adm, ok, adm, adm, ok}},
		{"one with more letters", as(Subject{UID: "u", Entitlements: []string{"library2", "Library", ""}}), []string{ok, ok, adm, ent, adm, adm, ok}},
		{"an admin without a plan", as(Subject{UID: "u", Admin: true}), []string{ok, ok, ok, ent, ent, ok, ok}},
		{"an admin with the library", as(Subject{UID: "u", Admin: true, Entitlements: []string{"library"}}), []string{ok, ok, ok, ok, ok, ok, ok}},
		{"rights of nobody", as(Subject{Admin: true, Entitlements: []string{"library"}}), []string{ok, who, who, who, who, who, who}},
		{"an actor for a member", as(Subject{UID: "u", Actor: "b"}), []string{no, no, no, no, no, no, ok}},
		{"an actor for an admin", as(Subject{UID: "u", Actor: "b", Admin: true, Entitlements: []string{"library"}}), []string{no, no, no, no, no, no, ok}},
		{"an actor for nobody", as(Subject{Actor: "b"}), []string{no, no, no, no, no, no, who}},
		{"another service", Caller{Service: "mail", Subject: Subject{UID: "u", Admin: true, Entitlements: []string{"library"}}}, []string{no, no, no, no, no, no, no}},
		{"an account", Caller{Service: "client:reports", Scopes: []string{"a.read"}}, []string{no, no, no, no, no, ok, no}},
		{"an account of another scope", Caller{Service: "client:reports", Scopes: []string{"b.read"}}, []string{no, no, no, no, no, no, no}},
		{"an account named like a service", Caller{Service: "client:gateway"}, []string{no, no, no, no, no, no, no}},
	} {
		for i, rule := range rules {
			got := ""
			if err := rule.Check(c.caller); err != nil {
				got = errs.From(err).Word()
			}
			require.Equal(t, c.want[i], got, "%s by rule %d", c.name, i)
		}
	}
}

// A rule that gains a condition must gain its rows above.
func TestARuleHasNoConditionThatTheTableDoesNotKnow(t *testing.T) {
	t.Parallel()
	require.Equal(t, 6, reflect.TypeFor[Rule]().NumField())
}

func TestAMemberIsAUUIDOrNobody(t *testing.T) {
	t.Parallel()
	uid := uuid.New()
	found, err := MemberID(WithMember(t.Context(), uid.String()))
	require.NoError(t, err)
	require.Equal(t, uid, found)
	for _, nobody := range []string{"", "u1"} {
		_, err := MemberID(WithMember(t.Context(), nobody))
		require.ErrorIs(t, err, ErrUnauthenticated, nobody)
	}
}
