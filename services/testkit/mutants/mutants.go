// Package mutants lists the planted faults of the product: each with the test that must go red while it is switched on. `make soak`
// turns them on one after another; a test in deploy/local/conventions holds that the list and the sources name the same ones.
//
// A new fault is `mutant.On("its_name")` in the code and a line here.
package mutants

// Mutant is one planted fault.
type Mutant struct {
	// Name is what the code asks mutant.On for, and what the variable MUTANT holds.
	Name string
	// Does says what goes wrong.
	Does string
	// Package, below serein.app, and Test are where it must be seen.
	Package, Test string
}

const (
	sales  = "services/billing/internal/sales"
	lives  = "services/billing/internal/subscriptions"
	life   = "services/billing/internal/life"
	stripe = "services/billing/internal/stripe"
	ledger = "services/billing/internal/postgres"
	serves = "services/billing"
	basket = "services/basket"
	front  = "gateway"
	mail   = "services/mail"
	words  = "services/mail/internal/letters"

	// ordered compares each thing that a paid session says with what was ordered.
	ordered = "TestWhatWasPaidIsWhatWasOrderedOrNothingIsGiven"
)

// All are the planted faults.
var All = []Mutant{
	{"ignore_order", "gives an order for a session that names another", sales, ordered},
	{"ignore_member", "gives an order for a session of another member", sales, ordered},
	{"ignore_customer", "gives an order that somebody else's customer paid", sales, "TestAThingIsPaidByItsMembersOwnCustomer"},
	{"ignore_live", "gives real things for a test payment, and the other way round", sales, ordered},
	{"ignore_currency", "takes 799 yen for 799 pence", sales, ordered},
	{"ignore_amount", "takes any amount for the order's", sales, ordered},
	{"ignore_discount", "takes a discount that is more than the goods", sales, "TestADiscountThatDoesNotAddUpGivesNothing"},
	{"ignore_balance", "takes a balance off what is no membership", sales, "TestABalanceThatDoesNotAddUpGivesNothing"},
	{"ignore_delivery", "takes a session with another price of delivery", sales, ordered},
	{"ignore_lines", "gives what was ordered for whatever was paid", sales, ordered},

	{"skip_signature", "believes a webhook whoever sent it", stripe, "TestAWebhookThatIsNotTheProvidersIsRefused"},
	{"charge_another_moment", "changes a plan as of another moment than its quote", stripe, "TestAPreviewIsWhatTheChangeOfThatMomentCharges"},
	{"decline_is_a_refusal", "takes a declined card for a request that is refused for good", stripe, "TestADeclinedChangeIsToldApartAndChangesNothing"},
	{"believe_other_accounts", "acts upon events of other accounts and of the other mode", sales, "TestAnEventThatIsNotOursIsNotActedUpon"},
	{"no_unique_event", "applies an event as often as it comes", sales, "TestOneWebhookThatComesManyTimesAtOnceIsKeptOnce"},

	{"sell_by_another_price", "sells at the provider's price though the catalogue's is another", sales, "TestAPriceThatDiffersCannotBeBoughtUntilItIsAccepted"},
	{"sell_what_is_sold_out", "sells what is sold out", sales, "TestWhatCannotBeBoughtIsRefusedByItsReason"},
	{"top_up_for_everybody", "sells credits to who has no membership", sales, "TestWhatCannotBeBoughtIsRefusedByItsReason"},
	{"foreign_order", "shows and completes the orders of others", sales, "TestAnotherMembersOrderIsNotThere"},
	{"retry_with_a_new_key", "opens a second checkout when the answer of the first was lost", sales, "TestAProviderThatIsAwayInAnyStepChargesOnceAndLosesNothing"},
	{"leave_older_pages_open", "lets a member pay for the same in two tabs", sales, "TestASecondCheckoutClosesTheFirst"},

	{"grant_on_success_page", "gives what was ordered to who opens the page after the checkout", sales, "TestThePageAfterTheCheckoutGivesNothingByItself"},
	{"grant_unpaid", "gives what was ordered before the money has come", sales, "TestWhatWasNotPaidIsClosedAndGivesNothing"},
	{"complete_twice", "gives an order again that is completed", sales, "TestAnOrderIsCompletedOnceByWebhookAndByReadingBackAtTheSameTime"},
	{"no_lock", "completes without the locks of member and order", sales, "TestAnOrderIsCompletedOnceByWebhookAndByReadingBackAtTheSameTime"},
	{"publish_before_commit", "tells of an order before its transaction holds", sales, "TestACompletionThatFailsLeavesNothing"},
	{"give_to_deleted_accounts", "keeps the money that a deleted account paid at the last moment", sales, "TestWhatADeletedAccountPaidAtTheLastMomentIsReturned"},
	{"two_memberships", "lets a member pay for two memberships", sales, "TestWhoPaysForAMembershipInTwoTabsGetsTheLaterPaymentBack"},
	{"keep_what_was_refunded", "leaves a membership running whose payment has gone back whole", sales, "TestAMembershipWhoseMoneyWentBackEndsHereAndAtTheProvider"},
	{"refund_takes_all", "takes all credits back for a part of the money", sales, "TestARefundTakesBackWhatIsUnspentAndNeverMore"},
	{"float_shares", "reckons shares of credits in floating point, and rounds them", sales, "TestNoPartOfARefundTakesMoreThanItsShareOfTheCredits"},

	{"invite_oneself", "gives the longer trial for one's own invitation", sales, "TestAnInvitationOfOnesOwnIsTheUsualTrial"},
	{"reward_twice", "rewards for every membership that a friend buys", sales, "TestTheFirstMembershipAFriendPaysForRewardsBothOnce"},
	{"reward_unpaid", "rewards for a membership that nothing was paid for", sales, "TestNothingIsRewardedUntilMoneyHasCome"},
	{"reward_ones_own_mailbox", "rewards who invites another address of their own mailbox", sales, "TestNobodyIsRewardedForOneselfByTheirMailbox"},
	{"reward_ones_own_card", "rewards who pays for the friend with their own card", sales, "TestNobodyIsRewardedForOneselfByTheirCard"},
	{"take_reward_back_for_a_part", "takes a reward back for a part of the money", sales, "TestARewardIsTakenBackByTheWholeRefundOfThatOrderAlone"},
	{"dispute_takes_the_reward", "takes a reward back for what a bank disputes", sales, "TestADisputeTakesNoRewardAndAFullRefundThatCameBeforeItDoes"},
	{"tell_of_few_credits_twice", "tells of few credits again for the same grant", ledger, "TestFewCreditsAreToldOnceAGrant"},
	{"anybody_operates", "lets members correct their own credits", serves, "TestOperatorsActsAreForAdminsAlone"},

	{"renew_twice", "grants a period again whenever it is told that it was paid", lives, "TestARenewalGrantsThePeriodsCreditsOnceAndReplacesWhatWasLeft"},
	{"grace_without_end", "leaves a membership running that nobody has paid for 14 days", lives, "TestGraceEndsByTheClockAfterFourteenDays"},
	{"leave_the_card_of_before", "goes on charging the card of the checkout, whatever the member gives", lives, "TestAnotherCardPaysWhatIsOwedOnceHoweverItIsHeardOf"},
	{"charge_a_card_of_before", "charges a card that the member gave for another membership", lives, "TestACardThatWasGivenBeforeTheMembershipIsNotCharged"},
	{"try_what_was_refused", "asks a card again and again that has refused", lives, "TestACardThatIsRefusedTooIsTriedOnceAndTheNoticesGoOn"},
	{"take_what_others_paid", "takes a balance back that another payment paid for", lives, "TestWhatAChangeCreditedGoesWithTheMoneyThatItCameFrom"},
	{"access_after_cancel", "leaves what was cancelled open after its period", lives, "TestACancelledMembershipStaysOpenUntilItsPeriodEndsAndNoLonger"},
	{"keep_the_old_plan", "charges for a change and leaves the plan as it was", lives, "TestAChangeChargesAndGivesExactlyWhatWasQuoted"},
	{"quote_hides_the_balance", "says nothing of what was credited before and pays for a change", lives, "TestAQuoteSaysWhatItsAmountIsMadeOf"},
	{"change_keeps_the_old_credits", "adds a new plan's credits and leaves those of the old one", lives, "TestAChangeChargesAndGivesExactlyWhatWasQuoted"},
	{"older_over_newer", "writes what was read of a membership over what others have written meanwhile", lives, "TestOlderNewsIsNotAppliedOverNewer"},
	{"grant_after_the_end", "leaves a membership's credits when it has ended", lives, "TestWhoCancelsAtThePagesOfTheProviderIsTakenAtTheirWord"},
	{"reconcile_nothing", "reads the provider's list of memberships and does nothing about it", lives, "TestADifferenceThatNothingElseHasMendedIsMendedAndTold"},

	{"undo_leaves_the_expiry", "ends the credits of a membership that was kept with its period, as if it were cancelled still", life, "TestAMembershipThatIsKeptKeepsItsCreditsAsLongAsItsAccess"},
	{"ignore_disputes", "leaves what a bank has taken back with the member", life, "TestADisputeTakesWhatItPaidFor"},
	{"codes_without_end", "has a member use a code that is for once as often as they like", serves, "TestAMemberUsesACodeOnceUnlessItIsMadeForMore"},
	{"believe_inquiries", "takes an inquiry of a bank for money that it took", sales, "TestAnInquiryChangesNothing"},
	{"believe_failed_refunds", "takes a refund that failed for money that went back", sales, "TestARefundTakesItsAmountUntilItHasFailed"},
	{"wait_for_failed_payments", "leaves an order waiting whose payment has failed", sales, "TestAPaymentThatFailsDaysLaterClosesItsOrder"},
	{"heal_no_lost_webhook", "reads the provider's list of events and does nothing about it", life, "TestARefundWhoseWebhookIsLostIsNotedAllTheSame"},
	{"two_orders_of_an_invoice", "writes an invoice into the books whenever it is told of", life, "TestAPeriodIsOneOrderAndOneGrantHoweverOftenItIsTold"},
	{"trial_twice", "gives a mailbox a trial for every account", life, "TestAMailboxHasOneTrialForAllTime"},
	{"release_twice", "gives the credits of a cancelled meditation back twice", life, "TestWhatIsCancelledGivesItsCreditsBackOnce"},
	{"float_credits", "counts a change's credits in fractions, and rounds", life, "TestChangesToAndFroNeverMakeACredit"},

	{"trust_the_request", "orders as many of a thing as the request over REST says, not one", front, "TestBothModesOrderThePricesThatAreNamedAndNothingElseOfTheRequest"},

	{"merge_twice", "leaves the guest's basket, so that the next sign-in brings it again", basket, "TestAGuestsBasketIsMergedOnce"},
	{"empty_basket_twice", "takes an order out of the basket as often as it is told", basket, "TestACompletedOrderTakesWhatItBoughtOutOfTheBasketOnce"},
	{"empty_basket_at_checkout", "empties the basket by the click, before anything is paid", basket, "TestACheckoutIsToldOnceAndOfTheBasketAsItIs"},
	{"empty_basket_at_renewal", "takes out of the basket what a renewal paid for", basket, "TestARenewalAndAChangeOfPlanArePurchasedAndTakeNothingOutOfTheBasket"},

	{"change_unseen", "changes a plan whatever it costs by now, not as the member confirmed it", front, "TestAChangeIsMadeAsItWasConfirmedAndShownAtOnce"},
	{"unsubscribe_by_looking", "ends letters when a scanner of mail opens their link", front, "TestLookingAtALinkChangesNothingAndItsOneButtonEndsTheLetters"},

	{"mail_ignore_consent", "invites to buy who has not agreed to marketing", mail, "TestWhatInvitesToBuyGoesToWhoHasAgreedToMarketingAndStopsWithTheConsent"},
	{"mail_ignore_preference", "sends a kind of letters to who does without it", mail, "TestWhoDoesWithoutAKindOfLettersGetsNoneOfItAndAllOthers"},
	{"mail_suppressed", "writes to an address where nobody is", mail, "TestAnAddressThatBouncedGetsNothingButCodesUntilItIsConfirmedAnew"},
	{"mail_invite_twice", "invites a friend as often as somebody asks", mail, "TestAFriendIsInvitedOnceForEverByWhomeverAndTheAnswerIsTheSame"},
	{"mail_send_twice", "queues a letter as often as its event is told", mail, "TestAFactThatIsToldAgainByAnotherEventIsNoSecondLetter"},
	{"mail_send_untrue", "sends that a card is to be mended after it was", mail, "TestALetterThatSomethingNewerHasMadeUntrueIsNotSent"},
	{"mail_no_cap", "takes as many letters in one's own words as somebody likes", mail, "TestAHundredLettersOfOneSenderAndFiveHundredOfAllAreTakenInADay"},
	{"mail_link_from_a_name", "makes a link of a member's name", words, "TestAMembersWordsNeverBecomeALinkAHeadingOrALine"},
}
