// Package sales is how things are sold: what can be bought and for how much, orders, and what a paid order gives. It holds no
// SQL and no HTTP, and knows no payment provider by name.
//
// It refuses amounts, names and credits of a request: they are the catalogue's. It refuses to believe an event: what it is
// about is read back from the provider before anything is done.
//
// # Checkouts
//
// A second checkout closes the page of the first; of two that begin at once the older closes its page. If the member has paid an older
// checkout, a newer one of the same items fails with VERSION_MISMATCH: those items have been bought. Billing reads the session of a waiting
// order back every five minutes, and hourly the provider's list of events.
//
// The page offers the kinds of payment that PAYMENT_METHODS names; one that takes days leaves the order processing until its money has come
// or failed, for 10 days at most. Members pay for memberships by card alone: a debit takes days, in which each renewal would count as failed,
// and a failed first debit would leave an unpaid subscription.
//
// One transaction writes the paid order, the subscription, the credits and their events. If a member has paid but billing cannot give the
// goods, since the member has paid for another membership or the account is deleted, the order is returning: billing returns the payment and
// ends the subscription. A customer that was deleted at the provider's pages is forgotten when it refuses them, and another is made.
//
// # Retries
//
// Every write names an idempotency key. The provider keeps a key for a day, so before a later retry billing reads the provider's state
// first. The provider may repeat an internal error to its key for that day: billing checks whether the request was carried out, and retries
// with a key of another number (orders.tries).
//
// # Prices
//
// Billing creates a price for a lookup key that the provider does not have. If amount, currency or period of its price differ, the item
// cannot be bought, and the log has an error each minute, until an operator has run `billing accept-price KEY`.
//
// # Promotion codes
//
// Codes are the provider's, and are typed on its page where PROMOTION_CODES is on. A code lowers the price of the goods, never of the
// delivery. Billing knows the order's discount once it is paid, and shows it on order, receipt and letter. The goods and credits stay the
// same. An order whose total is 0 is given without a payment. A refund's share is reckoned from what was charged. If a code leaves less of a
// membership's price than the provider's smallest charge (30p), the provider carries the rest to the next invoice. In a shop checkout the
// page rejects a code that would leave less than that.
//
// A member may use a code once unless its maker says otherwise. The provider's page cannot refuse one code to one member: while any running
// code is used up for a member, their page asks for no code. So every code has a last day.
//
// # Money that goes back
//
// Billing stores a refund or dispute with the order, and takes back the same share of the credits that the order gave, as far as they are
// unspent. Held credits count as spent: their work has begun, and most holds are captured within minutes. A hold that is released instead
// leaves its credits with the member, though their money went back. Taking them back later would need a debt beside the balance, after
// event, letter and ledger have named what was taken; an operator can correct it. A dispute counts for the amount that a bank has withdrawn,
// and for nothing while the bank only asks. Money of a won dispute or a failed refund comes back.
//
// # Deleted accounts
//
// Billing closes a deleted account's checkouts, ends its subscription, and deletes its customer and addresses, at the provider too. If one of
// its orders waits because the payment differs from the order, the subscription ends too, and the customer stays until an operator has
// looked at the order.
package sales
