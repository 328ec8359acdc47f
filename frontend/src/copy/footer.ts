/** The words of the footer alone: it comes after the first paint. */
export const footer = {
  apparel: "Apparel",
  timer: "Timer and breath",
  sitemap: "Sitemap",
  signOut: "Sign out",
  explore: "Explore",
  yours: "Yours",
  terms: "Terms and conditions",
  privacy: "Privacy",
  copyright: (year: number) => `© ${year} Serein. For people aged 16 and over.`,
  notMedical: "Serein is not a medical service. In a crisis in the UK, call Samaritans free on 116 123.",
  theme: { label: "Appearance", system: "As my device", light: "Light", dark: "Dark" },
} as const;
