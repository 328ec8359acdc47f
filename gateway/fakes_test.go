package gateway

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	mailv1 "serein.app/proto/gen/serein/mail/v1"
	"serein.app/proto/gen/serein/mail/v1/mailv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/contentage"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/rpc"
	"serein.app/services/testkit"
)

// services stand behind the gateway: real connect servers on real sockets that prove their
// caller as the real services do, with made-up answers.
type services struct {
	identity, billing, basket, content, generation, mail *httptest.Server

	mu    sync.Mutex
	fail  map[string]error // by procedure
	hangs map[string]bool  // by procedure
	// awaited are procedures that answer when all of them have been asked; gathered is closed then.
	awaited  map[string]bool
	gathered chan struct{}
	// released ends what hangs, with the test.
	released chan struct{}
	limit    map[string]time.Duration // that the last call was given, by procedure
	signUps  []*identityv1.SignUpRequest
	proofs   map[string]string // that SignUp answers, by username
	confirms []*identityv1.ConfirmSignUpRequest
	resends  []*identityv1.ResendConfirmationCodeRequest
	// answered gives the code of an authorization request that ConfirmSignUp is asked to answer; nil: nobody is signed in.
	answered func(query string) string
	balance  map[string]*billingv1.Balance
	plan     map[string]*billingv1.Subscription // by uid; others have the trial
	users    map[string]*identityv1.User        // by uid; others are ordinary members
	revoked  map[string]bool                    // by token id
	answers  []*identityv1.RecordConsentsRequest
	kept     map[string]*contentv1.ReplaceKeptRequest // by uid
	created  []*generationv1.CreateMeditationRequest
	// told is what CreateMeditation says of the credits; nil: nothing.
	told        *billingv1.Balance
	byKey       map[string]string // ids of meditations by uid and idempotency key
	lost        int               // answers of CreateMeditation that are still to be lost
	size        string            // its name in the catalogue
	practice    string
	asked       map[string]int          // by procedure
	subject     map[string]auth.Subject // of the last call, by procedure
	caller      map[string]string       // likewise
	meditations []*owned
	changed     *sync.Cond
	requests    map[string]proto.Message // that content's studio heard last, by name
	headers     http.Header              // of the last request for audio
	cut         bool                     // audio is shorter than it was said to be
	letters     []*mailv1.SendContactMessageRequest

	// age is how old content says that its answers are; empty where it does not say.
	age          string
	articles     []*article
	filed        []*contentv1.BespokeItem
	liked, saved map[string]bool   // by uid and slug
	recordings   map[string]int32  // how many of the library members keep, by uid
	versions     map[string]string // of texts, by name

	market
	lives
	links
}

// forMembers adds procedures that a service lets the gateway ask for a member.
func forMembers(policy auth.Policy, procedures ...string) auth.Policy {
	for _, procedure := range procedures {
		policy[procedure] = auth.Rule{Services: []string{"gateway"}, Member: true}
	}
	return policy
}

type owned struct {
	uid      string
	m        *generationv1.Meditation
	segments []*generationv1.Segment
}

// script has a paragraph for each segment.
func (o *owned) script() *generationv1.Script {
	s := &generationv1.Script{}
	for _, segment := range o.segments {
		var lines []string
		for _, line := range segment.GetLines() {
			lines = append(lines, line.GetText())
		}
		s.Paragraphs = append(s.Paragraphs, strings.Join(lines, " "))
	}
	return s
}

// disposition names the file that a browser saves.
const disposition = `attachment; filename="Sea.mp3"`

var audio = bytes.Repeat([]byte("sound of the sea "), 60_000) // 1 MB

