package web

import (
	"context"
	"time"

	"serein.app/gateway/internal/ratelimit"
	"serein.app/gateway/internal/roles"
	"serein.app/gateway/internal/session"
	"serein.app/proto/gen/serein/web/v1/webv1connect"
	"serein.app/services/platform/crowd"
	"serein.app/services/platform/guard"
)

type rule struct {
	role roles.Role // who may call
	// entitlement that roles.Subscribers need.
	entitlement string
	// forwardSubject: the proof tells services everything about the member, since their answer depends on it.
	forwardSubject bool
	// mutates: the call changes what pages show of the member, who must read the change back at once.
	mutates bool
	// limit counts expensive calls; nil where the cheap limits suffice.
	limit func(Limits) *ratelimit.Limiter
	// done: only calls that succeeded count, and refused calls do not.
	done bool
}

// rules name every procedure a browser may call. What is missing is refused, and a test walks
// all methods of serein.web.v1.
var rules = map[string]rule{
	webv1connect.SessionServiceGetSessionProcedure: {role: roles.Visitors},
	webv1connect.SessionServiceSignOutProcedure:    {role: roles.Public},

	webv1connect.AccountServiceSignUpProcedure:                 {role: roles.Public, limit: func(l Limits) *ratelimit.Limiter { return l.SignUp }},
	webv1connect.AccountServiceConfirmSignUpProcedure:          {role: roles.Public, limit: func(l Limits) *ratelimit.Limiter { return l.Confirm }},
	webv1connect.AccountServiceResendConfirmationCodeProcedure: {role: roles.Public, limit: func(l Limits) *ratelimit.Limiter { return l.Resend }},

	// A member's own code is no invitation to them.
	webv1connect.AccountServiceGetInviteProcedure: {role: roles.Visitors, limit: func(l Limits) *ratelimit.Limiter { return l.Invite }},

	webv1connect.ConsentServiceGetConsentsProcedure:    {role: roles.Members},
	webv1connect.ConsentServiceUpdateConsentsProcedure: {role: roles.Members, mutates: true},

	// Identity counts wrong passwords.
	webv1connect.DeletionServiceDeleteAccountProcedure: {role: roles.Members},
	webv1connect.ExportServiceMakeExportProcedure:      {role: roles.Members, limit: func(l Limits) *ratelimit.Limiter { return l.Export }},
	// Identity counts tries at passwords and codes; these keep floods from it.
	webv1connect.CredentialServiceGetCredentialsProcedure:       {role: roles.Members},
	webv1connect.CredentialServiceChangeNameProcedure:           {role: roles.Members, mutates: true, limit: func(l Limits) *ratelimit.Limiter { return l.Confirm }},
	webv1connect.CredentialServiceChangePasswordProcedure:       {role: roles.Members, limit: func(l Limits) *ratelimit.Limiter { return l.Confirm }},
	webv1connect.CredentialServiceBeginAddressChangeProcedure:   {role: roles.Members, limit: func(l Limits) *ratelimit.Limiter { return l.Confirm }},
	webv1connect.CredentialServiceConfirmAddressChangeProcedure: {role: roles.Members, mutates: true, limit: func(l Limits) *ratelimit.Limiter { return l.Confirm }},
	webv1connect.CredentialServiceStopAddressChangeProcedure:    {role: roles.Members},

	webv1connect.DeviceServiceListDevicesProcedure:     {role: roles.Members},
	webv1connect.DeviceServiceEndDeviceProcedure:       {role: roles.Members},
	webv1connect.DeviceServiceEndOtherDevicesProcedure: {role: roles.Members},

	webv1connect.AppServiceListAppsProcedure:  {role: roles.Members},
	webv1connect.AppServiceRevokeAppProcedure: {role: roles.Members},

	webv1connect.PasskeyServiceListPasskeysProcedure:  {role: roles.Members},
	webv1connect.PasskeyServiceBeginPasskeyProcedure:  {role: roles.Members, limit: func(l Limits) *ratelimit.Limiter { return l.Confirm }},
	webv1connect.PasskeyServiceFinishPasskeyProcedure: {role: roles.Members, limit: func(l Limits) *ratelimit.Limiter { return l.Confirm }},
	webv1connect.PasskeyServiceRemovePasskeyProcedure: {role: roles.Members, limit: func(l Limits) *ratelimit.Limiter { return l.Confirm }},

	webv1connect.SecondStepServiceGetSecondStepProcedure:    {role: roles.Members},
	webv1connect.SecondStepServiceBeginSecondStepProcedure:  {role: roles.Members, limit: func(l Limits) *ratelimit.Limiter { return l.Confirm }},
	webv1connect.SecondStepServiceFinishSecondStepProcedure: {role: roles.Members, limit: func(l Limits) *ratelimit.Limiter { return l.Confirm }},
	webv1connect.SecondStepServiceNewRecoveryCodesProcedure: {role: roles.Members, limit: func(l Limits) *ratelimit.Limiter { return l.Confirm }},
	webv1connect.SecondStepServiceRemoveSecondStepProcedure: {role: roles.Members, limit: func(l Limits) *ratelimit.Limiter { return l.Confirm }},

	webv1connect.ShopServiceGetMembershipsProcedure: {role: roles.Visitors},
	webv1connect.ShopServiceGetTopUpsProcedure:      {role: roles.Visitors},
	webv1connect.ShopServiceGetApparelProcedure:     {role: roles.Public},

	// A visitor's basket is known by its cookie. What may not be bought is refused at the checkout, if not here.
	webv1connect.BasketServiceGetBasketProcedure:    {role: roles.Visitors},
	webv1connect.BasketServiceAddToBasketProcedure:  {role: roles.Visitors, limit: func(l Limits) *ratelimit.Limiter { return l.Basket }},
	webv1connect.BasketServiceSetQuantityProcedure:  {role: roles.Visitors},
	webv1connect.BasketServiceSaveForLaterProcedure: {role: roles.Visitors},
	webv1connect.BasketServiceClearBasketProcedure:  {role: roles.Visitors},
	webv1connect.BasketServiceUndoBasketProcedure:   {role: roles.Visitors},
	webv1connect.BasketServiceCheckoutProcedure:     {done: true, role: roles.Members, mutates: true, limit: func(l Limits) *ratelimit.Limiter { return l.Checkout }},

	// Reading an order asks the payment provider, and may complete it.
	webv1connect.OrderServiceGetOrderProcedure:   {role: roles.Members, mutates: true, limit: func(l Limits) *ratelimit.Limiter { return l.Order }},
	webv1connect.OrderServiceListOrdersProcedure: {role: roles.Members},

	// What a change would cost the payment provider says, and which card is charged where billing keeps none; every change is made there first.
	webv1connect.MembershipServiceGetMembershipProcedure:    {role: roles.Members, limit: func(l Limits) *ratelimit.Limiter { return l.Order }},
	webv1connect.MembershipServiceOpenPortalProcedure:       {done: true, role: roles.Members, limit: func(l Limits) *ratelimit.Limiter { return l.Checkout }},
	webv1connect.MembershipServiceTakeCardProcedure:         {role: roles.Members, mutates: true, limit: func(l Limits) *ratelimit.Limiter { return l.Order }},
	webv1connect.MembershipServicePreviewChangeProcedure:    {role: roles.Members, limit: func(l Limits) *ratelimit.Limiter { return l.Order }},
	webv1connect.MembershipServiceChangePlanProcedure:       {done: true, role: roles.Members, mutates: true, limit: func(l Limits) *ratelimit.Limiter { return l.Checkout }},
	webv1connect.MembershipServiceCancelMembershipProcedure: {role: roles.Members, mutates: true, limit: func(l Limits) *ratelimit.Limiter { return l.Order }},
	webv1connect.MembershipServiceKeepMembershipProcedure:   {role: roles.Members, mutates: true, limit: func(l Limits) *ratelimit.Limiter { return l.Order }},
	webv1connect.MembershipServiceListLedgerProcedure:       {role: roles.Members},
	// Mail counts a member's invitations by the day.
	webv1connect.MembershipServiceInviteFriendProcedure: {role: roles.Members, limit: func(l Limits) *ratelimit.Limiter { return l.Contact }},
	webv1connect.MembershipServiceSetLettersProcedure:   {role: roles.Members},
	// The god-controls; whether they are on, billing knows.
	webv1connect.MembershipServiceResetToTrialProcedure: {role: roles.Admins, mutates: true},
	webv1connect.MembershipServiceEndPlanProcedure:      {role: roles.Admins, mutates: true},

	webv1connect.LibraryServiceListMeditationsProcedure:      {role: roles.SubscribersAndAdmins, entitlement: "library", forwardSubject: true},
	webv1connect.LibraryServiceGetLibraryMeditationProcedure: {role: roles.SubscribersAndAdmins, entitlement: "library", forwardSubject: true},

	webv1connect.SearchServiceSearchProcedure: {role: roles.Members, forwardSubject: true},

	webv1connect.UsageServiceReportPageProcedure: {role: roles.Members, limit: func(l Limits) *ratelimit.Limiter { return l.Usage }},

	// Only where DEBUG_SIGNIN is on.
	webv1connect.DebugServiceGetSignInProcedure: {role: roles.Visitors},

	// People who cannot sign in must be able to write to us.
	webv1connect.ContactServiceSendMessageProcedure: {role: roles.Public, limit: func(l Limits) *ratelimit.Limiter { return l.Contact }},

	webv1connect.GeneratorServiceGetGeneratorProcedure: {role: roles.Visitors},
	// Credits are what opens it, and billing asks for them: bought ones never expire, plan or no plan.
	// The call counts itself, once its title is judged.
	webv1connect.GeneratorServiceGenerateProcedure:         {role: roles.Members, mutates: true},
	webv1connect.GeneratorServiceCheckTitleProcedure:       {role: roles.Public, limit: func(l Limits) *ratelimit.Limiter { return l.CheckTitle }},
	webv1connect.GeneratorServiceGetMeditationProcedure:    {role: roles.Members},
	webv1connect.GeneratorServiceWatchMeditationProcedure:  {role: roles.Members},
	webv1connect.GeneratorServiceCancelMeditationProcedure: {role: roles.Members, mutates: true},
	webv1connect.GeneratorServiceGetGroundingProcedure:     {role: roles.Public},
	webv1connect.GeneratorServiceGetSampleProcedure:        {role: roles.Public},
	webv1connect.GeneratorServiceListNarratorsProcedure:    {role: roles.Public},

	// Who may press Generate may read first, with credits or without: reading costs nothing. CreateDraft counts itself, as Generate does.
	webv1connect.DraftServiceCreateDraftProcedure: {role: roles.Members},
	webv1connect.DraftServiceGetDraftProcedure:    {role: roles.Members},
	webv1connect.DraftServiceListDraftsProcedure:  {role: roles.Members},
	webv1connect.DraftServiceChangeLineProcedure:  {role: roles.Members, limit: func(l Limits) *ratelimit.Limiter { return l.Line }},
	webv1connect.DraftServiceRewriteLineProcedure: {role: roles.Members, limit: func(l Limits) *ratelimit.Limiter { return l.Line }},
	webv1connect.DraftServiceDeleteDraftProcedure: {role: roles.Members},

	webv1connect.ArticlesServiceListArticlesProcedure: {role: roles.Visitors, forwardSubject: true},
	webv1connect.ArticlesServiceGetArticleProcedure:   {role: roles.Visitors, forwardSubject: true},

	webv1connect.PagesServiceGetHomeProcedure:    {role: roles.Visitors, forwardSubject: true},
	webv1connect.PagesServiceGetTextProcedure:    {role: roles.Public},
	webv1connect.PagesServiceGetSitemapProcedure: {role: roles.Public},

	webv1connect.HomeServiceGetMemberHomeProcedure: {role: roles.Members, forwardSubject: true},

	// Content says who may like and keep what: everybody what is open, subscribers the rest.
	webv1connect.ItemServiceSetLikeProcedure:  {role: roles.Members, forwardSubject: true},
	webv1connect.ItemServiceSetSavedProcedure: {role: roles.Members, forwardSubject: true, mutates: true},

	webv1connect.JourneyServiceGetJourneyProcedure: {role: roles.Members, forwardSubject: true},
	webv1connect.JourneyServiceListSavedProcedure:  {role: roles.Members, forwardSubject: true},
	// What a member has made is theirs, whatever became of their plan. What is counted beside My Journey changes with a mark.
	webv1connect.JourneyServiceListBespokeProcedure:        {role: roles.Members},
	webv1connect.JourneyServiceMarkBespokeDeletedProcedure: {role: roles.Members, mutates: true},
	webv1connect.JourneyServiceRecoverBespokeProcedure:     {role: roles.Members, mutates: true},
	webv1connect.JourneyServiceRenameBespokeProcedure:      {role: roles.Members},

	// What was made can be shared when the plan has ended. Who has a link needs no account.
	webv1connect.SharingServiceGetShareProcedure:        {role: roles.Members},
	webv1connect.SharingServiceShareMeditationProcedure: {role: roles.Members},
	webv1connect.SharingServiceEndShareProcedure:        {role: roles.Members},
	webv1connect.SharingServiceGetSharedProcedure:       {role: roles.Public, limit: func(l Limits) *ratelimit.Limiter { return l.Shared }},
	// Content says who may hear what. A player writes every ten seconds while it plays.
	webv1connect.PlayerServiceStartListeningProcedure: {role: roles.Members, forwardSubject: true, limit: func(l Limits) *ratelimit.Limiter { return l.Place }},
	webv1connect.PlayerServiceSavePlaceProcedure:      {role: roles.Members, limit: func(l Limits) *ratelimit.Limiter { return l.Place }},
	webv1connect.PlayerServiceGetPlaceProcedure:       {role: roles.Members},
	webv1connect.PlayerServiceListPlacesProcedure:     {role: roles.Members, forwardSubject: true},

	// What a member has begun is theirs to undo and to leave, whatever became of their plan.
	webv1connect.CoursesServiceListCoursesProcedure:   {role: roles.Visitors, forwardSubject: true},
	webv1connect.CoursesServiceGetCourseProcedure:     {role: roles.Visitors, forwardSubject: true},
	webv1connect.CoursesServiceStartCourseProcedure:   {role: roles.SubscribersAndAdmins, entitlement: "library", forwardSubject: true},
	webv1connect.CoursesServiceMarkDayProcedure:       {role: roles.SubscribersAndAdmins, entitlement: "library", forwardSubject: true},
	webv1connect.CoursesServiceUnmarkDayProcedure:     {role: roles.Members},
	webv1connect.CoursesServiceLeaveCourseProcedure:   {role: roles.Members},
	webv1connect.CoursesServiceListMyCoursesProcedure: {role: roles.Members, forwardSubject: true},
	// A diary is its member's, whatever became of their plan.
	webv1connect.DiaryServiceListEntriesProcedure:  {role: roles.Members},
	webv1connect.DiaryServiceSetKeepingProcedure:   {role: roles.Members, limit: func(l Limits) *ratelimit.Limiter { return l.Place }},
	webv1connect.DiaryServiceAddEntryProcedure:     {role: roles.Members, limit: func(l Limits) *ratelimit.Limiter { return l.Place }},
	webv1connect.DiaryServiceChangeEntryProcedure:  {role: roles.Members, limit: func(l Limits) *ratelimit.Limiter { return l.Place }},
	webv1connect.DiaryServiceRemoveEntryProcedure:  {role: roles.Members, limit: func(l Limits) *ratelimit.Limiter { return l.Place }},
	webv1connect.DiaryServiceRestoreEntryProcedure: {role: roles.Members, limit: func(l Limits) *ratelimit.Limiter { return l.Place }},
	webv1connect.DiaryServiceEmptyDiaryProcedure:   {role: roles.Members, limit: func(l Limits) *ratelimit.Limiter { return l.Place }},

	webv1connect.StudioServiceMakeMeditationProcedure:    {role: roles.Admins},
	webv1connect.StudioServiceMakeArticleProcedure:       {role: roles.Admins},
	webv1connect.StudioServicePreviewProcedure:           {role: roles.Admins},
	webv1connect.StudioServiceListMadeProcedure:          {role: roles.Admins},
	webv1connect.StudioServiceVerifyMeditationProcedure:  {role: roles.Admins},
	webv1connect.StudioServiceDeleteMeditationProcedure:  {role: roles.Admins},
	webv1connect.StudioServiceRestoreMeditationProcedure: {role: roles.Admins},
	webv1connect.StudioServiceGetStudioProcedure:         {role: roles.Admins},

	webv1connect.EditorServiceListContentTypesProcedure: {role: roles.Admins},
	webv1connect.EditorServiceListItemsProcedure:        {role: roles.Admins},
	webv1connect.EditorServiceGetItemProcedure:          {role: roles.Admins},
	webv1connect.EditorServiceCreateItemProcedure:       {role: roles.Admins},
	webv1connect.EditorServiceUpdateItemProcedure:       {role: roles.Admins},
	webv1connect.EditorServiceChangeItemProcedure:       {role: roles.Admins},
	webv1connect.EditorServiceRestoreRevisionProcedure:  {role: roles.Admins},
	webv1connect.EditorServiceUploadAssetProcedure:      {role: roles.Admins},
	webv1connect.EditorServiceListRevisionsProcedure:    {role: roles.Admins},
	webv1connect.EditorServicePreviewTextProcedure:      {role: roles.Admins},
}

