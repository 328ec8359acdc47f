/** What is said when something goes wrong: what happened, what is safe, what to do. */
export const errors = {
  offline: { title: "You’re offline", message: "Nothing is lost. Try again when the connection is back." },
  unavailable: {
    title: "We can’t reach Serein",
    message: "It’s our fault. Nothing is lost; please try again in a moment.",
  },
  slow: { title: "That took too long", message: "Nothing is lost. Please try again." },
  unauthenticated: {
    title: "You’re signed out",
    message: "Please sign in again. We’ve kept what you’ve made.",
  },
  notFound: { title: "Page not found", message: "It doesn’t exist, or it has been moved." },
  exhausted: { title: "Too many attempts", message: "Please wait a moment and try again." },
  refused: { title: "That isn’t possible", message: "Please check what you’ve entered." },
  broken: {
    title: "Something went wrong",
    message: "It’s our fault. What you’ve made is safe.",
  },
  pageOffline: {
    title: "You’re offline",
    message: "This page hasn’t been loaded yet. It will open when the connection is back.",
  },
  termsAway: "We can’t load our terms at the moment. Nothing is lost; please try again in a minute.",
  late: "This is taking longer than it should.",
  retry: "Try again",
  reload: "Load the page again",
  details: "Technical details",
} as const;