// startServices makes them trust the service accounts of that issuer.
func startServices(tb testing.TB, issuer string) *services {
	tb.Helper()
	s := &services{
		size: "Reset", practice: "Zen", fail: map[string]error{}, balance: map[string]*billingv1.Balance{},
		plan: map[string]*billingv1.Subscription{}, users: map[string]*identityv1.User{}, asked: map[string]int{}, byKey: map[string]string{},
		subject: map[string]auth.Subject{}, caller: map[string]string{}, hangs: map[string]bool{}, requests: map[string]proto.Message{}, limit: map[string]time.Duration{},
		articles: articles(), liked: map[string]bool{}, saved: map[string]bool{}, versions: map[string]string{"terms": termsDate, "privacy": privacyDate}, market: newMarket(), lives: newLives(),
	}
	s.changed, s.released = sync.NewCond(&s.mu), make(chan struct{})
	member := auth.Rule{Services: []string{"gateway"}, Member: true}
	read := auth.Rule{Services: []string{"gateway"}, Member: true, Delegated: true}
	open := auth.Rule{Services: []string{"gateway"}}
	s.identity = serve(tb, issuer, "identity", secondStepPolicy(passkeyPolicy(devicePolicy(credentialPolicy(auth.Policy{
		identityv1connect.SignUpServiceSignUpProcedure:                 open,
		identityv1connect.SignUpServiceConfirmSignUpProcedure:          open,
		identityv1connect.SignUpServiceResendConfirmationCodeProcedure: open,
		identityv1connect.UserServiceGetUserProcedure:                  read,
		identityv1connect.GrantServiceGetGrantProcedure:                open,
		identityv1connect.InviteServiceGetInviteProcedure:              open,
		identityv1connect.DeletionServiceScheduleDeletionProcedure:     member,
		identityv1connect.ConsentServiceGetConsentsProcedure:           member,
		identityv1connect.ConsentServiceRecordConsentsProcedure:        member,
	})))), func(mux *http.ServeMux, r *rpc.Server) {
		inviteFake{s}.mount(mux, r)
		credentialFake{services: s}.mount(mux, r)
		deviceFake{s}.mount(mux, r)
		passkeyFake{s}.mount(mux, r)
		secondStepFake{s}.mount(mux, r)
		mux.Handle(identityv1connect.NewUserServiceHandler(s, r.Options()...))
		mux.Handle(identityv1connect.NewConsentServiceHandler(s, r.Options()...))
		mux.Handle(identityv1connect.NewDeletionServiceHandler(s, r.Options()...))
		mux.Handle(identityv1connect.NewGrantServiceHandler(s, r.Options()...))
		mux.Handle(identityv1connect.NewSignUpServiceHandler(s, r.Options()...))
	})
	s.billing = serve(tb, issuer, "billing", membershipPolicy(salesPolicy(auth.Policy{
		billingv1connect.AccountServiceGetAccountProcedure: read, billingv1connect.PlanServiceListPlansProcedure: open,
	})),
		func(mux *http.ServeMux, r *rpc.Server) {
			salesFake{s}.mount(mux, r)
			membershipFake{s}.mount(mux, r)
			mux.Handle(billingv1connect.NewPlanServiceHandler(s, r.Options()...))
			mux.Handle(billingv1connect.NewAccountServiceHandler(s, r.Options()...))
		})
	s.basket = serve(tb, issuer, "basket", basketPolicy(), basketFake{s}.mount)
	s.content = serve(tb, issuer, "content", diaryPolicy(coursePolicy(placePolicy(libraryPolicy(studioPolicy())))),
		func(mux *http.ServeMux, r *rpc.Server) {
			s.mountStudio(mux, r)
			libraryFake{s}.mount(mux, r)
			placeFake{s}.mount(mux, r)
			courseFake{s}.mount(mux, r)
			diaryFake{s}.mount(mux, r)
			shopFake{s}.mount(mux, r)
			mux.Handle(contentv1connect.NewCatalogueServiceHandler(s, r.Options()...))
			mux.Handle(contentv1connect.NewArticleServiceHandler(s, r.Options()...))
			mux.Handle(contentv1connect.NewPageServiceHandler(s, r.Options()...))
			mux.Handle(contentv1connect.NewItemServiceHandler(itemFake{services: s}, r.Options()...))
			mux.HandleFunc("GET /media/tracks/{file}", s.track)
			mux.Handle("GET /media/narrations/{file}", r.HTTP(open, http.HandlerFunc(s.narration)))
			mux.Handle("GET /media/assets/{hash}/{name}", r.HTTP(open, http.HandlerFunc(s.asset)))
		})
	s.generation = serve(tb, issuer, "generation", auth.Policy{
		generationv1connect.MeditationServiceCreateMeditationProcedure:      member,
		generationv1connect.MeditationServiceCheckTitleProcedure:            open,
		generationv1connect.MeditationServiceGetMeditationProcedure:         read,
		generationv1connect.MeditationServiceListMeditationsProcedure:       read,
		generationv1connect.MeditationServiceBatchGetMeditationsProcedure:   read,
		generationv1connect.MeditationServiceCountMeditationsProcedure:      member,
		generationv1connect.MeditationServiceWatchMeditationProcedure:       member,
		generationv1connect.MeditationServiceCancelMeditationProcedure:      member,
		generationv1connect.MeditationServiceMarkMeditationDeletedProcedure: member,
		generationv1connect.MeditationServiceRecoverMeditationProcedure:     member,
		generationv1connect.MeditationServiceRenameMeditationProcedure:      member,
		generationv1connect.DraftServiceCreateDraftProcedure:                member,
		generationv1connect.DraftServiceGetDraftProcedure:                   member,
		generationv1connect.DraftServiceListDraftsProcedure:                 member,
		generationv1connect.DraftServiceChangeLineProcedure:                 member,
		generationv1connect.DraftServiceRewriteLineProcedure:                member,
		generationv1connect.DraftServiceDeleteDraftProcedure:                member,
		generationv1connect.GroundingServiceGetGroundingProcedure:           open,
		generationv1connect.SampleServiceGetSampleProcedure:                 open,
		generationv1connect.SampleServiceListNarratorsProcedure:             open,
		generationv1connect.ShareServiceGetShareProcedure:                   member,
		generationv1connect.ShareServiceListSharesProcedure:                 member,
		generationv1connect.ShareServiceShareMeditationProcedure:            member,
		generationv1connect.ShareServiceEndShareProcedure:                   member,
		generationv1connect.ShareServiceOpenShareProcedure:                  open,
	}, func(mux *http.ServeMux, r *rpc.Server) {
		mux.Handle(generationv1connect.NewMeditationServiceHandler(s, r.Options()...))
		mux.Handle(generationv1connect.NewGroundingServiceHandler(s, r.Options()...))
		mux.Handle(generationv1connect.NewSampleServiceHandler(s, r.Options()...))
		mux.Handle(generationv1connect.NewShareServiceHandler(s, r.Options()...))
		mux.Handle(generationv1connect.NewDraftServiceHandler(draftFake{s}, r.Options()...))
		mux.Handle("GET /v1/shares/audio", r.HTTP(open, http.HandlerFunc(s.sharedSound)))
		mux.Handle("GET /media/grounding/calm-3f2a.mp3", r.HTTP(open, http.HandlerFunc(s.shared)))
		mux.Handle("GET /media/sample/wren-3f2a.mp3", r.HTTP(open, http.HandlerFunc(s.shared)))
		mux.Handle("GET /media/sample/lake-3f2a.mp3", r.HTTP(open, http.HandlerFunc(s.shared)))
		mux.Handle("GET /v1/meditations/{id}/audio", r.HTTP(member, http.HandlerFunc(s.audio)))
		mux.Handle("GET /v1/meditations/{id}/download", r.HTTP(member, http.HandlerFunc(s.audio)))
		mux.Handle("GET /v1/meditations/{id}/segments/{n}", r.HTTP(member, http.HandlerFunc(s.audio)))
	})
	s.mail = serve(tb, issuer, "mail", postPolicy(),
		func(mux *http.ServeMux, r *rpc.Server) {
			postFake{services: s}.mount(mux, r)
			mux.Handle(mailv1connect.NewMailServiceHandler(mailFake{services: s}, r.Options()...))
		})
	tb.Cleanup(func() { close(s.released) }) // before the servers are closed, which wait for it
	return s
}