// Limits are the rates of calls. Those counted in Redis hold for all replicas together.
type Limits struct {
	// By address; Contact by member where a friend is written to, CheckTitle by member where Generate has a title judged.
	SignUp, Confirm, Resend, CheckTitle, Contact *ratelimit.Limiter
	// Shared by address: who opens links that members share.
	Shared *ratelimit.Limiter
	// Invite by address of visitors, or by member: who asks whether a code is good.
	Invite *ratelimit.Limiter
	// Basket by member, or by address: what is put into one.
	Basket *ratelimit.Limiter
	// By member. Checkout counts what opens a page of the payment provider or charges, and Order what only asks it, and what ends a
	// membership, which nobody is to wait for: it has a limit too, for all members together.
	Generate, Checkout, Order *ratelimit.Limiter
	// Export by member: a copy asks every service for all that there is.
	Export *ratelimit.Limiter
	// Usage by member: pages that are reported as opened.
	Usage *ratelimit.Limiter
	// Place by member: where they begin to listen, where they are, and what they write in their diary.
	Place *ratelimit.Limiter
	// Line by member: lines of scripts that they change, or have written again.
	Line *ratelimit.Limiter
	// Member limits everything a member asks for, in this process.
	Member *guard.Buckets
	// Streams limits what lasts, in this process.
	Streams *ratelimit.Streams
}

