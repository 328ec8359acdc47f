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
	stripe = "services/billing/internal/stripe"
	basket = "services/basket"
	front  = "gateway"

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
	{"ignore_delivery", "takes a session with another price of delivery", sales, ordered},
	{"ignore_lines", "gives what was ordered for whatever was paid", sales, ordered},

	{"skip_signature", "believes a webhook whoever sent it", stripe, "TestAWebhookThatIsNotTheProvidersIsRefused"},
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

	{"trust_the_request", "orders as many of a thing as the request over REST says, not one", front, "TestBothModesOrderThePricesThatAreNamedAndNothingElseOfTheRequest"},

	{"merge_twice", "leaves the guest's basket, so that the next sign-in brings it again", basket, "TestAGuestsBasketIsMergedOnce"},
	{"empty_basket_twice", "takes an order out of the basket as often as it is told", basket, "TestACompletedOrderTakesWhatItBoughtOutOfTheBasketOnce"},
	{"empty_basket_at_checkout", "empties the basket by the click, before anything is paid", basket, "TestACheckoutIsToldOnceAndOfTheBasketAsItIs"},
}
