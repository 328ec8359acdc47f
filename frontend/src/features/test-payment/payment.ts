/** How long a payment that is only pretended takes, in ms (specification). */
const TAKES_MS = 1500;

/** Addresses that begin so stand for a card that is declined. */
export const DECLINED = "declined@";

export type Outcome = "paid" | "failed" | "unexpected";

/**
 * Pretends to pay: it makes no call. It fails as a payment would: at once where there is no connection, and in the end for an
 * address that asks for it.
 */
export async function pretend(email: string): Promise<Outcome> {
  if (!navigator.onLine) return "failed";
  await new Promise((done) => {
    setTimeout(done, TAKES_MS);
  });
  return email.startsWith(DECLINED) ? "unexpected" : "paid";
}

/** What is pretended to be paid: £20.00. */
export const AMOUNT = { amount: 2000n, currency: "gbp" };
