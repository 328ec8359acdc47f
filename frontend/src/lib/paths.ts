/** Every address of the app. Links are built from here, never written by hand. */
export const paths = {
  home: "/",
  generator: "/bespoke-meditation-generator",
  /** One bespoke meditation: being made, finished, or gone. */
  meditation: (id: string) => `/bespoke-meditation-generator/${encodeURIComponent(id)}`,
  /** A script that is read before it is narrated. */
  script: (id: string) => `/bespoke-meditation-generator/script/${encodeURIComponent(id)}`,
  journey: "/journey",
  /** What the member has listened to, with a line for themselves. */
  diary: "/journey/diary",
  /** The full player of a finished meditation. */
  listen: (id: string) => `/journey/${encodeURIComponent(id)}`,
  /** What the member keeps on this device. The service worker leads here where there is no line to the gateway. */
  kept: "/kept",
  library: "/meditation-library",
  /** The library where one of its meditations is to be found. */
  inLibrary: (title: string, immersive: boolean) =>
    `/meditation-library?${new URLSearchParams({ ...(!immersive && { kind: "voice" }), search: title }).toString()}`,
  /** The pattern of a meditation that its member shares. Nothing leads there: everybody who has the address can listen. */
  shared: "/shared/:token",
  /** A meditation timer, and at the other address the breath pacer beside it. */
  timer: "/timer",
  breath: "/timer?tab=breath",
  /** A calendar file of one's own times. */
  reminders: "/reminders",
  members: "/members",
  /** Every entry of the member's credits. */
  ledger: "/members/credits",
  signIn: "/login",
  signUp: "/signup",
  /** The step where the code is entered; `?username=` says whose. */
  confirm: "/signup/confirm",
  articles: "/articles",
  article: (slug: string) => `/articles/${slug}`,
  courses: "/courses",
  course: (slug: string) => `/courses/${slug}`,
  /** An article that is a day of a course: under it stands the way back. */
  articleIn: (slug: string, course: string) => `/articles/${slug}?course=${encodeURIComponent(course)}`,
  sitemap: "/sitemap",
  memberships: "/memberships",
  apparel: "/apparel",
  basket: "/basket",
  checkout: "/checkout",
  /** After the payment page: what became of an order. Billing writes this address too (sales/checkout.go). */
  orderSuccess: "/order-success",
  /** What was bought. */
  orders: "/orders",
  /** A trial run of paying, which makes no real call. */
  testPayment: "/test-payment",
  /** The receipt of an order, a PDF for its member alone. The gateway serves it, not the app. */
  receipt: (orderId: string) => `/media/receipts/${encodeURIComponent(orderId)}`,
  /** A member's own meditation as a file, for them alone. The gateway serves it, not the app. */
  download: (id: string) => `/media/meditations/${encodeURIComponent(id)}/download`,
  /** The workroom of admins; what it shows stands in the query. */
  admin: "/admin",
  /** There only where the operator has switched it on; nothing leads there. */
  debugSignIn: "/debug-sign-in",
  about: "/about",
  contact: "/contact",
  /** The contact form with a letter that asks about a plan. */
  enquiry: (plan: string) => `/contact?plan=${encodeURIComponent(plan)}`,
  terms: "/terms-and-conditions",
  privacy: "/privacy-policy",
} as const;
