package promises

// Row is what a text says can be done or seen, and what proves it.
type Row struct {
	// Says is a part of the text, without its links.
	Says string
	// Page, and the role and name of what is there for it, as a member of Core finds it; empty where another test proves the row alone.
	Page, Role, Name string
	// Proof is "file: test" of one that proves it where a member of Core cannot: of a grace, an end, a trial, or by doing it.
	Proof string
}

// The tests that prove more than one row.
const (
	features = "frontend/src/features/"
	forgot   = "deploy/e2e/flows/promises_test.go: TestWhoHasForgottenTheirPasswordFindsTheWayWhereTheySignIn"
	codes    = "deploy/e2e/flows/account_changes_test.go: TestAnotherAddressIsTheMembersOnceTheCodesOfBothMailboxesAreEntered"
	undo     = "deploy/e2e/flows/account_changes_full_test.go: TestADeletedAccountIsToldUntilWhenAndSigningInUndoesIt"
	ends     = "deploy/e2e/calls/letters_test.go: TestALetterIsSentOnceAndItsLinkEndsSuchLettersAtOneClickAlone"
	first    = "deploy/e2e/flows/first_meditation_test.go: TestAVisitorSignsUpAndHearsAMeditationMadeForHer"
	kept     = features + "members/MembersArea.test.tsx: one press keeps it, and the page says so at once"
	grace    = features + "members/MembersArea.test.tsx: a payment that failed says how much, until when all is open and when it is tried again, and leads to the card"
	ended    = features + "members/MembersArea.test.tsx: a membership that has ended says when, what stays and the way back, and has nothing to cancel"
	trial    = features + "members/MembersArea.test.tsx: who is in the trial sees its countdown, and nothing to cancel"
	topUp    = features + "top-up/TopUp.test.tsx: a pack is chosen and put into the basket once, and the way there opens"
	recovery = features + "members/SecondStep.test.tsx: new recovery codes replace the others, also when the first answer was lost"
	terms    = features + "generator/CancelDialog.test.tsx: "
)

