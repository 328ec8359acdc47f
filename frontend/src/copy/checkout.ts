/** The words of the checkout, of the page after it, and of a checkout that is refused. */
export const checkout = {
  loading: "One moment",
  title: "Checkout",
  back: "Back to Basket",
  ways: "Payment",
  payNow: "Pay Now",
  summary: {
    title: "Order summary",
    month: "One month, renews on its own",
    year: "One year, renews on its own",
    quantity: (n: number) => `Quantity ${n}`,
    credits: { month: "Credits each month", year: "Credits for the year" },
    delivery: "Delivery",
    deliveryText: "Your address is asked for on the next page",
    free: "Free",
    thereafter: "Then",
    from: (day: string) => `From ${day}`,
    aMonth: "a month",
    aYear: "a year",
    total: "Total",
    totalToday: "Total today",
  },
  card: {
    title: "By card, on a secure page",
    text: "The next page belongs to our payment provider. It takes your card, then brings you straight back. Your card number never reaches us.",
    textDelivery:
      "The next page belongs to our payment provider. It takes your card and the delivery address, then brings you straight back. Your card number never reaches us.",
    code: "Have a promotion code? The next page asks for it.",
    receipt: "Receipt to",
    pay: (price: string) => `Pay ${price}`,
    again: (price: string) => `Try again, ${price}`,
    accept: "By paying you accept the ",
    terms: "terms and conditions",
    blocked: "Something here cannot be bought just now. Remove it from your basket or save it for later.",
  },
  visitor: {
    title: "Who is it for?",
    text: "Sign in to pay, or create an account. Your basket comes along.",
    signIn: "Sign in",
    signUp: "Create Account",
  },
  cancelled: "You came back without paying, and nothing has been taken. Everything is as you left it.",
  /** Said while a plan that was chosen before signing in is taken to its payment. */
  leading: "One moment: the payment page of your membership opens.",
} as const;

/** Why there is no payment page, by the server's reason. */
export const refusals = {
  CHECKOUT_EMPTY: "Your basket is empty, so there is nothing to pay for.",
  VERSION_MISMATCH:
    "Your basket has changed meanwhile, and nothing has been taken. This is how it is now: please look at it again.",
  ITEM_NOT_SOLD:
    "Something you chose is not sold any more. Nothing has been taken; remove it and the way is free.",
  ITEM_SOLD_OUT:
    "Something you chose has just sold out. Nothing has been taken; remove it and the way is free.",
  MEMBERSHIP_ALONE: "A membership is bought alone. Save the other things for later, then pay.",
  MEMBERSHIP_CURRENT: "You have a membership already, and nothing has been taken.",
  TOP_UP_NOT_ALLOWED: "Top-ups come with a membership. Nothing has been taken.",
  PAYMENT_PROVIDER_UNAVAILABLE:
    "Our payment provider cannot be reached just now. Nothing has been taken, and your basket stays as it is. Please try again in a few minutes.",
} as const;

export const orderSuccess = {
  loading: "One moment",
  home: "Back to Home",
  orders: "View Orders",
  done: {
    title: "Order Successful!",
    membership: (name: string, credits: string) => `${name} is open, with ${credits} credits.`,
    membershipAlone: (name: string) => `${name} is open.`,
    pack: (credits: string) => `Your ${credits} credits are yours to use.`,
    things: "We pack your things now, and send them to your address.",
    receipt: "The receipt is with your orders.",
  },
  confirming: {
    title: "Your payment is being confirmed",
    text: "This usually takes a few seconds. You can leave this page: nothing is lost, and Orders shows when it is done.",
    still: "We ask again every few seconds. Please do not pay again.",
    long: "It takes longer than usual. Nothing is lost, and you can leave this page. Please do not pay again.",
    ask: "Ask again",
  },
  closed: {
    title: "This order was not paid",
    text: "Nothing has been taken, and your basket is as you left it.",
    basket: "Go to your basket",
  },
  returning: {
    title: "Your payment is being returned",
    text: "What you paid for could not be given, so the whole amount goes back to your card. That takes your bank a few days.",
  },
  free: {
    title: "Nothing was charged",
    text: "This could not be given. What you have already is under Orders.",
  },
  unknown: {
    title: "We do not know this order",
    text: "The address may be incomplete, or the order belongs to another account. What you have bought is under Orders.",
  },
  onward: {
    title: "While you are here",
    make: {
      title: "Make one for this evening",
      text: "Say what is on your mind, and it is written and narrated for you.",
    },
    listen: { title: "Open the library", text: "Meditations in voice, and with sound around them." },
    read: { title: "Read something slow", text: "Articles on sleep, breath and difficult days." },
  },
  slip: {
    title: "Your order",
    monthly: "Monthly",
    yearly: "Yearly",
    size: (size: string) => `Size ${size}`,
    quantity: (n: number) => `quantity ${n}`,
    membership: (plan: string) => `${plan} membership`,
    discount: "Discount, by promotion code",
    credited: "Credited before",
    carried: "Left from an earlier payment",
    less: (price: string) => `−${price}`,
    delivery: "of which delivery",
    vat: (percent: number) => `of which VAT at ${percent}%`,
    refunded: "Refunded",
    renews: "It renews on its own. The date and your card are in the ",
    members: "Members Area",
    total: "Total",
    paid: "Paid",
  },
} as const;
