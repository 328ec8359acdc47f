/** What is said when something goes wrong: what happened, what is safe, what to do. */
export const errors = {
  offline: { title: "You are offline", message: "Nothing is lost. Try again when the connection is back." },
  unavailable: {
    title: "Serein is out of reach",
    message: "It is us, not you. Nothing is lost; please try again in a moment.",
  },
  slow: { title: "That took too long", message: "Nothing is lost. Please try again." },
  unauthenticated: {
    title: "You are signed out",
    message: "Please sign in again. What you have made is kept.",
  },
  notFound: { title: "Not here", message: "It does not exist, or it has been moved." },
  exhausted: { title: "A little too fast", message: "Please wait a moment and try again." },
  refused: { title: "That is not possible", message: "Please check what you have entered." },
  broken: {
    title: "Something went wrong",
    message: "It is us, not you. What you have made is safe.",
  },
  pageOffline: {
    title: "You are offline",
    message: "This page has not been loaded yet. It opens by itself when the connection is back.",
  },
  termsAway:
    "Our terms, which you would agree to, cannot be read at the moment. Nothing is lost; please try again in a minute.",
  late: "This takes longer than it should.",
  retry: "Try again",
  reload: "Load the page again",
  details: "Technical details",
} as const;
