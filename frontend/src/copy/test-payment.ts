/** The words of the test payment. */
export const testPayment = {
  title: "Test payment",
  lead: "A trial run of paying. No real call is made, no card is asked for, and nothing is charged.",
  form: "Test payment",
  email: "Email",
  emailHint: (declined: string) => `An address that begins with ${declined} shows a payment that fails.`,
  amount: "Amount",
  missing: "Please give an email address.",
  long: (max: number) => `Please keep this to ${max} characters.`,
  shape: "Please give an email address, such as name@example.com.",
  pay: "Pay",
  paying: "Paying",
  paid: "The test payment succeeded. Nothing was charged.",
  failed: "Failed to initialize payment. Please try again.",
  unexpected: "An unexpected error occurred",
} as const;
