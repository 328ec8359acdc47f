/** The words around a page of words: the rest of it is the content service's. */
export const text = {
  from: "As of",
  loading: "One moment",
  smallPrint: "Small print",
  sitemap: {
    lead: "Every room in the house. A lock means it opens when you sign in.",
    protected: "Members only,",
    priority: "priority",
    soon: "coming soon",
  },
} as const;
