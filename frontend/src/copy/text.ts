/** The words around a page of words: the rest of it is the content service's. */
export const text = {
  from: "As of",
  loading: "Loading the text",
  smallPrint: "Small print",
  sitemap: {
    lead: "All pages. Locked ones need you to sign in.",
    protected: "Members only",
    soon: "coming soon",
  },
} as const;