// The rates. What visitors do is counted by address, and a class may share one (crowd.Size): each of its people signs up, mistypes a
// code, asks for another, judges ten titles, fills a basket with five things, opens a link five times. Identity counts strangers' letters
// to one mailbox and guesses at one code, and mail counts letters to us, for all addresses together. A member generates more in an hour
// than there are credits in a plan's day. Judging a title costs microseconds, and a member over its limit gets no words of care: that
// limit is so high that only a machine reaches it. No person opens more than a page in three seconds for an hour. A player that plays
// writes its place 360 times in an hour, and a second device of the member as often. A script has 40 to 100 lines, and nobody changes
// each of them ten times in an hour. Every checkout is work for the payment provider.
var (
	SignUpLimit     = guard.Limit{Name: "sign-up", Count: 60, Per: time.Hour, Burst: crowd.Size}
	ConfirmLimit    = guard.Limit{Name: "confirm", Count: 120, Per: time.Hour, Burst: 2 * crowd.Size}
	ResendLimit     = guard.Limit{Name: "resend", Count: 60, Per: time.Hour, Burst: crowd.Size}
	CheckTitleLimit = guard.Limit{Name: "check-title", Count: 3600, Per: time.Hour, Burst: 10 * crowd.Size}
	ExportLimit     = guard.Limit{Name: "export", Count: 6, Per: time.Hour, Burst: 3}
	ContactLimit    = guard.Limit{Name: "contact", Count: 60, Per: time.Hour, Burst: crowd.Size}
	InviteLimit     = guard.Limit{Name: "invite", Count: 300, Per: time.Hour, Burst: crowd.Size}
	SharedLimit     = guard.Limit{Name: "shared", Count: 1200, Per: time.Hour, Burst: 5 * crowd.Size}
	BasketLimit     = guard.Limit{Name: "basket", Count: 1800, Per: time.Hour, Burst: 5 * crowd.Size}
	CheckoutLimit   = guard.Limit{Name: "checkout", Count: 60, Per: time.Hour, Burst: 15}
	OrderLimit      = guard.Limit{Name: "order", Count: 900, Per: time.Hour, Burst: 30}
	UsageLimit      = guard.Limit{Name: "usage", Count: 1200, Per: time.Hour, Burst: 60}
	PlaceLimit      = guard.Limit{Name: "place", Count: 1800, Per: time.Hour, Burst: 120}
	LineLimit       = guard.Limit{Name: "line", Count: 900, Per: time.Hour, Burst: 90}
	GenerateLimit   = guard.Limit{Name: "generate", Count: 60, Per: time.Hour, Burst: 15}
	MemberLimit     = guard.Limit{Name: "member", Count: 20, Per: time.Second, Burst: 100}
)

// allow counts the call.
func (s *Screens) allow(ctx context.Context, r rule, m *session.Member) error {
	key := guard.Address(ctx)
	if m != nil {
		key = m.UID
		if ok, after := s.Limits.Member.Allow(key, s.Now()); !ok {
			return guard.TooSoon(after)
		}
	}
	if r.limit == nil {
		return nil
	}
	return r.limit(s.Limits).Allow(ctx, key)
}

// refusedFree takes a call back that was counted and refused, where its rule counts only what was done.
func (s *Screens) refusedFree(ctx context.Context, r rule, err error) {
	if m := memberOf(ctx); m != nil && r.done && r.limit != nil {
		r.limit(s.Limits).GiveBack(ctx, m.UID, err)
	}
}
