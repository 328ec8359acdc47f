/** Titles of the pages, as they stand in the browser's tab; the product's name is added. */
export const pages = {
  home: "Crafted Calm",
  generator: "Bespoke Meditation Generator",
  journey: "My Journey",
  listen: "Player",
  members: "Members Area",
  signIn: "Sign in",
  signUp: "Create Account",
  confirm: "Confirm Account",
  about: "About",
  contact: "Contact",
  terms: "Terms and conditions",
  privacy: "Privacy",
  notFound: "Page Not Found",
} as const;