// Rows of all texts. Those of one page stand together, so that a browser opens it once.
var Rows = []Row{
	{Says: "under Cancel Membership", Page: "/members", Role: "button", Name: "Cancel at the period’s end"},
	{Says: "cancel a membership in the Members Area", Page: "/members", Role: "button", Name: "Cancel at the period’s end"},
	{Says: "You can change or cancel", Page: "/members", Role: "button", Name: "Cancel at the period’s end"},
	{Says: "The Members Area still leads to everything you’ve made", Page: "/members", Role: "link", Name: "Everything you’ve made", Proof: ended},
	{Says: "the Members Area still leads to it", Page: "/members", Role: "link", Name: "Everything you’ve made", Proof: ended},
	{Says: "You can change your card in the Members Area", Page: "/members", Role: "button", Name: "Update your card", Proof: grace},
	{Says: "you can update it in the Members Area", Page: "/members", Role: "button", Name: "Update your card", Proof: grace},
	{Says: "Update your card:", Page: "/members", Role: "button", Name: "Update your card", Proof: grace},
	{Says: "shows how long is left", Page: "/members", Role: "heading", Name: "My Subscription", Proof: trial},
	{Says: "The Members Area shows your plan", Page: "/members", Role: "heading", Name: "My Subscription", Proof: trial},
	{
		Says: "the Members Area shows when", Page: "/members", Role: "heading", Name: "My Subscription",
		Proof: features + "members/MembersArea.test.tsx: a membership that goes on says its price, when it renews, its card, and whose it is",
	},
	{Says: "See your membership:", Page: "/members", Role: "heading", Name: "My Subscription"},
	{Says: "See your credits:", Page: "/members", Role: "heading", Name: "Meditation credits"},
	{Says: "under Leaving", Page: "/members", Role: "button", Name: "Delete my account"},
	{Says: "You can delete your account in the Members Area", Page: "/members", Role: "button", Name: "Delete my account"},
	{Says: "download a copy of everything", Page: "/members", Role: "button", Name: "Make my copy"},
	{Says: "You can download everything in one go", Page: "/members", Role: "button", Name: "Make my copy"},
	{Says: "The Members Area makes a copy", Page: "/members", Role: "button", Name: "Make my copy"},
	{Says: "correct your details there", Page: "/members", Role: "button", Name: "Change your name"},
	{Says: "invite them from the Members Area", Page: "/members", Role: "button", Name: "Send the invitation"},
	{Says: "marketing emails are off until you switch them on", Page: "/members", Role: "button", Name: "Review"},
	{Says: "you can switch them off whenever you like", Page: "/members", Role: "button", Name: "Review"},
	{Says: "The last two are off until you switch them on", Page: "/members", Role: "button", Name: "Review"},
	{Says: "you can change them at any hour in the Members Area", Page: "/members", Role: "button", Name: "Review"},
	{Says: "You see the same list in the Members Area", Page: "/members", Role: "heading", Name: "Where you’re signed in"},
	{Says: "The Members Area shows where you’re signed in", Page: "/members", Role: "heading", Name: "Where you’re signed in"},
	{Says: "you can see every change to your credits", Page: "/members/credits", Role: "heading", Name: "Your credits"},

	{Says: "Compare them side by side", Page: "/memberships", Role: "button", Name: "Change Plan: Premium"},
	{Says: "Choose Change Plan on Memberships", Page: "/memberships", Role: "button", Name: "Change Plan: Premium"},
	{Says: "You can change at any time on Memberships", Page: "/memberships", Role: "button", Name: "Change Plan: Premium"},
	{Says: "choose a membership first", Page: "/memberships", Role: "button", Name: "Change Plan: Premium"},
	{Says: "See the memberships:", Page: "/memberships", Role: "button", Name: "Change Plan: Premium"},
	{Says: "Choose Yearly above the plans", Page: "/memberships", Role: "radio", Name: "Yearly"},

	{Says: "every article and My Journey", Page: "/journey", Role: "heading", Name: "My Journey"},
	{Says: "the articles and My Journey", Page: "/journey", Role: "heading", Name: "My Journey"},
	{Says: "you’ll find it in My Journey", Page: "/journey", Role: "heading", Name: "My Journey"},
	{Says: "everything you’ve made is in My Journey", Page: "/journey", Role: "heading", Name: "My Journey"},
	{Says: "My Journey is where the meditations you’ve made are kept", Page: "/journey", Role: "heading", Name: "My Journey"},
	{Says: "because My Journey", Page: "/journey", Role: "heading", Name: "My Journey"},
	{Says: "What you make is kept in one place, called My Journey", Page: "/journey", Role: "heading", Name: "My Journey"},
	{Says: "You can search them", Page: "/journey", Role: "searchbox", Name: "Search Journey Items"},
	{Says: "You can search it and play it again", Page: "/journey", Role: "searchbox", Name: "Search Journey Items"},
	{Says: "beside one of your meditations in My Journey", Page: "/journey", Role: "link", Name: "Kept on this device"},
	{Says: "You can listen again for free", Page: "/journey", Role: "heading", Name: "My Journey"},
	{Says: "A listening diary, if you switch it on in My Journey", Page: "/journey", Role: "link", Name: "Your listening diary"},
	{Says: "It is off until you switch it on", Page: "/journey/diary", Role: "button", Name: "Keep a diary"},
	{
		Says: "You can change it, download it and empty it whenever you like", Page: "/journey/diary", Role: "heading", Name: "Your listening diary",
		Proof: features + "diary/DiaryPage.test.tsx: the diary is emptied once that is confirmed",
	},
	{Says: "stays named in your diary until you remove its entry there", Page: "/journey/diary", Role: "heading", Name: "Your listening diary"},

	{Says: "which is on Orders", Page: "/orders", Role: "heading", Name: "Orders"},
	{Says: "You’ll see it in your orders", Page: "/orders", Role: "heading", Name: "Orders"},
	{
		Says: "Your receipt (PDF) is in your orders", Page: "/orders", Role: "heading", Name: "Orders",
		Proof: features + "orders/orders.test.tsx: a receipt is the gateway's file, once the payment is known",
	},

	{Says: "when you press Generate", Page: "/bespoke-meditation-generator", Role: "button", Name: "Generate"},
	{Says: "press Generate", Page: "/bespoke-meditation-generator", Role: "button", Name: "Generate"},
	{Says: "Make a meditation:", Page: "/bespoke-meditation-generator", Role: "button", Name: "Generate"},
	{Says: "Make your first meditation:", Page: "/bespoke-meditation-generator", Role: "button", Name: "Generate"},
	{Says: "For anything you can’t do there", Page: "/contact", Role: "button", Name: "SEND MESSAGE"},

	// A cancelled membership, a grace, a trial, and what is proved by doing it.
	{Says: "you can undo it with one click", Proof: kept},
	{Says: "you can keep your membership with one click", Proof: kept},
	{Says: "Keep my membership:", Proof: kept},
	{Says: "you can keep it in the Members Area", Proof: kept},
	{Says: "choose \"Keep my account\"", Proof: undo},
	{Says: "Sign in:", Proof: undo},
	{Says: "Memberships says how many days and credits", Proof: features + "memberships/Memberships.test.tsx: title, subtitle and cards are content's, in their order, with badges, features and questions"},
	{Says: "You can top up with any of the three", Proof: topUp},
	{Says: "you can top up at any time", Proof: topUp},
	{Says: "You can also cancel", Proof: terms + "a free one says that it costs nothing, what goes, and how many are left"},
	{Says: "The window tells you which", Proof: terms + "one that has a price says it on its button, and that what is narrated stays"},
	{Says: "you can change that sound or turn it off", Proof: features + "library/Library.test.tsx: the library shows its kinds with their counts, its sounds with Warm first, and how many there are"},
	{Says: "so that you can carry on from there", Proof: features + "home/MemberHome.test.tsx: a press carries on with what was begun, in the player at the foot"},
	{Says: "you can choose to keep a meditation inside Serein", Proof: features + "generator/Outside.test.tsx: the form says who gets the title, and the member may keep it inside"},
	{Says: "You can pause it", Proof: "frontend/src/player/MiniPlayer.test.tsx: Space plays and pauses, except where it is written"},
	{Says: "You can listen while the rest is still being recorded", Proof: first},
	{Says: "the moment you switch it off", Proof: features + "consent/ConsentDialog.test.tsx: analytics that is taken back ends here and in every other tab"},
	{Says: "Choose ‘Forgot your password", Proof: forgot},
	{Says: "on the sign-in page, press \"Forgot your password", Proof: forgot},
	{Says: "press Sign in, then \"Forgot your password", Proof: forgot},
	{Says: "enter this code in the Members Area", Proof: codes},
	{Says: "Stop the change here:", Proof: "services/identity/changes_test.go: TestWhoeverReadsTheNoticeStopsTheChange"},
	{Says: "carry on here:", Proof: features + "account/AccountPanel.test.tsx: the address alone opens the code step, which takes the code and sends a fresh one"},
	{Says: "Accept the invitation:", Proof: features + "account/AccountPanel.test.tsx: an invitation gives its own days, and its code goes with the form, through a reload and the step back"},
	{Says: "until you unsubscribe", Proof: ends},
	{Says: "Unsubscribe from emails like this:", Proof: ends},
	{Says: "Remove the passkey in the Members Area", Proof: features + "members/Passkeys.test.tsx: one has been removed with the password, the others stay, and what is said has the focus"},
	{Says: "you can see how many are left", Proof: recovery},
	{Says: "make new ones, in the Members Area", Proof: recovery},
	{Says: "make new recovery codes in the Members Area", Proof: recovery},
}
