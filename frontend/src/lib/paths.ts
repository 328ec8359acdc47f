/** Every address of the app. Links are built from here, never written by hand. */
export const paths = {
  home: "/",
  generator: "/bespoke-meditation-generator",
  /** One bespoke meditation: being made, finished, or gone. */
  meditation: (id: string) => `/bespoke-meditation-generator/${encodeURIComponent(id)}`,
  journey: "/journey",
  /** The full player of a finished meditation. */
  listen: (id: string) => `/journey/${encodeURIComponent(id)}`,
  library: "/meditation-library",
  /** The library where one of its meditations is to be found. */
  inLibrary: (title: string, immersive: boolean) =>
    `/meditation-library?${new URLSearchParams({ ...(!immersive && { kind: "voice" }), search: title }).toString()}`,
  members: "/members",
  signIn: "/login",
  signUp: "/signup",
  /** The step where the code is entered; `?username=` says whose. */
  confirm: "/signup/confirm",
  articles: "/articles",
  article: (slug: string) => `/articles/${slug}`,
  sitemap: "/sitemap",
  memberships: "/memberships",
  /** The workroom of admins; what it shows stands in the query. */
  admin: "/admin",
  about: "/about",
  contact: "/contact",
  terms: "/terms-and-conditions",
  privacy: "/privacy-policy",
} as const;
