package letters

import (
	"time"

	"serein.app/services/platform/itemkind"
)

// Sample is a letter as somebody could get it.
type Sample struct {
	// Name tells it from the others: its template, and which way it was written where there are several.
	Name   string
	Letter Letter
}

// sampleCode is a code that only letters with a code may hold.
const sampleCode = "042817"

// SampleTime is when the samples are written.
var SampleTime = time.Date(2026, time.October, 21, 9, 0, 0, 0, time.UTC)

// Samples are letters of every kind: the agreed words (testdata) are of them, and so is the preview on a developer's machine.
func Samples() []Sample {
	all := []Sample{
		sample("confirmation_code", ConfirmationCode, Data{}),
		sample("account_exists", AccountExists, Data{}),
		sample("password_reset", PasswordReset, Data{}),
		sample("password_changed", PasswordChanged, Data{}),
		sample("address_code", AddressCode, Data{}),
		sample("address_notice", AddressNotice, Data{Address: &Address{New: "ada@new.example", Stop: "https://id.serein.example/sign-in/address/stop?change=token"}}),
		sample("address_changed", AddressChanged, Data{Address: &Address{New: "ada@new.example"}}),
		sample("new_device", NewDevice, Data{Device: &Device{Name: "Windows computer, Firefox", Place: "London", At: SampleTime}}),
		sample("new_device_somewhere", NewDevice, Data{Device: &Device{Name: "Unknown browser", At: SampleTime}}),
		sample("passkey_added", PasskeyAdded, Data{}),
		sample("passkey_removed", PasskeyRemoved, Data{}),
		sample("second_step_on", SecondStepOn, Data{}),
		sample("second_step_off", SecondStepOff, Data{}),
		sample("recovery_code_used", RecoveryCodeUsed, Data{}),
		sample("welcome", Welcome, Data{}),
		{"contact", Letter{To: "connect@serein.example", Template: Contact, Data: Data{Writer: &Writer{
			Name: "Ada Lovelace", Email: "ada@example.com", Phone: "+44 20 7946 0000", Message: "Hello,\n\nmay I keep <b>one</b>?",
		}}}},
		sample("receipt", Receipt, Data{Order: sampleOrder()}),
		sample("receipt_of_change", Receipt, Data{Order: &Order{
			Number: "S-10030", Currency: "gbp", Lines: []Line{sampleChange}, Total: 12591, VAT: 2099, VATPercent: 20, OfChange: true,
		}}),
		sample("receipt_of_membership", Receipt, Data{Order: &Order{
			Number: "S-10024", Currency: "gbp", Lines: []Line{sampleYear}, Total: 7990, VAT: 1332, VATPercent: 20,
		}}),
		sample("order_unpaid", OrderUnpaid, Data{Order: sampleOrder()}),
		sample("refund", RefundSent, Data{Refund: &Refund{
			Number: "S-10023", Currency: "gbp", Lines: sampleOrder().Lines, Total: 5795, Amount: 1150, Refunded: 1250, CreditsTaken: 11,
		}}),
		sample("payment_returned", PaymentReturned, Data{Refund: &Refund{
			Number: "S-10024", Currency: "gbp", Lines: []Line{sampleYear}, Total: 7990, Amount: 7990, Refunded: 7990,
		}}),
		sample("refund_failed", RefundFailed, Data{Refund: &Refund{
			Number: "S-10023", Currency: "gbp", Lines: sampleOrder().Lines, Total: 5795, Amount: 1150, Refunded: 100, CreditsGiven: 11,
		}}),
		sample("dispute_won", DisputeWon, Data{Refund: &Refund{
			Number: "S-10024", Currency: "gbp", Lines: []Line{sampleYear}, Total: 7990, Amount: 7990, CreditsGiven: 240, Until: inDays(200),
		}}),
		sample("renewed", Renewed, Data{Order: &Order{
			Number: "S-10031", Currency: "gbp", Lines: []Line{sampleYear}, Total: 7990, VAT: 1332, VATPercent: 20, Until: inDays(365),
		}}),
		sample("apparel_order", ApparelOrder, Data{Order: sampleOrder()}),
		sample("invitation", Invitation, Data{Invite: &Invite{Inviter: "Ada", Friend: "Grace", Code: "ADA-7K2M", TrialDays: 21}}),
		sample("deletion_scheduled", DeletionScheduled, Data{Deletion: &Deletion{At: inDays(14)}}),
		sample("account_deleted", AccountDeleted, Data{}),
		sample("free", Free, Data{Written: sampleWritten}),
	}
	return append(all, membershipSamples()...)
}

