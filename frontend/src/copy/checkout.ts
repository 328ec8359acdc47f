/** The words of the checkout, of the page after it, and of a checkout that is refused. */
export const checkout = {
  loading: "Opening the checkout",
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
    deliveryText: "We’ll ask for your address on the next page",
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
    blocked: "You can’t buy something here at the moment. Remove it from your basket or save it for later.",
  },
  visitor: {
    title: "Who is it for?",
    text: "Sign in to pay, or create an account. We’ll keep your basket.",
    signIn: "Sign in",
    signUp: "Create Account",
  },
  cancelled: "You came back without paying, so you haven’t been charged. Everything is as you left it.",
  /** Said while a plan that was chosen before signing in is taken to its payment. */
  leading: "Opening the payment page for your membership.",
} as const;

/** Why there is no payment page, by the server's reason. */
export const refusals = {
  CHECKOUT_EMPTY: "Your basket is empty, so there is nothing to pay for.",
  VERSION_MISMATCH:
    "Your basket has changed, and you haven’t been charged. This is how it is now: please check it again.",
  ITEM_NOT_SOLD:
    "Something you chose is no longer sold. You haven’t been charged; remove it and you can check out.",
  ITEM_SOLD_OUT:
    "Something you chose has just sold out. You haven’t been charged; remove it and you can check out.",
  MEMBERSHIP_ALONE: "A membership has to be bought on its own. Save the other things for later, then pay.",
  MEMBERSHIP_CURRENT: "You already have a membership, and you haven’t been charged.",
  TOP_UP_NOT_ALLOWED: "Top-ups come with a membership. You haven’t been charged.",
  PAYMENT_PROVIDER_UNAVAILABLE:
    "We can’t reach our payment provider. You haven’t been charged, and your basket is as you left it. Please try again in a few minutes.",
} as const;

export const orderSuccess = {
  loading: "Looking up your order",
  home: "Back to Home",
  orders: "View Orders",
  done: {
    title: "Order Successful!",
    membership: (name: string, credits: string) =>
      `Your ${name} membership has started, with ${credits} credits.`,
    membershipAlone: (name: string) => `Your ${name} membership has started.`,
    pack: (credits: string) => `Your ${credits} credits are ready to use.`,
    things: "We’ll pack your things and post them to your address.",
    receipt: "You’ll find the receipt in your orders.",
  },
  confirming: {
    title: "We’re confirming your payment",
    text: "This usually takes a few seconds. You can leave this page: nothing is lost, and Orders will show when it’s done.",
    still: "We’re checking every few seconds. Please don’t pay again.",
    long: "It’s taking longer than usual. Nothing is lost, and you can leave this page. Please don’t pay again.",
    ask: "Check again",
  },
  closed: {
    title: "This order wasn’t paid",
    text: "You haven’t been charged, and your basket is as you left it.",
    basket: "Go to your basket",
  },
  returning: {
    title: "We’re returning your payment",
    text: "We couldn’t deliver what you paid for, so we’re refunding the whole amount to your card. Your bank takes a few days.",
  },
  free: {
    title: "You haven’t been charged",
    text: "We couldn’t deliver this. Everything you’ve bought is in Orders.",
  },
  unknown: {
    title: "We can’t find this order",
    text: "The address may be incomplete, or the order belongs to another account. Everything you’ve bought is in Orders.",
  },
  onward: {
    title: "While you’re here",
    make: {
      title: "Make a meditation for this evening",
      text: "Say what’s on your mind, and we’ll write and narrate it for you.",
    },
    listen: {
      title: "Open the library",
      text: "Meditations with a voice alone, or with a background sound.",
    },
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
