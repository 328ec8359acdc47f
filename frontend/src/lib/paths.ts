/** Every address of the app. Links are built from here, never written by hand. */
export const paths = {
  home: "/",
  generator: "/bespoke-meditation-generator",
  /** One bespoke meditation: being made, finished, or gone. */
  meditation: (id: string) => `/bespoke-meditation-generator/${encodeURIComponent(id)}`,
  journey: "/journey",
  /** The full player of a finished meditation. */
  listen: (id: string) => `/journey/${encodeURIComponent(id)}`,
  members: "/members",
  signIn: "/login",
  signUp: "/signup",
  /** The step where the code is entered; `?username=` says whose. */
  confirm: "/signup/confirm",
  about: "/about",
  contact: "/contact",
  terms: "/terms-and-conditions",
  privacy: "/privacy-policy",
} as const;