// membershipSamples are those of the life of a membership.
func membershipSamples() []Sample {
	of := func(name string, t Template, m Membership) Sample { return sample(name, t, Data{Membership: &m}) }
	failed := func(notice int32, retry time.Time) Membership {
		return Membership{Plan: "Meadow", At: inDays(14), Amount: 799, Currency: "gbp", Notice: notice, Retry: retry}
	}
	change := Membership{
		FormerPlan: "Meadow", FormerPeriod: "month", Plan: "Orchard", Period: "year", At: inDays(365), Currency: "gbp", NextAmount: 12990, Credits: 312,
	}
	charged, credited, even := change, change, change
	charged.Amount, credited.Amount = 12591, -240
	partly := charged // by what was credited before
	charged.Cost, charged.Unused = 12990, 399
	credited.Cost, credited.Unused = 410, 650
	return []Sample{
		of("trial_started", TrialStarted, Membership{Started: SampleTime, At: inDays(10), Credits: 9, Invited: true}),
		of("trial_ending", TrialEnding, Membership{At: inDays(2), Credits: 3}),
		of("trial_ending_spent", TrialEnding, Membership{At: inDays(1)}),
		of("renewed_by_credit", RenewedByCredit, Membership{At: inDays(30)}),
		of("payment_failed_first", PaymentFailed, failed(1, inDays(3))),
		of("payment_failed_second", PaymentFailed, failed(2, time.Time{})),
		of("payment_failed_last", PaymentFailed, failed(3, time.Time{})),
		of("plan_changed_charged", PlanChanged, charged),
		of("plan_changed_charged_partly", PlanChanged, partly),
		of("plan_changed_credited", PlanChanged, credited),
		of("plan_changed_even", PlanChanged, even),
		of("cancellation", Cancellation, Membership{Plan: "Meadow", At: inDays(12)}),
		of("reactivated", Reactivated, Membership{Plan: "Meadow", At: inDays(12)}),
		of("ended_cancelled", Ended, Membership{Plan: "Meadow", Reason: "cancelled"}),
		of("ended_unpaid", Ended, Membership{Plan: "Meadow", Reason: "unpaid"}),
		of("ended_operator", Ended, Membership{Plan: "Meadow", Reason: "operator"}),
		of("reward_friend", Reward, Membership{Credits: 5, Friend: true}),
		of("reward_referrer", Reward, Membership{Credits: 5}),
		of("reward_taken_back", RewardTakenBack, Membership{Credits: 1}),
		of("reward_taken_back_spent", RewardTakenBack, Membership{}),
		of("low_balance", LowBalance, Membership{Credits: 1, At: inDays(9), TopUp: true}),
		of("low_balance_spent", LowBalance, Membership{}),
	}
}

func sample(name string, t Template, d Data) Sample {
	if part := natures[t].part; part == "" || part == "address" {
		d.Code, d.Username = sampleCode, "ada"
	}
	if !t.Ours() && t != Invitation && t != Free {
		d.GivenName = "Ada"
	}
	return Sample{name, Letter{To: "ada@example.com", Template: t, Data: d, CreatedAt: SampleTime, ExpiresAt: inDays(3)}}
}

func inDays(n int) time.Time { return SampleTime.AddDate(0, 0, n) }

// sampleOrder is one of a pack and of two things that are sent.
func sampleOrder() *Order {
	return &Order{
		Number: "S-10023", Currency: "gbp", Total: 5795, Delivery: 395, VAT: 966, VATPercent: 20,
		Lines: []Line{
			{Name: "Leaning Pine tee", Size: "M", Kind: itemkind.Product, Quantity: 2, UnitAmount: 2400},
			{Name: "20 credits", Kind: itemkind.CreditPack, Quantity: 1, UnitAmount: 600, Credits: 20},
		},
	}
}

var sampleYear = Line{Name: "Meadow", Size: "year", Kind: itemkind.Membership, Quantity: 1, UnitAmount: 7990, Credits: 240}

// sampleChange is a year that was changed to, at what the change was charged with.
var sampleChange = Line{Name: "Orchard", Size: "year", Kind: itemkind.Membership, Quantity: 1, UnitAmount: 12591, Credits: 312}

var sampleWritten = &Written{
	Subject: "About your parcel",
	HTML:    `<p>Dear Ada,</p><p>your tee has left us today. <a href="https://post.example/track" rel="nofollow">Follow it here</a>.</p>`,
	Text:    "Dear Ada,\n\nyour tee has left us today. Follow it here (https://post.example/track).",
}