func serve(tb testing.TB, issuer, name string, p auth.Policy, add func(*http.ServeMux, *rpc.Server)) *httptest.Server {
	tb.Helper()
	cfg := testkit.Auth(tb, name)
	cfg.Issuer = issuer
	verifier, err := auth.NewVerifier(name, cfg)
	require.NoError(tb, err)
	r, err := rpc.NewServer(verifier, p, quiet(tb))
	require.NoError(tb, err)
	mux := http.NewServeMux()
	add(mux, r)
	server := httptest.NewServer(mux)
	tb.Cleanup(server.Close)
	return server
}

// failing makes a procedure answer err; nil: answer again.
func (s *services) failing(procedure string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail[procedure] = err
}

func (s *services) fault(ctx context.Context) error {
	call, _ := connect.CallInfoForHandlerContext(ctx)
	procedure := call.Spec().Procedure
	s.mu.Lock()
	s.asked[procedure]++
	who, _ := auth.CallerFrom(ctx)
	s.subject[procedure], s.caller[procedure] = who.Subject, who.Service
	if deadline, ok := ctx.Deadline(); ok {
		s.limit[procedure] = time.Until(deadline)
	}
	err, hangs := s.fail[procedure], s.hangs[procedure]
	if s.age != "" && strings.HasPrefix(procedure, "/serein.content.") {
		call.ResponseHeader().Set(contentage.Header, s.age)
	}
	var gathered chan struct{}
	if _, ok := s.awaited[procedure]; ok {
		gathered = s.gathered
		s.awaited[procedure] = true
		if !slices.Contains(slices.Collect(maps.Values(s.awaited)), false) {
			s.awaited = nil
			close(gathered)
		}
	}
	s.mu.Unlock()
	if gathered != nil {
		select {
		case <-gathered:
		case <-ctx.Done(): // the next attempt asks again
			return ctx.Err()
		}
	}
	if hangs {
		<-s.released
		return errs.ErrUnavailable
	}
	return err
}

// mirrors has content say how old its answers are.
func (s *services) mirrors(age string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.age = age
}

