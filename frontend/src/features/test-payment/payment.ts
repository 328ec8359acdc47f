/** How long a payment that is only pretended takes, in ms (specification). */
const TAKES_MS = 1500;

/** What a payment is made of. Both reject where they fail. */
export interface Payment {
  prepare: () => Promise<void>;
  pay: (email: string) => Promise<void>;
}

/** Pretends: it makes no call, and always succeeds. */
export const PRETENDED: Payment = {
  prepare: () => Promise.resolve(),
  pay: () =>
    new Promise((done) => {
      setTimeout(done, TAKES_MS);
    }),
};

/** What is pretended to be paid: £20.00. */
export const AMOUNT = { amount: 2000n, currency: "gbp" };
