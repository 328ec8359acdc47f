// Package subscriptions is the life of a membership after its first payment: it renews, changes, is cancelled and kept, fails and
// is mended, and ends.
//
// Its rules are plain functions of what stands here and what the provider says; it holds no SQL and no HTTP, and knows no payment
// provider by name.
//
// [Next] is a pure function of the stored row, the provider's state (the subscription and its invoices) and the clock. Settling reads
// the row with its revision, then asks the provider, then writes in one transaction if the revision is still the same; else it begins
// again. So a write never replaces a newer state, and no transaction waits for the provider.
//
// # Grace
//
// The payment of the next period failed. The member keeps full access. Billing publishes SubscriptionPaymentFailed when it fails, 7 days
// later, and 2 days before access ends; it skips a notice whose time has passed. A payment in time makes it a renewal; else the
// membership ends as unpaid, here and at the provider. The provider retries failed payments by its own schedule, which must not end a
// subscription within 14 days.
//
// # A change of plan
//
// A quote is for an exact moment, and valid for ten minutes. Billing then makes the change as of that moment for that amount, or not at
// all. If the card is refused, nothing has changed. The lines of a quote are those of the provider's preview, with the part that a balance
// pays and the part that is too small to charge; if they do not add up to the amount, billing shows none.
//
// Of the old period's credits the share of the time that is left goes back, rounded up. Of the new period's the same share is given,
// rounded down, or all of them if its length differs, since a new period begins then. A change in the first hour of a period counts for
// the whole period, so that a member who changes again at once has 60 credits and not 59. One new grant replaces the old one: the unspent
// credits, less the returned and plus the given ones. Held credits move to the new grant. A member who has spent the credits that would go
// back cannot change.
//
// Billing stores a change before it asks the provider (plan_changes), and reading back finds the change after a crash at any step. A change
// may take 40 seconds, in which no other begins; billing drops one that was not made by then.
//
// # Cancelling
//
// A cancelled membership ends with its paid period, and plan credits with it; keeping it takes that back. A membership whose running period
// is unpaid ends at once, without a further charge. The member's reason, if they give one, is one of three words, never free text: the
// provider stores it, the event has it, and keeping the membership deletes it.
//
// # Invoices
//
// Every paid invoice after the first is an order: its line is the plan at the invoice's amount before the balance. An invoice that charges
// nothing makes no order. When the payment of the running period has been returned in full, the membership ends. Billing returns a payment
// that arrives after the membership has ended, and gives nothing for it. If an operator marks an invoice as paid at the provider, billing
// gives its period. It writes no order, since there is no payment that could be refunded, and the log has an error.
//
// A yearly plan that was changed into a monthly one pays the months with what was left of the year. If the year's payment is returned after
// that, the monthly plan goes on and charges the next month to the card. So the operator who refunds the year ends the plan by hand, and an
// operator looks at a dispute of it.
//
// # Balances
//
// A change's credit is a balance at the provider, which pays the next invoices first. A quote, a letter and the payment after a change are
// of the rest. The first invoice of another membership uses the balance too, while the checkout's total is the price of the goods; so
// billing reads from the invoice what paid for a membership. An order stores the amount (from_balance; below 0 a carried sum). If the
// balance pays all, there is no payment. If billing cannot give an order, it returns the amount to the balance.
//
// When an order's payment has been returned in full, a job takes back what a change has credited of it, as far as it is left. That is what
// the subscription's later invoices have credited and not used again, less all that was charged for them, since that may have come from
// another payment. The job never takes more than the order or than the balance, and runs once an order. It takes too little rather than
// too much: the member keeps what an upgrade paid for. An operator gives back by hand what a balance had paid of a refunded order.
//
// # Cards
//
// A card that a member gives on the provider's page becomes the customer's default. The subscription keeps the card of its checkout as its
// default, which the provider always charges first, and the provider retries no open invoice because a card was given. So billing does both
// itself:
//
//   - If the customer has another card than the one that billing took over last (card_given), billing makes it the subscription's default.
//     Billing does not take over a card that the customer had before they bought the membership, nor a card that is saved without being a
//     default.
//   - If the membership is in its grace and its card is not the one that last failed to pay the open invoice, billing pays the invoice at
//     once, under a key of invoice and card. The provider charges an invoice once.
//   - If that card is refused as well, billing does not try it again; notices go on, and the Members Area names the card.
//   - A view, a preview, a change or a cancellation pays no open invoice.
//
// Billing learns of a given card from customer.updated, from the member's return from the provider's page ([Service.TakeCard]), and from
// the sweep, which looks at memberships in their grace each hour. It stores brand and last digits with the membership, and clears them when
// the membership ends. A view asks the provider only if billing has never read the card (card_read): a wallet has no digits, and a free
// membership has no card.
//
// # When billing settles a membership
//
//   - at each webhook of the subscription, its invoices, payments and customer;
//   - whenever its member cancels, keeps or changes it, or returns from the provider's page;
//   - by a sweep each minute of the memberships that are due (due_at);
//   - hourly, by a comparison with the provider's list, both ways.
//
// If only the comparison finds a difference, billing mends it, counts it and logs an error. Either both the webhook and the sweep missed the
// change, or an operator made it at the provider's pages and the webhook was lost. If the list has a subscription that billing does not know
// an hour after it began, the log has an error each time: the provider charges for it, and billing gives nothing.
//
// For a trial, billing publishes TrialEnding two days before its end (at once if the trial is shorter) and TrialEnded at its end, each
// once, and neither if the member has bought a membership.
package subscriptions