// hanging makes a procedure answer nobody before the test ends, whatever time its callers give it.
func (s *services) hanging(procedure string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hangs[procedure] = true
}

// together makes procedures answer only when all of them have been asked.
func (s *services) together(procedures ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.awaited, s.gathered = map[string]bool{}, make(chan struct{})
	for _, procedure := range procedures {
		s.awaited[procedure] = false
	}
}

// met says whether those have.
func (s *services) met() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.awaited == nil
}

// counted is how often each procedure was called.
func (s *services) counted() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.asked)
}

// limitOf is the time that a procedure's last call was given.
func (s *services) limitOf(procedure string) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.limit[procedure]
}

// asks is how often a procedure was called.
func (s *services) asks(procedure string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[procedure]
}

// subjectOf is the subject in the proof of a procedure's last call.
func (s *services) subjectOf(procedure string) auth.Subject {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.subject[procedure]
}

// callerOf a procedure's last call: a service, or client: and the id of an account.
func (s *services) callerOf(procedure string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.caller[procedure]
}

// is makes a member an admin, or not.
func (s *services) is(uid string, admin bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users[uid] = user(uid, admin)
}

// catalogue names the one size and the one practice.
func (s *services) catalogue(size, practice string) { s.size, s.practice = size, practice }

// subscribed gives a member a plan.
func (s *services) subscribed(uid string, plan *billingv1.Subscription) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plan[uid] = plan
}

func user(uid string, admin bool) *identityv1.User {
	return &identityv1.User{
		Uid: uid, Username: "ada", Email: "ada@example.org", GivenName: "Ada", FamilyName: "Lovelace",
		Admin: admin, ReferralCode: "ADA-4F2K", Consents: []*identityv1.Consent{
			{Kind: identityv1.ConsentKind_CONSENT_KIND_AGE_16, Given: true, Version: termsVersion},
			{Kind: identityv1.ConsentKind_CONSENT_KIND_TERMS, Given: true, Version: termsVersion},
			{Kind: identityv1.ConsentKind_CONSENT_KIND_ESSENTIALS, Given: true, Version: privacyDate},
		},
	}
}

func (s *services) GetUser(ctx context.Context, req *identityv1.GetUserRequest) (*identityv1.GetUserResponse, error) {
	if err := s.fault(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	own := auth.Member(ctx)
	uid := req.GetUid()
	if uid == "" {
		uid = own
	}
	if found, ok := s.users[uid]; ok && (uid == own || isAdmin(ctx)) {
		return &identityv1.GetUserResponse{User: found}, nil
	}
	if uid == own {
		return &identityv1.GetUserResponse{User: user(uid, false)}, nil
	}
	return nil, errs.New(errs.NotFound, errorsv1.Reason_REASON_USER_NOT_FOUND, "There is no such member.")
}

func (s *services) GetGrant(ctx context.Context, req *identityv1.GetGrantRequest) (*identityv1.GetGrantResponse, error) {
	if err := s.fault(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return &identityv1.GetGrantResponse{Stands: !s.revoked[req.GetTokenId()]}, nil
}

// revoke ends the grant behind a token.
func (s *services) revoke(tokenID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.revoked = map[string]bool{tokenID: true}
}

func (s *services) GetConsents(ctx context.Context, _ *identityv1.GetConsentsRequest) (*identityv1.GetConsentsResponse, error) {
	return &identityv1.GetConsentsResponse{Consents: user(auth.Member(ctx), false).GetConsents()}, s.fault(ctx)
}

func (s *services) RecordConsents(ctx context.Context, req *identityv1.RecordConsentsRequest) (*identityv1.RecordConsentsResponse, error) {
	if err := s.fault(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers = append(s.answers, req)
	out := &identityv1.RecordConsentsResponse{}
	for _, a := range req.GetAnswers() {
		out.Consents = append(out.Consents, &identityv1.Consent{Kind: a.GetKind(), Given: a.GetGiven(), Version: a.GetVersion()})
	}
	return out, nil
}

// ScheduleDeletion knows one password.
func (s *services) ScheduleDeletion(ctx context.Context, req *identityv1.ScheduleDeletionRequest) (*identityv1.ScheduleDeletionResponse, error) {
	if err := s.fault(ctx); err != nil {
		return nil, err
	}
	if req.GetPassword() != leaversPassword {
		return nil, errs.New(errs.Invalid, errorsv1.Reason_REASON_NOT_AUTHORIZED, "That isn’t your password. Please try again.").On("password")
	}
	return &identityv1.ScheduleDeletionResponse{DeletesAt: timestamppb.New(leavesAt)}, nil
}

const leaversPassword = "a quiet harbour at dawn"

var leavesAt = time.Date(2026, time.December, 11, 9, 0, 0, 0, time.UTC)

func (s *services) ListPlans(ctx context.Context, _ *billingv1.ListPlansRequest) (*billingv1.ListPlansResponse, error) {
	return &billingv1.ListPlansResponse{Plans: []*billingv1.Plan{
		{Id: "free-trial", Name: "Free trial", Kind: billingv1.PlanKind_PLAN_KIND_TRIAL, Description: "No card.", TrialDays: 7, InvitedTrialDays: 14, TrialCredits: 8},
		{
			Id: "core", Name: "Core", Kind: billingv1.PlanKind_PLAN_KIND_MEMBER, Badge: "Best Value", Features: []string{"Everything"},
			Monthly: &billingv1.PlanPrice{Amount: 799, Currency: "gbp", Credits: 20},
		},
	}}, s.fault(ctx)
}

// isAdmin: the proof of caller says so.
func isAdmin(ctx context.Context) bool { return auth.SubjectFrom(ctx).Admin }

// trial is the plan that members have unless told otherwise.
func trial() *billingv1.Subscription {
	start := time.Unix(1_763_000_000, 0)
	return &billingv1.Subscription{
		PlanId: "free-trial", PlanName: "Free trial", PlanKind: billingv1.PlanKind_PLAN_KIND_TRIAL, Active: true, HadTrial: true,
		StartsAt: timestamppb.New(start), EndsAt: timestamppb.New(start.Add(7 * 24 * time.Hour)),
		Entitlements: []string{"generator", "library", "articles", "journey"},
	}
}

// give adds a meditation of a member.
func (s *services) give(uid string, m *generationv1.Meditation, segments ...*generationv1.Segment) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.meditations = append(s.meditations, &owned{uid: uid, m: m, segments: segments})
}

// change changes a meditation and tells its watchers.
func (s *services) change(id string, with func(*owned)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.meditations {
		if o.m.GetId() == id {
			o.m = proto.CloneOf(o.m) // readers keep the old one
			with(o)
		}
	}
	s.changed.Broadcast()
}

func (s *services) SignUp(ctx context.Context, req *identityv1.SignUpRequest) (*identityv1.SignUpResponse, error) {
	if err := s.fault(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.signUps = append(s.signUps, req)
	return &identityv1.SignUpResponse{Proof: s.proofs[req.GetUsername()], CodeHeldBack: s.proofs[req.GetUsername()] != ""}, nil
}

func (s *services) ConfirmSignUp(ctx context.Context, req *identityv1.ConfirmSignUpRequest) (*identityv1.ConfirmSignUpResponse, error) {
	if err := s.fault(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.confirms = append(s.confirms, req)
	if s.answered == nil || req.GetProof() == "" {
		return &identityv1.ConfirmSignUpResponse{}, nil
	}
	return &identityv1.ConfirmSignUpResponse{AuthorizationCode: s.answered(req.GetAuthorization())}, nil
}

func (s *services) ResendConfirmationCode(ctx context.Context, req *identityv1.ResendConfirmationCodeRequest) (*identityv1.ResendConfirmationCodeResponse, error) {
	if err := s.fault(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.resends = append(s.resends, req)
	return &identityv1.ResendConfirmationCodeResponse{}, nil
}

func (s *services) GetAccount(ctx context.Context, _ *billingv1.GetAccountRequest) (*billingv1.GetAccountResponse, error) {
	if err := s.fault(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	balance := s.balance[auth.Member(ctx)]
	if balance == nil {
		balance = &billingv1.Balance{PlanAvailable: 8}
	}
	plan, ok := s.plan[auth.Member(ctx)]
	if !ok {
		plan = trial()
	}
	return &billingv1.GetAccountResponse{Subscription: plan, Balance: balance}, nil
}

func (s *services) GetCatalogue(ctx context.Context, _ *contentv1.GetCatalogueRequest) (*contentv1.GetCatalogueResponse, error) {
	if err := s.fault(ctx); err != nil {
		return nil, err
	}
	return &contentv1.GetCatalogueResponse{
		Types:     []*contentv1.MeditationType{{Id: "gratitude", Name: "Gratitude", Narrator: &contentv1.Narrator{Id: "wren", Name: "Wren"}}},
		Practices: []*contentv1.PracticeType{{Id: "zen", Name: s.practice}},
		Sizes:     []*contentv1.MeditationSize{{Id: "reset", Name: s.size, ExpectedSeconds: 300}},
		Tracks:    []*contentv1.AmbientTrack{{Id: "rain", Name: "Rain", Path: "tracks/rain-3f2a.mp3", LoopStartMs: 50, LoopLengthMs: 30_000}},

		ImmersiveNarrator: &contentv1.Narrator{Id: "isla", Name: "Isla"},
	}, nil
}

func (s *services) CreateMeditation(ctx context.Context, req *generationv1.CreateMeditationRequest) (*generationv1.CreateMeditationResponse, error) {
	if err := s.fault(ctx); err != nil {
		return nil, err
	}
	if req.GetTitle() == crisis {
		return nil, errNeedsCare
	}
	s.mu.Lock()
	s.created = append(s.created, req)
	id, found := s.byKey[auth.Member(ctx)+req.GetIdempotencyKey()]
	if !found {
		id = fmt.Sprintf("0192f0c1-0000-7000-8000-%012d", len(s.meditations)+1)
		s.byKey[auth.Member(ctx)+req.GetIdempotencyKey()] = id
		m := meditation(id, generationv1.Stage_STAGE_LISTENING)
		m.Title, m.Immersive, m.TrackId = req.GetTitle(), req.GetImmersive(), req.GetTrackId()
		s.meditations = append(s.meditations, &owned{uid: auth.Member(ctx), m: m})
	}
	lose := s.lost > 0
	s.lost--
	s.mu.Unlock()
	s.changed.Broadcast()
	if lose {
		panic(http.ErrAbortHandler) // the connection breaks
	}
	o, err := s.own(ctx, id)
	if err != nil {
		return nil, err
	}
	return &generationv1.CreateMeditationResponse{Meditation: o.m, Balance: s.told}, nil
}

// lose breaks the connection of the next n calls of CreateMeditation, after they have done their work.
func (s *services) lose(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lost = n
}

// errNeedsCare refuses the one title that crisis is.
var errNeedsCare = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_TITLE_NEEDS_CARE, "You are not alone.").On("title")

const crisis = "I want to die"

func (s *services) CheckTitle(ctx context.Context, req *generationv1.CheckTitleRequest) (*generationv1.CheckTitleResponse, error) {
	if err := s.fault(ctx); err != nil {
		return nil, err
	}
	if req.GetTitle() == crisis {
		return nil, errNeedsCare
	}
	return &generationv1.CheckTitleResponse{}, nil
}

func (s *services) GetGrounding(ctx context.Context, _ *generationv1.GetGroundingRequest) (*generationv1.GetGroundingResponse, error) {
	return &generationv1.GetGroundingResponse{
		Path: "grounding/calm-3f2a.mp3", DurationMs: 90_000, Lines: []*generationv1.Line{{Text: "Look around you.", EndMs: 2000}},
	}, s.fault(ctx)
}

func (s *services) GetSample(ctx context.Context, _ *generationv1.GetSampleRequest) (*generationv1.GetSampleResponse, error) {
	return &generationv1.GetSampleResponse{
		Path: "sample/lake-3f2a.mp3", DurationMs: 60_000, Lines: []*generationv1.Line{{Text: "The rain has just stopped.", EndMs: 2000}},
	}, s.fault(ctx)
}

// ListNarrators answers one whose sentence is recorded, and one whose sentence is not yet.
func (s *services) ListNarrators(ctx context.Context, _ *generationv1.ListNarratorsRequest) (*generationv1.ListNarratorsResponse, error) {
	return &generationv1.ListNarratorsResponse{WriterRecipient: "Writers Ltd", Narrators: []*generationv1.Narrator{
		{Id: "wren", Name: "Wren", Description: "Light and bright.", SamplePath: "sample/wren-3f2a.mp3", SampleDurationMs: 6000},
		{Id: "ansel", Name: "Ansel", Description: "Deep and unhurried.", Recipient: "Voices Ltd"},
	}}, s.fault(ctx)
}

var errNoMeditation = errs.New(errs.NotFound, errorsv1.Reason_REASON_MEDITATION_NOT_FOUND, "There is no such meditation.")

func (s *services) find(ctx context.Context, id string) (*owned, error) {
	if err := s.fault(ctx); err != nil {
		return nil, err
	}
	return s.own(ctx, id)
}

func (s *services) own(ctx context.Context, id string) (*owned, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.meditations {
		if o.m.GetId() == id && o.uid == auth.Member(ctx) {
			found := *o
			return &found, nil
		}
	}
	return nil, errNoMeditation
}

func (s *services) GetMeditation(ctx context.Context, req *generationv1.GetMeditationRequest) (*generationv1.GetMeditationResponse, error) {
	o, err := s.find(ctx, req.GetId())
	if err != nil {
		return nil, err
	}
	res := &generationv1.GetMeditationResponse{Meditation: o.m, Segments: o.segments}
	if req.GetWithScript() {
		res.Script = o.script()
	}
	return res, nil
}

func (s *services) BatchGetMeditations(ctx context.Context, req *generationv1.BatchGetMeditationsRequest) (*generationv1.BatchGetMeditationsResponse, error) {
	if err := s.fault(ctx); err != nil {
		return nil, err
	}
	res := &generationv1.BatchGetMeditationsResponse{}
	for _, id := range req.GetIds() {
		if o, err := s.own(ctx, id); err == nil {
			res.Meditations = append(res.Meditations, o.m)
		}
	}
	return res, nil
}

func (s *services) CountMeditations(ctx context.Context, _ *generationv1.CountMeditationsRequest) (*generationv1.CountMeditationsResponse, error) {
	if err := s.fault(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	res := &generationv1.CountMeditationsResponse{}
	for _, o := range s.meditations {
		switch {
		case o.uid != auth.Member(ctx):
		case o.m.GetDeletesAt() != nil:
			res.Deleted++
		case o.m.GetStage() == generationv1.Stage_STAGE_READY:
			res.Total++
		}
	}
	return res, nil
}

func (s *services) ListMeditations(ctx context.Context, req *generationv1.ListMeditationsRequest) (*generationv1.ListMeditationsResponse, error) {
	if err := s.fault(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	skip, _ := strconv.Atoi(req.GetPageToken()) // the number of those before the page
	out := &generationv1.ListMeditationsResponse{}
	for _, o := range s.meditations {
		if o.uid != auth.Member(ctx) || !behind(req.GetFilter(), o.m) {
			continue
		}
		out.Total++
		if out.GetTotal() <= int32(skip) {
			continue
		}
		if int32(len(out.Meditations)) == req.GetPageSize() {
			out.NextPageToken = strconv.Itoa(skip + len(out.Meditations))
		} else if out.GetNextPageToken() == "" {
			out.Meditations = append(out.Meditations, o.m)
			if req.GetWithScripts() {
				out.Scripts = append(out.Scripts, o.script())
			}
		}
	}
	return out, nil
}

func (s *services) WatchMeditation(ctx context.Context, req *generationv1.WatchMeditationRequest, out *connect.ServerStream[generationv1.WatchMeditationResponse]) error {
	sent := int(req.GetFromSegment())
	stop := context.AfterFunc(ctx, func() { s.mu.Lock(); defer s.mu.Unlock(); s.changed.Broadcast() })
	defer stop()
	var shown *generationv1.Meditation
	for {
		o, err := s.find(ctx, req.GetId())
		if err != nil {
			return err
		}
		if o.m != shown {
			shown = o.m
			if err := out.Send(&generationv1.WatchMeditationResponse{Meditation: o.m, NewSegments: o.segments[min(sent, len(o.segments)):]}); err != nil {
				return err
			}
			sent = len(o.segments)
		}
		if o.m.GetStage() >= generationv1.Stage_STAGE_READY {
			return nil
		}
		if err := s.await(ctx, req.GetId(), shown); err != nil {
			return err
		}
	}
}

func (s *services) await(ctx context.Context, id string, shown *generationv1.Meditation) error {
	for {
		o, err := s.own(ctx, id)
		if err != nil || o.m != shown {
			return err
		}
		s.mu.Lock()
		if ctx.Err() == nil {
			s.changed.Wait()
		}
		s.mu.Unlock()
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

func (s *services) CancelMeditation(ctx context.Context, req *generationv1.CancelMeditationRequest) (*generationv1.CancelMeditationResponse, error) {
	if _, err := s.find(ctx, req.GetId()); err != nil {
		return nil, err
	}
	s.change(req.GetId(), func(o *owned) {
		if o.m.EndedEarly = req.GetAcceptedPrice() > 0; !o.m.GetEndedEarly() {
			o.m.Stage = generationv1.Stage_STAGE_CANCELLED
		}
	})
	o, err := s.find(ctx, req.GetId())
	if err != nil {
		return nil, err
	}
	return &generationv1.CancelMeditationResponse{Meditation: o.m}, nil
}

func behind(filter generationv1.MeditationFilter, m *generationv1.Meditation) bool {
	switch filter {
	case generationv1.MeditationFilter_MEDITATION_FILTER_ALL:
		return true
	case generationv1.MeditationFilter_MEDITATION_FILTER_DELETED:
		return m.GetDeletesAt() != nil
	case generationv1.MeditationFilter_MEDITATION_FILTER_UNSPECIFIED, generationv1.MeditationFilter_MEDITATION_FILTER_ACTIVE:
	}
	return m.GetDeletesAt() == nil
}

// What generation answers of marks.
var (
	errMarked    = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_MEDITATION_MARKED, "It is among the recently deleted ones already.")
	errNotMarked = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_MEDITATION_NOT_MARKED, "It is not deleted.")
)

// revise changes a member's own meditation unless there is a refusal.
func (s *services) revise(ctx context.Context, id string, refusal func(*generationv1.Meditation) error, with func(*generationv1.Meditation)) (*generationv1.Meditation, error) {
	o, err := s.find(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := refusal(o.m); err != nil {
		return nil, err
	}
	s.change(id, func(o *owned) { with(o.m) })
	o, err = s.find(ctx, id)
	if err != nil {
		return nil, err
	}
	return o.m, nil
}

// goesAt is when what is marked goes.
var goesAt = &timestamppb.Timestamp{Seconds: 1_800_000_000}

func (s *services) MarkMeditationDeleted(ctx context.Context, req *generationv1.MarkMeditationDeletedRequest) (*generationv1.MarkMeditationDeletedResponse, error) {
	m, err := s.revise(ctx, req.GetId(), func(m *generationv1.Meditation) error {
		if m.GetDeletesAt() != nil {
			return errMarked
		}
		return nil
	}, func(m *generationv1.Meditation) { m.DeletesAt = goesAt })
	return &generationv1.MarkMeditationDeletedResponse{Meditation: m}, err
}

func (s *services) RecoverMeditation(ctx context.Context, req *generationv1.RecoverMeditationRequest) (*generationv1.RecoverMeditationResponse, error) {
	m, err := s.revise(ctx, req.GetId(), func(m *generationv1.Meditation) error {
		if m.GetDeletesAt() == nil {
			return errNotMarked
		}
		return nil
	}, func(m *generationv1.Meditation) { m.DeletesAt = nil })
	return &generationv1.RecoverMeditationResponse{Meditation: m}, err
}

func (s *services) RenameMeditation(ctx context.Context, req *generationv1.RenameMeditationRequest) (*generationv1.RenameMeditationResponse, error) {
	m, err := s.revise(ctx, req.GetId(), func(*generationv1.Meditation) error { return nil }, func(m *generationv1.Meditation) { m.Title = req.GetTitle() })
	return &generationv1.RenameMeditationResponse{Meditation: m}, err
}

func (s *services) audio(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.headers = r.Header.Clone()
	sound := audio
	if s.cut && r.Method == http.MethodGet {
		sound = audio[:1000]
	}
	s.mu.Unlock()
	if _, err := s.own(r.Context(), r.PathValue("id")); err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("X-Internal-Path", "/var/lib/blobs")
	w.Header().Set("Set-Cookie", "internal=1")
	w.Header().Set("Etag", `"sea"`)
	w.Header().Set("Content-Disposition", disposition)
	http.ServeContent(w, r, "a.mp3", time.Time{}, bytes.NewReader(sound))
}

func (s *services) track(w http.ResponseWriter, r *http.Request) {
	switch r.PathValue("file") {
	case "rain-3f2a.mp3":
	case "sea-3f2a.mp3": // still being made
		w.Header().Set("Retry-After", "5")
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	default:
		http.NotFound(w, r)
		return
	}
	http.ServeContent(w, r, "rain.mp3", time.Time{}, bytes.NewReader(audio[:1000]))
}

// narration of an open article is for everybody, of others and of the library for whom the plan lets in, and of a draft for admins.
func (s *services) narration(w http.ResponseWriter, r *http.Request) {
	who := auth.SubjectFrom(r.Context())
	may := map[string]bool{"open-3f2a.mp3": true, "open-3f2a.vtt": true, "members-3f2a.mp3": who.Admin || who.Entitled("articles"), "library-3f2a.mp3": who.Admin || who.Entitled("library"), "draft-3f2a.mp3": who.Admin}
	if !may[r.PathValue("file")] {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Etag", `"voice"`)
	http.ServeContent(w, r, "a.mp3", time.Time{}, bytes.NewReader(audio[:1000]))
}

func (s *services) shared(w http.ResponseWriter, r *http.Request) {
	http.ServeContent(w, r, "calm.mp3", time.Time{}, bytes.NewReader(audio[:1000]))
}

func meditation(id string, stage generationv1.Stage) *generationv1.Meditation {
	return &generationv1.Meditation{
		Id: id, Title: "A kind evening", TypeId: "gratitude", PracticeId: "zen", SizeId: "reset", NarratorName: "Wren",
		Stage: stage, CreatedAt: timestamppb.New(time.Unix(1_763_000_000, 0)), Cost: 1, PassagesTotal: 3,
	}
}

// mailFake leaves SendMail out: the gateway may not call it.
type mailFake struct {
	*services
	mailv1connect.UnimplementedMailServiceHandler
}

func (f mailFake) SendContactMessage(ctx context.Context, req *mailv1.SendContactMessageRequest) (*mailv1.SendContactMessageResponse, error) {
	if err := f.fault(ctx); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.letters = append(f.letters, req)
	return &mailv1.SendContactMessageResponse{MailId: "m-1"}, nil
}
